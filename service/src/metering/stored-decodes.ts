import type { VehicleReport } from '@marque/decoder';

import { leastDecodeId } from '../kernel/db/decode-id.ts';
import type { Database } from '../kernel/db/index.ts';

/** Rows read at a time while something is searched for. */
const PAGE_SIZE = 500;
/** Rows that one search looks at; the next page continues from there. */
const MOST_SEARCHED = 5_000;

/** A decode that was charged and stored, at full depth: cut the report before it leaves. */
export interface StoredDecode {
  id: string;
  vin: string;
  createdAtMs: number;
  report: VehicleReport;
}

/** Part of a list of decodes, newest first. */
export interface DecodePage {
  decodes: StoredDecode[];
  /** Where older ones begin; undefined: there are none. */
  olderThan: string | undefined;
}

/** A decode of a subject; undefined: this id does not exist or belongs to another subject. */
export async function findDecode(database: Database, subject: string, id: string): Promise<StoredDecode | undefined> {
  const row = await database.kysely
    .selectFrom('decodes')
    .select(['id', 'vin', 'report', 'created_at'])
    .where('id', '=', id)
    .where('subject', '=', subject)
    .where('charged', '=', 1)
    .executeTakeFirst();
  return row === undefined ? undefined : decodeOf(row);
}

/** A decode that somebody without a key made since a moment; undefined: there is none of this id. */
export async function findVisitorDecode(
  database: Database,
  id: string,
  sinceMs: number,
): Promise<StoredDecode | undefined> {
  const row = await database.kysely
    .selectFrom('decodes')
    .select(['id', 'vin', 'report', 'created_at'])
    .where('id', '=', id)
    .where('subject', 'like', 'public:%')
    .where('charged', '=', 1)
    .where('created_at', '>=', sinceMs)
    .executeTakeFirst();
  return row === undefined ? undefined : decodeOf(row);
}

/** The last charged decode of a VIN by a subject since a moment; undefined: there is none. */
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
    // Ids begin with their time, and the index goes by subject and id.
    .where('id', '>=', leastDecodeId(sinceMs))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** A subject's decodes, newest first, of those that hold every word of `search` in VIN, make, model, or year. */
export async function listDecodes(
  database: Database,
  subject: string,
  wanted: { search: string; olderThan: string | undefined; limit: number },
): Promise<DecodePage> {
  const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean);
  const decodes: StoredDecode[] = [];
  let olderThan = wanted.olderThan;
  for (let searched = 0; searched < MOST_SEARCHED; searched += PAGE_SIZE) {
    const rows = await rowsBefore(database, subject, olderThan);
    for (const row of rows) {
      const decode = decodeOf(row);
      if (!holds(decode, words)) continue;
      if (decodes.length === wanted.limit) return { decodes, olderThan: decodes.at(-1)?.id };
      decodes.push(decode);
    }
    if (rows.length < PAGE_SIZE) return { decodes, olderThan: undefined };
    olderThan = rows.at(-1)?.id;
  }
  return { decodes, olderThan };
}

async function rowsBefore(database: Database, subject: string, olderThan: string | undefined) {
  const query = database.kysely
    .selectFrom('decodes')
    .select(['id', 'vin', 'report', 'created_at'])
    .where('subject', '=', subject)
    .where('charged', '=', 1)
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE);
  return (olderThan === undefined ? query : query.where('id', '<', olderThan)).execute();
}

function holds({ vin, report }: StoredDecode, words: readonly string[]): boolean {
  const text = [vin, report.modelYear, report.manufacturer, report.model].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function decodeOf(row: { id: string; vin: string; report: string; created_at: number }): StoredDecode {
  const report: VehicleReport = JSON.parse(row.report);
  return { id: row.id, vin: row.vin, createdAtMs: row.created_at, report };
}
