import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Row, TableError } from '@marque/catalog/tables';
import { type Kysely, sql } from 'kysely';

import type { Database, Schema } from '../kernel/db/index.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';
import { type Lines, LineWriter } from './reading.ts';

/** The most rows of a page: a reader has one page in memory, however long the file is. */
const PAGE_ROWS = 200;
/** Rows of text after which a page ends, characters. */
const PAGE_CHARACTERS = 32_768;
/** Characters of pages that are stored by one statement, in a turn of its own: some milliseconds on SQLite. */
const STORED_AT_ONCE = 131_072;

/** Some rows of a file, one after the other. */
export interface FilePage {
  /** The number of its first row, from 0, without the header. */
  from: number;
  rows: readonly (readonly string[])[];
  /** The lines of its rows, counted from its first one; null: an earlier version stored the page. */
  lines: Lines | null;
}

/** A stored page. */
export interface StoredPage {
  first_row: number;
  /** In UTF-8, which is more compact in memory than text: that is made when it is stored, page by page. */
  rows: Uint8Array<ArrayBuffer>;
  lines: string;
}

/** A file has more than its workspace has room for. */
export class NoRoomError extends TableError {
  override name = 'NoRoomError';
}

/** Matches files that are there: one without its first page is being removed, see `removeFile`. */
export const IS_THERE = sql<boolean>`EXISTS (
  SELECT 1 FROM vin_file_pages WHERE file_id = vin_files.id AND first_row = 0)`;

const UTF8 = { encoder: new TextEncoder(), decoder: new TextDecoder('utf-8', { ignoreBOM: true }) };

/** Takes the rows of a file one by one, and cuts them into pages. */
export class PageWriter {
  readonly pages: StoredPage[] = [];
  readonly #most: number;
  #rows: string[] = [];
  #lines = new LineWriter();
  #characters = 0;
  #first = 0;
  #stored = 0;

  /** @param most bytes that all pages may have. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** @throws NoRoomError. */
  add({ line, cells }: Row): void {
    const text = JSON.stringify(cells);
    this.#rows.push(text);
    this.#lines.add(line);
    this.#characters += text.length;
    if (this.#stored + this.#characters > this.#most) {
      throw new NoRoomError(`The table takes more than ${this.#most / 1_000_000} MB. Send it in parts.`);
    }
    if (this.#rows.length >= PAGE_ROWS || this.#characters >= PAGE_CHARACTERS) this.end();
  }

  /** Ends the last page. @returns how many rows there were. */
  end(): number {
    if (this.#rows.length === 0) return this.#first;
    const lines = JSON.stringify(this.#lines.breaks);
    const rows = UTF8.encoder.encode(`[${this.#rows.join(',')}]`);
    this.pages.push({ first_row: this.#first, rows, lines });
    this.#stored += rows.length + lines.length;
    this.#first += this.#rows.length;
    this.#rows = [];
    this.#lines = new LineWriter();
    this.#characters = 0;
    return this.#first;
  }
}

/** Returns the size of pages, UTF-8. */
export function bytesOf(pages: readonly StoredPage[]): number {
  return pages.reduce((sum, { rows, lines }) => sum + rows.length + lines.length, 0);
}

/** Returns the rows of a page as text. */
export function rowsText({ rows }: Pick<StoredPage, 'rows'>): string {
  return UTF8.decoder.decode(rows);
}

/** Stores the pages of a new file, some in each turn of the event loop. */
export async function storePages(kysely: Kysely<Schema>, fileId: string, pages: readonly StoredPage[]): Promise<void> {
  let some: StoredPage[] = [];
  let characters = 0;
  for (const [place, page] of pages.entries()) {
    some.push(page);
    characters += page.rows.length;
    if (characters < STORED_AT_ONCE && place < pages.length - 1) continue;
    const values = some.map(
      ({ first_row: first, rows, lines }) => sql`(${fileId}, ${first}, ${rowsText({ rows })}, ${lines})`,
    );
    await sql`INSERT INTO vin_file_pages (file_id, first_row, rows, lines) VALUES ${sql.join(values)}`.execute(kysely);
    [some, characters] = [[], 0];
    await nextTurn();
  }
}

/** Returns the page with a row; undefined: the file has no such row, or is gone. */
export async function pageWith({ kysely }: Database, fileId: string, row: number): Promise<FilePage | undefined> {
  const page = await kysely
    .selectFrom('vin_file_pages')
    .select(['first_row', 'rows', 'lines'])
    .where('file_id', '=', fileId)
    .where('first_row', '<=', row)
    .orderBy('first_row', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (page === undefined) return undefined;
  const rows: string[][] = JSON.parse(page.rows);
  const lines: Lines | null = JSON.parse(page.lines ?? 'null');
  return row < page.first_row + rows.length ? { from: page.first_row, rows, lines } : undefined;
}

/** Returns the error of results whose file was removed meanwhile: they must not end as if they were whole. */
export function removedError(): HttpError {
  return new HttpError(404, 'The file was removed while its results were sent.');
}

/** Yields the pages of a file, each read in a turn of its own, and nothing ahead. */
export async function* pagesOf(database: Database, fileId: string, turn: NextTurn = anyTurn): AsyncGenerator<FilePage> {
  let from = 0;
  for (;;) {
    await turn();
    const page = await pageWith(database, fileId, from);
    if (page === undefined) return;
    // What is done with it is another piece: PostgreSQL has answered in a turn of its own.
    await turn();
    yield page;
    from += page.rows.length;
  }
}

/**
 * Yields the pages with the rows before `end`.
 *
 * @throws HttpError when the file was removed meanwhile.
 */
export async function* pagesTo(
  database: Database,
  fileId: string,
  end: number,
  turn: NextTurn,
): AsyncGenerator<FilePage> {
  let read = 0;
  for await (const page of pagesOf(database, fileId, turn)) {
    if (page.from >= end) return;
    yield page;
    read = page.from + page.rows.length;
  }
  if (read < end) throw removedError();
}
