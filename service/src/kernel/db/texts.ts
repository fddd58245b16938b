import { setImmediate as nextTurn } from 'node:timers/promises';

import { type RawBuilder, sql } from 'kysely';

import { byteOf, formsOf } from '../mask-vin.ts';
import { tablesOf } from './backup/format.ts';
import { withLongTimeout } from './batches.ts';
import type { Database } from './open.ts';

/** Rows read at once: some have a hundred kilobytes. */
const PAGE = 200;

/** A column of a table, as the database describes it. */
interface Described {
  name: string;
  type: string;
  /** Its place in the primary key, from 1; 0: it is not in it. */
  pk: number;
}

/** A row whose texts match. */
export interface TextRow {
  table: string;
  /** The values of the primary key, by column. */
  key: Readonly<Record<string, unknown>>;
  /** The values of all columns of text, by column. */
  texts: Readonly<Record<string, string | null>>;
}

/**
 * Yields the rows of every table that may contain a text, however many characters that are not letters or digits are
 * between its own. On SQLite others may be between them as well, so the caller looks again.
 *
 * @param except tables that are not read.
 */
export async function* rowsWithText(
  database: Database,
  characters: string,
  except: readonly string[],
): AsyncGenerator<TextRow> {
  for (const table of await tablesOf(database)) {
    if (except.includes(table)) continue;
    const columns = await columnsOf(database, table);
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    const texts = columns.filter(({ type }) => /^text$/i.test(type));
    if (key.length === 0 || texts.length === 0) continue;
    yield* rowsOf(database, table, { key, texts, characters });
  }
}

/** Changes texts of a row, unless they have changed since they were read. @returns whether it did. */
export async function replaceTexts(
  { kysely }: Pick<Database, 'kysely'>,
  { table, key, texts }: TextRow,
  changed: Readonly<Record<string, string>>,
): Promise<boolean> {
  const names = Object.keys(changed);
  const set = names.map((name) => sql`${sql.id(name)} = ${changed[name]}`);
  const same = names.map((name) => sql`${sql.id(name)} = ${texts[name]}`);
  const at = Object.entries(key).map(([name, value]) => sql`${sql.id(name)} = ${value}`);
  const { numAffectedRows = 0n } = await sql`
    UPDATE ${sql.table(table)} SET ${sql.join(set)} WHERE ${sql.join([...at, ...same], sql` AND `)}`.execute(kysely);
  return numAffectedRows > 0n;
}

async function columnsOf({ engine, kysely }: Database, table: string): Promise<Described[]> {
  const query =
    engine === 'sqlite'
      ? sql<Described>`SELECT name, type, pk FROM pragma_table_info(${table})`
      : sql<Described>`
        SELECT attname AS name, format_type(atttypid, NULL) AS type,
          coalesce(array_position(indkey::smallint[], attnum) + 1, 0)::integer AS pk
        FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
        WHERE attrelid = to_regclass(${table}) AND attnum > 0 AND NOT attisdropped`;
  return (await query.execute(kysely)).rows;
}

interface Wanted {
  key: readonly Described[];
  texts: readonly Described[];
  characters: string;
}

async function* rowsOf(database: Database, table: string, { key, texts, characters }: Wanted): AsyncGenerator<TextRow> {
  const keys = sql.join(key.map(({ name }) => sql.id(name)));
  const columns = sql.join([...new Set([...key, ...texts].map(({ name }) => name))].map((name) => sql.id(name)));
  const isFound = sql.join(
    texts.map(({ name }) => matches(database, name, characters)),
    sql` OR `,
  );
  let after: unknown[] | undefined;
  for (;;) {
    const isLater = after === undefined ? sql`` : sql`AND (${keys}) > (${sql.join(after)})`;
    const query = sql<Record<string, unknown>>`
      SELECT ${columns} FROM ${sql.table(table)} WHERE (${isFound}) ${isLater} ORDER BY ${keys} LIMIT ${PAGE}`;
    const { rows } = await withLongTimeout(database, (kysely) => query.execute(kysely));
    for (const row of rows) {
      const text = texts.map(({ name }) => [name, typeof row[name] === 'string' ? row[name] : null]);
      yield {
        table,
        key: Object.fromEntries(key.map(({ name }) => [name, row[name]])),
        texts: Object.fromEntries(text),
      };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = key.map(({ name }) => last[name]);
    await nextTurn();
  }
}

/** Anything between two characters of a VIN, or its bytes, as a regular expression of PostgreSQL. */
const BETWEEN = String.raw`(?:[^[:alnum:]]|\\[bfnrt]|\\u[0-9a-fA-F]{4}|0?x)*`;

/**
 * Returns the condition that a column contains the characters, in any case and style, or their bytes in hexadecimal.
 * They are letters and digits; in JSON an escape may stand between them.
 */
function matches({ engine }: Database, column: string, characters: string): RawBuilder<boolean> {
  const ways = [Array.from(characters, (each) => `[${formsOf(each)}]`), Array.from(characters, byteOf)];
  const conditions = ways.map((written) =>
    engine === 'sqlite'
      ? sql<boolean>`${sql.id(column)} GLOB ${`*${written.join('*')}*`}`
      : sql<boolean>`${sql.id(column)} ~ ${written.join(BETWEEN)}`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
}
