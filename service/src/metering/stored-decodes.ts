import type { VehicleReport } from '@marque/decoder';
import { type RawBuilder, type Selectable, sql } from 'kysely';

import { idRanges, type IdRange, RANGE_ROWS } from '../kernel/db/id-ranges.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';

/** Rows read at a time while something is searched for. */
const PAGE_SIZE = 500;
/**
 * Rows that one search reads, each of which is parsed, and that the database looks at for it; the next page continues
 * from there.
 */
const MOST = { read: 1_000, looked: 50_000, lookedForText: 10_000, lookedForVin: 500_000 };

export const COLUMNS = ['id', 'vin', 'outcome', 'key_id', 'report', 'created_at'] as const;

const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WHOLE_VIN = /^[a-hj-npr-z0-9]{17}$/;

/** A decode that was charged and stored, at full depth: cut the report before it leaves. */
export interface StoredDecode {
  id: string;
  vin: string;
  createdAtMs: number;
  /** Empty: it was made in the portal, or without a key. */
  keyId: string;
  outcome: string;
  report: VehicleReport;
}

/** A filter on decodes. */
export interface DecodeFilter {
  /** Words that the id, VIN, make, model or year must contain, all of them; a whole id is found at any age. */
  search: string;
  /** Empty: decodes made in the portal. */
  keyId?: string | undefined;
  /** A text that the make must contain. */
  make?: string | undefined;
  outcome?: string | undefined;
  fromMs?: number;
  untilMs?: number;
}

/** Part of a list of decodes, newest first. */
export interface DecodePage {
  decodes: StoredDecode[];
  /** The position from which older ones continue; undefined if there are none. */
  olderThan: string | undefined;
}

/** Returns a decode of a subject; undefined: this id does not exist or belongs to another subject. */
export async function findDecode(database: Database, subject: string, id: string): Promise<StoredDecode | undefined> {
  const row = await database.kysely
    .selectFrom('decodes')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('subject', '=', subject)
    .where('charged', '=', 1)
    .executeTakeFirst();
  return row === undefined ? undefined : decodeOf(row);
}

/** Finds a decode that a visitor without a key made since a moment; undefined if there is none of this id. */
export async function findVisitorDecode(
  database: Database,
  id: string,
  sinceMs: number,
): Promise<StoredDecode | undefined> {
  const row = await database.kysely
    .selectFrom('decodes')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('subject', 'like', 'public:%')
    .where('charged', '=', 1)
    .where('created_at', '>=', sinceMs)
    .executeTakeFirst();
  return row === undefined ? undefined : decodeOf(row);
}

/** Finds the last charged decode of a VIN by a subject since a moment; undefined if there is none. */
export async function recentDecode(
  database: Database,
  subject: string,
  { vin, sinceMs }: { vin: string; sinceMs: number },
): Promise<string | undefined> {
  const row = await database.kysely
    .selectFrom('decodes')
    .select('id')
    .where('subject', '=', subject)
    .where('vin', '=', vin)
    .where('charged', '=', 1)
    // Ids begin with their time, and the index is by subject and id.
    .where('id', '>=', leastUuid7(sinceMs))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Lists a subject's decodes that match the filter, newest first. */
export async function listDecodes(
  database: Database,
  subject: string,
  wanted: DecodeFilter & { olderThan: string | undefined; limit: number },
  { turn = anyTurn, most = MOST }: { turn?: NextTurn; most?: typeof MOST } = {},
): Promise<DecodePage> {
  const decodes: StoredDecode[] = [];
  const isForText = wanted.search !== '' || wanted.make !== undefined;
  const mostLooked = WHOLE_VIN.test(wanted.search.toLowerCase())
    ? most.lookedForVin
    : isForText
      ? most.lookedForText
      : most.looked;
  let [read, looked] = [0, 0];
  for await (const page of pagesBelow(database, subject, wanted, turn, wanted.olderThan)) {
    for (const decode of page.decodes) {
      if (decodes.length === wanted.limit) return { decodes, olderThan: decodes.at(-1)?.id };
      decodes.push(decode);
    }
    read += page.read;
    looked += page.looked;
    if (page.olderThan !== undefined && (read >= most.read || looked >= mostLooked)) {
      return { decodes, olderThan: page.olderThan };
    }
  }
  return { decodes, olderThan: undefined };
}

/** Yields a subject's decodes that match the filter, newest first, some at a time. */
export async function* pagesOfDecodes(
  database: Database,
  subject: string,
  wanted: DecodeFilter,
  turn: NextTurn,
): AsyncGenerator<StoredDecode[]> {
  for await (const { decodes } of pagesBelow(database, subject, wanted, turn)) yield decodes;
}

/** Yields the wanted ones among the decodes that are older than one, and how many rows it read and passed for them. */
async function* pagesBelow(
  database: Database,
  subject: string,
  wanted: DecodeFilter,
  turn: NextTurn,
  olderThan?: string,
): AsyncGenerator<DecodePage & { read: number; looked: number }> {
  const search = wanted.search.toLowerCase();
  const words = search.split(/\s+/).filter(Boolean);
  const query = queryOf(database, subject, wanted, words);
  const { fromMs, untilMs } = wanted;
  let ids = database.kysely.selectFrom('decodes').select('id').where('subject', '=', subject);
  if (fromMs !== undefined) ids = ids.where('id', '>=', leastUuid7(fromMs));
  if (untilMs !== undefined) ids = ids.where('id', '<', leastUuid7(untilMs));
  const nthBelow = async (count: number, below: string | undefined): Promise<string | undefined> => {
    const older = below === undefined ? ids : ids.where('id', '<', below);
    return (await older.orderBy('id', 'desc').offset(count).limit(1).executeTakeFirst())?.id;
  };
  const ranges: AsyncIterable<IdRange> | IdRange[] = WHOLE_ID.test(search)
    ? [{ below: olderThan }]
    : idRanges(nthBelow, olderThan, turn);
  for await (const { from, below } of ranges) {
    const within = from === undefined ? query : query.where('id', '>=', from);
    for (let last = below, isFull = true; isFull;) {
      // SQLite answers within this turn of the event loop: without another one, a long download would be one turn.
      await turn();
      const rows = await (last === undefined ? within : within.where('id', '<', last)).execute();
      // PostgreSQL has answered in a turn of its own.
      await turn();
      isFull = rows.length === PAGE_SIZE;
      last = isFull ? rows.at(-1)?.id : from;
      const decodes = rows.map(decodeOf).filter((decode) => holds(decode, words, wanted.make));
      yield { decodes, read: rows.length, looked: isFull ? 0 : RANGE_ROWS, olderThan: last };
    }
  }
}

function queryOf({ engine, kysely }: Database, subject: string, wanted: DecodeFilter, words: readonly string[]) {
  const { keyId, make, outcome, fromMs, untilMs } = wanted;
  let query = kysely
    .selectFrom('decodes')
    .select(COLUMNS)
    .where('subject', '=', subject)
    .where('charged', '=', 1)
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE);
  const [search = '', ...others] = words;
  const isAlone = others.length === 0;
  if (isAlone && WHOLE_ID.test(search)) query = query.where('id', '=', search);
  else if (isAlone && WHOLE_VIN.test(search)) query = query.where('vin', '=', search.toUpperCase());
  else for (const word of words.filter(isPlain)) query = query.where(contains(engine, ['id', 'vin', 'report'], word));
  if (make !== undefined && isPlain(make)) query = query.where(contains(engine, ['report'], make));
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (fromMs !== undefined) query = query.where('id', '>=', leastUuid7(fromMs));
  if (untilMs !== undefined) query = query.where('id', '<', leastUuid7(untilMs));
  if (keyId === '') query = query.where((where) => where.or([where('key_id', 'is', null), where('key_id', '=', '')]));
  else if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  return query;
}

/** Returns true if JSON has the text as it is, and both databases know its other case. */
function isPlain(text: string): boolean {
  return /^[ -~]+$/.test(text) && !/["\\]/.test(text);
}

/**
 * Returns the condition that one of the columns contains a text, in either case: many of the rows in which `holds` finds
 * nothing are then neither read nor parsed.
 */
function contains(engine: Database['engine'], columns: readonly string[], text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[%_]/g, '\\$&')}%`;
  // Without "C", PostgreSQL would ask the rules of a language for each letter.
  const like = (column: string) =>
    engine === 'postgres'
      ? sql`${sql.ref(column)} COLLATE "C" ILIKE ${pattern}`
      : sql`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
  return sql<boolean>`(${sql.join(columns.map(like), sql` OR `)})`;
}

function holds({ id, vin, report }: StoredDecode, words: readonly string[], make: string | undefined): boolean {
  const { modelYear, manufacturer, model } = report;
  if (make !== undefined && manufacturer?.toLowerCase().includes(make.toLowerCase()) !== true) return false;
  const text = [id, vin, modelYear, manufacturer, model].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Returns the decode of a row. */
export function decodeOf(row: Pick<Selectable<Schema['decodes']>, (typeof COLUMNS)[number]>): StoredDecode {
  const report: VehicleReport = JSON.parse(row.report);
  const { id, vin, outcome, key_id: keyId, created_at: createdAtMs } = row;
  return { id, vin, createdAtMs, keyId: keyId ?? '', outcome, report };
}
