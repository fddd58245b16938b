import { setImmediate } from 'node:timers/promises';

import { CsvError, type Options, Parser } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';

import { layoutSteps } from './layout.ts';
import { endOf, type Steps } from './steps.ts';
import { TableError } from './table-error.ts';

/** Options for reading strangers' files: RFC 4180, with the deviations of spreadsheets and people. */
export const LENIENT = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
} as const satisfies Options;

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * R's `write.table` puts a space between cells, and names of columns and rows in quotes. Else a space is a part of a
 * text.
 */
const SPACE = ' ';
const FORM_OF_R = /^\uFEFF?"[^"\r\n]*"(?: "[^"\r\n]*")*(?:\r\n|\r|\n)"[^"\r\n]*" /;
/** A quote within a cell, as R writes it by default. No other writer has it: such a text is read as one column. */
const QUOTE_OF_R = '\\"';

/** The characters of the beginning from which the delimiter is recognized. */
const SAMPLED = 32_768;
const SAMPLED_ROWS = 30;
/**
 * The first cells of a row: the search for the column of VINs takes as long as there are columns, for each delimiter.
 */
const SAMPLED_CELLS = 256;

/** Matches Excel's own line that names the delimiter. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=(.)"?[ ,;\t]*(?:\r\n|\r|\n|$)/i;

/** Returns the delimiter of the results of a text: what others read as well. */
export function resultDelimiter({ delimiter }: Pick<CsvForm, 'delimiter'>): string {
  return delimiter === SPACE ? ',' : delimiter;
}

/** The rules for cutting a text into cells. */
export interface CsvForm {
  delimiter: string;
  /** Characters at the beginning that belong to no row: Excel's line with the delimiter. */
  skipped: number;
  /** The lines of these characters. */
  skippedLines: number;
}

/**
 * Finds the delimiter: the one that Excel's line names, else the one that makes VINs of cells, else the commonest in
 * the first rows.
 *
 * @param beginning of the text; its last line may be cut off.
 */
export function csvFormOf(beginning: string): CsvForm {
  return endOf(csvFormSteps(beginning));
}

/** Finds it in steps. */
export function* csvFormSteps(beginning: string): Steps<CsvForm> {
  const sample = beginning.slice(0, SAMPLED);
  const named = SEPARATOR_LINE.exec(sample);
  if (named !== null) return { delimiter: named[1] ?? ',', skipped: named[0].length, skippedLines: 1 };
  const possible = FORM_OF_R.test(sample) && !sample.includes(QUOTE_OF_R) ? [...DELIMITERS, SPACE] : DELIMITERS;
  const scores: number[] = [];
  for (const delimiter of possible) {
    yield;
    scores.push(yield* scoreOf(sample, delimiter));
  }
  const delimiter = possible[scores.indexOf(Math.max(...scores))] ?? ',';
  return { delimiter, skipped: 0, skippedLines: 0 };
}

/** Scores a delimiter: cells that are VINs count most, then the cells of the first row. */
function* scoreOf(sample: string, delimiter: string): Steps<number> {
  const rows = firstRows(sample, delimiter);
  yield;
  const layout = yield* layoutSteps(
    rows.map((row) => row.slice(0, SAMPLED_CELLS)),
    '',
  );
  const column = layout.kind === 'found' ? layout.column : -1;
  const whole = rows.filter((row) => WHOLE.test((row[column] ?? '').trim())).length;
  return whole * 1_000_000 + (rows[0]?.length ?? 0);
}

const WHOLE = /^[A-HJ-NPR-Z0-9]{17}$/i;

/** Returns the first rows of a text, however it goes on. */
function firstRows(sample: string, delimiter: string): string[][] {
  try {
    const options = { ...LENIENT, delimiter, skip_empty_lines: true, to: SAMPLED_ROWS, relax_quotes: true };
    return parseNow(sample, { ...options, skip_records_with_error: true });
  } catch {
    return [];
  }
}

/** A row of a table, and the line of the file that it begins on, from 1. */
export interface Row {
  line: number;
  cells: string[];
}

/** The longest row, in characters; without a bound a quote that is never closed would fill the memory. */
export interface CsvBounds {
  rowCharacters: number;
}

/** Characters or bytes that a row within the bounds may have for each of its characters: UTF-8 takes three. */
export const LONGEST_OPEN = 3;

/**
 * Reads the rows of a CSV text as it comes, blank ones left out. Passes on the rows of each chunk together, and reads
 * nothing ahead.
 *
 * @param chunks text, or its UTF-8; without what `form` skips.
 * @throws TableError when the text is not valid CSV, or a row is longer than the bounds.
 */
export async function* csvRows(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  { delimiter, skipped, skippedLines }: CsvForm,
  bounds: CsvBounds,
): AsyncGenerator<Row[]> {
  const parser = new Parser({ ...LENIENT, delimiter, max_record_size: bounds.rowCharacters });
  takeEveryWidth(parser);
  let failed: Error | undefined;
  parser.on('error', (error) => (failed = error));
  const lines = new RowLines(skippedLines + 1);
  let left = skipped;
  // Characters or bytes since the last row that has ended: the parser counts neither delimiters nor quotes.
  let open = 0;
  for await (const chunk of chunks) {
    const rest = left === 0 ? chunk : chunk.slice(left);
    left = 0;
    if (rest.length > 0) parser.write(rest);
    const first = lines.next;
    yield takeRows(parser, lines);
    if (failed !== undefined) throw failureOf(failed, lines.next, bounds);
    open = lines.next === first ? open + rest.length : 0;
    if (open > LONGEST_OPEN * bounds.rowCharacters) throw tooLongRow(lines.next, bounds.rowCharacters);
  }
  parser.end();
  yield takeRows(parser, lines);
  // An error at the end is reported in the next turn.
  await setImmediate();
  if (failed !== undefined) throw failureOf(failed, lines.next, bounds);
}

/**
 * Lets rows have as many cells as they like. For a row that is not as wide as the first, also for a blank one, csv-parse
 * makes an error with a stack, which `relax_column_count` then ignores: 30 times the time of the row. The width that it
 * expects is that of the last row as long as it counts no rows.
 */
function takeEveryWidth({ info }: Parser): void {
  Object.defineProperty(info, 'records', { get: () => 0, set: () => {} });
}

/** Returns the rows that the parser has completed, with their lines. */
function takeRows(parser: Parser, lines: RowLines): Row[] {
  const rows: Row[] = [];
  for (let cells: string[] | null = parser.read(); cells !== null; cells = parser.read()) {
    const row = lines.rowOf(cells);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

const LINE_END = /\r\n|\n|\r/;

/** Counts the lines of rows. */
export class RowLines {
  /** The line that the next row begins on. */
  next: number;

  constructor(first: number) {
    this.next = first;
  }

  /** Returns the next row with its line; undefined: it is blank. */
  rowOf(cells: string[]): Row | undefined {
    const line = this.next;
    this.next += 1;
    let isFilled = false;
    for (const cell of cells) {
      if (cell === '') continue;
      isFilled = true;
      if (cell.includes('\n') || cell.includes('\r')) this.next += cell.split(LINE_END).length - 1;
    }
    return isFilled ? { line, cells } : undefined;
  }
}

/** Returns an error of the parser in words for the sender of the text. */
export function failureOf(error: Error, line: number, { rowCharacters }: CsvBounds): Error {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLongRow(line, rowCharacters);
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new TableError(
      `The file is not valid CSV: the row at line ${line} has a quote that is not closed. Close it.`,
    );
  }
  return new TableError(`The file is not valid CSV at line ${line}: ${error.message}.`);
}

/** Returns a row that no table of vehicles has. */
export function tooLongRow(line: number, characters: number): TableError {
  return new TableError(
    `Row ${line} is longer than ${characters} characters. Send only the columns that you need; a quote that is not closed makes a long row, too.`,
  );
}
