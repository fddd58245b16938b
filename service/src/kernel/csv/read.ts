import { type CsvForm, csvFormOf, csvRows, type Row, TableError, tooLongRow } from '@marque/catalog/tables';

import { anyTurn, type NextTurn } from '../limits/loop-turns.ts';

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
export async function* readRows(
  text: string,
  form: CsvForm = csvFormOf(text),
  turn: NextTurn = anyTurn,
): AsyncGenerator<Row[]> {
  for await (const rows of csvRows(slicesOf(text, turn), form, CSV_BOUNDS)) {
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
export async function* boundedRows(
  rows: Iterable<Row> | AsyncIterable<Row>,
  turn: NextTurn,
): AsyncGenerator<readonly Row[]> {
  let some: Row[] = [];
  let [cells, characters] = [0, 0];
  for await (const row of rows) {
    characters += refuseBeyondBounds(row);
    some.push(row);
    cells += row.cells.length;
    if (some.length < ROWS_A_TURN && cells < CELLS_A_TURN && characters < CHARACTERS_A_TURN) continue;
    await turn();
    yield some;
    [some, cells, characters] = [[], 0, 0];
  }
  yield some;
}

async function* slicesOf(text: string, turn: NextTurn): AsyncGenerator<string> {
  for (let from = 0; from < text.length;) {
    await turn();
    const end = endOfSlice(text, from);
    yield text.slice(from, end);
    from = end;
  }
}

/** Returns the end of what is read in a turn: short rows take longer than as many characters of long ones. */
function endOfSlice(text: string, from: number): number {
  const most = Math.min(from + SLICE, text.length);
  let rows = 0;
  for (let place = from; place < most; place++) {
    const code = text.charCodeAt(place);
    if (code === LF || code === CR) rows += 1;
    if (rows >= ROWS_A_TURN) return place + 1;
  }
  return most;
}

const LF = 0x0a;
const CR = 0x0d;

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
