import {
  csvFormSteps,
  type Layout,
  layoutSteps,
  LOOKED_AT,
  resultDelimiter,
  type Row,
  type Steps,
  TableError,
  type TableLayout,
} from '@marque/catalog/tables';

import { boundedRows, CSV_BOUNDS, readRows } from '../kernel/csv/read.ts';
import { anyTurn, type NextTurn, takeSteps } from '../kernel/limits/loop-turns.ts';
import { NoRoomError, PageWriter, type StoredPage } from './file-pages.ts';
import type { Reading } from './reading.ts';

/** The contents of a file. */
export interface FileRead {
  kind: 'read';
  layout: TableLayout;
  /** The delimiter for its results. */
  delimiter: string;
  /** Columns of its widest row. */
  width: number;
  /** Rows of data. */
  count: number;
  pages: readonly StoredPage[];
  reading: Reading;
}

/**
 * The content of a file: typed text, text with lines or CSV in an encoding, the rows of a table of another form, or a
 * table that has been read.
 */
export type FileContent =
  | string
  | { kind: 'text'; text: string; encoding: string }
  | ({ kind: 'rows'; rows: Iterable<Row> | AsyncIterable<Row>; names?: readonly string[] } & Reading)
  | FileRead;

const EMPTY = 'The file is empty. Choose or send one with VINs, or paste VINs.';

/**
 * Reads a file once, and stops as soon as it is too large or turns out to have no VINs.
 *
 * @param most what it may have: rows, and bytes of its pages.
 * @param turn waits for the turn of each piece of it, and throws when the sender has disconnected.
 * @throws NoRoomError when more would be stored.
 */
export async function readFile(
  content: FileContent,
  column: string,
  most: { rows: number; bytes: number },
  turn: NextTurn = anyTurn,
): Promise<FileRead | { kind: 'refused'; message: string }> {
  if (typeof content === 'object' && content.kind === 'read') return content;
  // Decoding ten million bytes is a turn of the event loop.
  await turn();
  const { batches, delimiter } = await tableIn(content, turn);
  const names = namesOf(content);
  const table = new Table(column, names, most.bytes);
  try {
    if (names !== undefined) refuseLongNames(names);
    for await (const rows of batches) {
      for (const row of rows) {
        table.add(row);
        if (table.isShown) await takeSteps(table.begin(), turn);
      }
      if (table.rows > most.rows + LOOKED_AT || table.layout?.kind === 'not-found') break;
    }
  } catch (error) {
    if (error instanceof TableError && !(error instanceof NoRoomError))
      return { kind: 'refused', message: error.message };
    throw error;
  }
  if (table.rows === 0) return { kind: 'refused', message: EMPTY };
  const layout = table.layout ?? (await takeSteps(table.begin(), turn));
  const { count, pages } = table.end();
  if (layout.kind === 'not-found') return { kind: 'refused', message: layout.message };
  if (count > most.rows) return { kind: 'refused', message: tooManyRows(most.rows) };
  if (count === 0)
    return { kind: 'refused', message: 'The file has names of columns and no rows below them. Send the rows as well.' };
  return { kind: 'read', layout, delimiter, width: table.width, count, pages, reading: readingOf(content) };
}

/** Refuses names of columns that are longer than a row: each line of the results has them. */
function refuseLongNames(names: readonly string[]): void {
  const { cellCharacters, rowCharacters } = CSV_BOUNDS;
  const lengths = names.map(({ length }) => length);
  const characters = lengths.reduce((sum, length) => sum + length, 0);
  if (characters <= rowCharacters && lengths.every((length) => length <= cellCharacters)) return;
  throw new TableError(
    `The names of the columns have ${characters} characters; ${cellCharacters} of one and ${rowCharacters} of all are the most. Shorten them, or send only the columns that you need.`,
  );
}

export function tooManyRows(mostRows: number): string {
  return `A file has at most ${mostRows} rows; this one has more. Send it in parts.`;
}

/** Returns the rows of a file, and the delimiter for its results. */
async function tableIn(
  content: Exclude<FileContent, FileRead>,
  turn: NextTurn,
): Promise<{
  batches: AsyncIterable<readonly Row[]>;
  delimiter: string;
}> {
  if (typeof content === 'object' && content.kind === 'rows')
    return { batches: boundedRows(content.rows, turn), delimiter: ',' };
  const sent = typeof content === 'string' ? content : content.text;
  const text = sent.includes('\0') ? await takeSteps(withoutNul(sent), turn) : sent;
  const form = await takeSteps(csvFormSteps(text), turn);
  return { batches: readRows(text, form, turn), delimiter: resultDelimiter(form) };
}

/** Characters of which NUL is taken out in a turn. */
const PIECE = 262_144;

/** Takes NUL out of a text in steps: PostgreSQL cannot store it, and no VIN has one. */
function* withoutNul(text: string): Steps<string> {
  const parts: string[] = [];
  for (let from = 0; from < text.length; from += PIECE) {
    yield;
    parts.push(text.slice(from, from + PIECE).replaceAll('\0', ''));
  }
  return parts.join('');
}

function namesOf(content: Exclude<FileContent, FileRead>): readonly string[] | undefined {
  return typeof content === 'object' && content.kind === 'rows' ? content.names : undefined;
}

function readingOf(content: Exclude<FileContent, FileRead>): Reading {
  if (typeof content === 'string') return { form: 'CSV' };
  if (content.kind === 'text') return { form: 'CSV', encoding: content.encoding };
  const { form, encoding, sheet, kinds } = content;
  return {
    form,
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(kinds === undefined ? {} : { kinds }),
  };
}

/** Rows, of up to 65,536 characters each, that are written in a turn of the event loop. */
const WRITTEN_A_STEP = 10;

/** The rows of a file. The first rows wait until they show which column has the VINs. */
class Table {
  rows = 0;
  width = 0;
  layout: Layout | undefined;
  readonly #column: string;
  readonly #names: readonly string[] | undefined;
  readonly #first: Row[] = [];
  readonly #writer: PageWriter;

  constructor(column: string, names: readonly string[] | undefined, mostBytes: number) {
    this.#writer = new PageWriter(mostBytes);
    this.#column = column;
    this.#names = names;
    this.width = names?.length ?? 0;
  }

  add(row: Row): void {
    this.rows += 1;
    if (this.layout === undefined) this.#first.push(row);
    else this.#write(row);
  }

  /** True once there are enough rows to find the layout, as long as nobody has. */
  get isShown(): boolean {
    return this.layout === undefined && this.#first.length >= LOOKED_AT;
  }

  /** Finds the layout, and writes the rows that waited for it. */
  *begin(): Steps<Layout> {
    const layout = yield* layoutSteps(
      this.#first.map(({ cells }) => cells),
      this.#column,
      this.#names,
    );
    this.layout = layout;
    if (layout.kind === 'not-found') return layout;
    this.width = Math.max(this.width, layout.names?.length ?? 0);
    for (const [index, row] of this.#first.slice(layout.firstRow).entries()) {
      if (index % WRITTEN_A_STEP === WRITTEN_A_STEP - 1) yield;
      this.#write(row);
    }
    return layout;
  }

  end() {
    return { count: this.#writer.end(), pages: this.#writer.pages };
  }

  #write(row: Row): void {
    this.width = Math.max(this.width, row.cells.length);
    this.#writer.add(row);
  }
}
