import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Kysely, sql } from 'kysely';

import type { Database, Schema } from '../kernel/db/index.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';

/** The most rows of a page: a reader has one page in memory, however long the file is. */
const PAGE_ROWS = 200;
/** Rows of text after which a page ends, characters. */
const PAGE_CHARACTERS = 65_536;
/** Characters of pages that are stored by one statement, in a turn of its own: some milliseconds on SQLite. */
const STORED_AT_ONCE = 131_072;

/** Some rows of a file, one after the other. */
interface FilePage {
  /** The number of its first row, from 0, without the header. */
  from: number;
  rows: readonly (readonly string[])[];
}

/** A stored page. */
export interface StoredPage {
  first_row: number;
  rows: string;
}

/** A file has more than its workspace has room for. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

/** Takes the rows of a file one by one, and cuts them into pages. */
export class PageWriter {
  readonly pages: StoredPage[] = [];
  readonly #most: number;
  #rows: string[] = [];
  #characters = 0;
  #first = 0;
  #stored = 0;

  /** @param most characters that all pages may have. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** @throws NoRoomError. */
  add(row: readonly string[]): void {
    const text = JSON.stringify(row);
    this.#rows.push(text);
    this.#characters += text.length;
    this.#stored += text.length;
    if (this.#stored > this.#most) throw new NoRoomError();
    if (this.#rows.length >= PAGE_ROWS || this.#characters >= PAGE_CHARACTERS) this.end();
  }

  /** Ends the last page. @returns how many rows there were. */
  end(): number {
    if (this.#rows.length === 0) return this.#first;
    this.pages.push({ first_row: this.#first, rows: `[${this.#rows.join(',')}]` });
    this.#first += this.#rows.length;
    this.#rows = [];
    this.#characters = 0;
    return this.#first;
  }
}

/** Stores the pages of a new file, some in each turn of the event loop. */
export async function storePages(kysely: Kysely<Schema>, fileId: string, pages: readonly StoredPage[]): Promise<void> {
  let some: StoredPage[] = [];
  let characters = 0;
  for (const [place, page] of pages.entries()) {
    some.push(page);
    characters += page.rows.length;
    if (characters < STORED_AT_ONCE && place < pages.length - 1) continue;
    const values = some.map(({ first_row: first, rows }) => sql`(${fileId}, ${first}, ${rows})`);
    await sql`INSERT INTO vin_file_pages (file_id, first_row, rows) VALUES ${sql.join(values)}`.execute(kysely);
    [some, characters] = [[], 0];
    await nextTurn();
  }
}

/** Returns the page with a row; undefined: the file has no such row, or is gone. */
export async function pageWith({ kysely }: Database, fileId: string, row: number): Promise<FilePage | undefined> {
  const page = await kysely
    .selectFrom('vin_file_pages')
    .select(['first_row', 'rows'])
    .where('file_id', '=', fileId)
    .where('first_row', '<=', row)
    .orderBy('first_row', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (page === undefined) return undefined;
  const rows: string[][] = JSON.parse(page.rows);
  return row < page.first_row + rows.length ? { from: page.first_row, rows } : undefined;
}

/** Yields the pages of a file, each read in a turn of its own, and nothing ahead. */
export async function* pagesOf(database: Database, fileId: string, turn: NextTurn = anyTurn): AsyncGenerator<FilePage> {
  let from = 0;
  for (;;) {
    await turn();
    const page = await pageWith(database, fileId, from);
    if (page === undefined) return;
    yield page;
    from += page.rows.length;
  }
}
