import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { CsvError, parse } from 'csv-parse';

import { delimiterIn, LENIENT } from './csv.ts';

/** Most that one table of a stranger may have. A spreadsheet's cell holds 32,767 characters, a register's table 80 columns. */
export const CSV_BOUNDS = { columns: 256, cellCharacters: 10_000, rowCharacters: 65_536 } as const;

/** Characters that are read in one turn: about a millisecond. */
const SLICE = 16_384;

/** The text is not an acceptable table. The message says what to change. */
export class TableError extends Error {}

/**
 * Reads the rows of a CSV text; those without any text are left out. It yields to the event loop, and nothing is read
 * ahead of who takes the rows.
 *
 * @throws TableError when the text is not valid CSV, or exceeds `CSV_BOUNDS`.
 */
export async function* readRows(text: string): AsyncGenerator<string[]> {
  const parser = parse({ ...LENIENT, delimiter: delimiterIn(text), max_record_size: CSV_BOUNDS.rowCharacters });
  // What goes wrong in it is thrown where the parser is read.
  pipeline(Readable.from(slicesOf(text)), parser, () => undefined);
  let number = 0;
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      number += 1;
      if (!row.some((cell) => cell !== '')) continue;
      refuseBeyondBounds(row, number);
      yield row;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(number + 1);
    throw new TableError(`The file is not valid CSV: ${error.message}.`);
  }
}

/** Rows between which others get their turn. */
const ROWS_A_TURN = 500;

/**
 * Passes on the rows of a table that is not CSV, as `readRows` does those of one that is.
 *
 * @throws TableError when one exceeds `CSV_BOUNDS`.
 */
export async function* boundedRows(rows: readonly string[][]): AsyncGenerator<string[]> {
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_A_TURN === 0) await setImmediate();
    refuseBeyondBounds(row, index + 1);
    yield row;
  }
}

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += SLICE) {
    yield text.slice(from, from + SLICE);
    await setImmediate();
  }
}

function refuseBeyondBounds(row: readonly string[], number: number): void {
  const { columns, cellCharacters, rowCharacters } = CSV_BOUNDS;
  if (row.length > columns) {
    throw new TableError(
      `Row ${number} has ${row.length} columns; ${columns} are the most. Send only the columns that you need.`,
    );
  }
  const lengths = row.map((cell) => cell.length);
  const longest = Math.max(...lengths);
  if (longest > cellCharacters) {
    const column = lengths.indexOf(longest) + 1;
    throw new TableError(
      `Row ${number} has ${longest} characters in column ${column}; ${cellCharacters} are the most. Shorten it, or send the file without that column.`,
    );
  }
  if (lengths.reduce((sum, length) => sum + length, 0) > rowCharacters) throw tooLong(number);
}

function tooLong(number: number): TableError {
  return new TableError(
    `Row ${number} is longer than ${CSV_BOUNDS.rowCharacters} characters. Send only the columns that you need; a quote that is not closed makes a long row, too.`,
  );
}
