import { readVin } from '@marque/decoder';

import type { Database } from '../kernel/db/index.ts';

/** Stored decodes that are read: this bounds the cost, however many there are. */
const LOOKED_AT = 2_000;

/** A stored decode. */
export interface RecentDecode {
  id: string;
  vin: string;
  createdAtMs: number;
}

/** The latest decode of each of the VINs that were decoded lately, newest first. */
export async function recentDecodes(database: Database): Promise<RecentDecode[]> {
  const rows = await database.kysely
    .selectFrom('decodes')
    .select(['id', 'vin', 'created_at'])
    // Erased VINs have no serial number, and partial VINs have gaps: they cannot be matched against a pattern.
    .where('vin', 'not like', '%*%')
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
    .execute();
  const seen = new Set<string>();
  const recent: RecentDecode[] = [];
  for (const { id, vin, created_at } of rows) {
    if (seen.has(vin) || readVin(vin).kind === 'malformed') continue;
    seen.add(vin);
    recent.push({ id, vin, createdAtMs: created_at });
  }
  return recent;
}
