import { type CsvForm, csvFormOf, csvRows, type Row, TableError, tooLongRow } from '@marque/catalog/tables';

import { ownTurn } from '../limits/own-turn.ts';

/**
 * The largest table that a stranger may send. A spreadsheet's cell may have 32,767 characters, a register's table 80
 * columns.
 */
export const CSV_BOUNDS = { columns: 256, cellCharacters: 10_000, rowCharacters: 65_536 } as const;

/** Characters that are read in one turn: about a millisecond, where the rows are not short. */
const SLICE = 16_384;

/**
 * Reads the rows of a CSV text, some at a time; those without any text are left out. It yields to the event loop, and
 * nothing is read ahead of who takes the rows.
 *
 * @throws TableError when the text is not valid CSV, or exceeds `CSV_BOUNDS`.
 */
export async function* readRows(text: string, form: CsvForm = csvFormOf(text)): AsyncGenerator<Row[]> {
  for await (const rows of csvRows(slicesOf(text), form, CSV_BOUNDS)) {
    rows.forEach(refuseBeyondBounds);
    yield rows;
  }
}

/** Rows, and cells and characters of them, between which others get their turn. */
const ROWS_A_TURN = 500;
const CELLS_A_TURN = 10_000;
const CHARACTERS_A_TURN = 65_536;

/**
 * Passes on the rows of a table that is not CSV, as `readRows` does those of one that is.
 *
 * @throws TableError when one exceeds `CSV_BOUNDS`.
 */
export async function* boundedRows(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let some: Row[] = [];
  let [cells, characters] = [0, 0];
  for await (const row of rows) {
    characters += refuseBeyondBounds(row);
    some.push(row);
    cells += row.cells.length;
    if (some.length < ROWS_A_TURN && cells < CELLS_A_TURN && characters < CHARACTERS_A_TURN) continue;
    await ownTurn();
    yield some;
    [some, cells, characters] = [[], 0, 0];
  }
  yield some;
}

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length;) {
    const end = endOfSlice(text, from);
    yield text.slice(from, end);
    await ownTurn();
    from = end;
  }
}

function endOfSlice(text: string, from: number): number {
  let end = from;
  for (let lines = 0; lines < ROWS_A_TURN; lines++) {
    end = text.indexOf('\n', end) + 1;
    if (end === 0 || end > from + SLICE) return from + SLICE;
  }
  return end;
}

/** Returns the number of characters of a row. @throws TableError when it exceeds `CSV_BOUNDS`. */
function refuseBeyondBounds({ line, cells }: Row): number {
  const { columns, cellCharacters, rowCharacters } = CSV_BOUNDS;
  if (cells.length > columns) {
    throw new TableError(
      `Row ${line} has ${cells.length} columns; ${columns} are the most. Send only the columns that you need.`,
    );
  }
  const lengths = cells.map((cell) => cell.length);
  const longest = Math.max(...lengths);
  if (longest > cellCharacters) {
    const column = lengths.indexOf(longest) + 1;
    throw new TableError(
      `Row ${line} has ${longest} characters in column ${column}; ${cellCharacters} are the most. Shorten it, or send the file without that column.`,
    );
  }
  const characters = lengths.reduce((sum, length) => sum + length, 0);
  if (characters > rowCharacters) throw tooLongRow(line, rowCharacters);
  return characters;
}
