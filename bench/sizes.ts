import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';

import { type Database, openDatabase } from '../service/dist/platform/db/index.js';
import { newDecodeId, openMeter } from '../service/dist/features/usage/index.js';
import { PostgresCluster } from '../service/dist/testing/postgres-cluster.js';
import type { Ratio } from './ratio.ts';

export const name = 'sizes';
export const title =
  'What a stored decode takes on PostgreSQL, as their number grows (reports of 667 bytes, 10,000 workspaces)';

const STEPS = [50_000, 100_000, 200_000];
const BATCH = 500;
const WORKSPACES = 10_000;
const REPORT_BYTES = 667;
const REPORT = JSON.stringify({ filler: 'x'.repeat(REPORT_BYTES - '{"filler":""}'.length) });

interface Bytes {
  table: number;
  indexes: number;
}

/** Stores decodes as charges do, and asks the server what they take. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const cluster = await PostgresCluster.start();
  const database = await openDatabase({ dataDir, databaseUrl: cluster.url() }, 'service');
  const sizes: Bytes[] = [];
  let stored = 0;
  try {
    for (const rows of STEPS) {
      await store(database, stored, rows);
      stored = rows;
      const bytes = await bytesARow(database, rows);
      sizes.push(bytes);
      print(
        `${rows} rows`.padEnd(14) + `table ${bytes.table.toFixed(0)} bytes a row, indexes ${bytes.indexes.toFixed(0)}`,
      );
    }
  } finally {
    await database.close();
    await cluster.remove();
    rmSync(dataDir, { recursive: true });
  }
  const [first, last] = [sizes[0], sizes.at(-1)].map((bytes) => (bytes?.table ?? 0) + (bytes?.indexes ?? 0));
  const what = 'Bytes a stored decode takes among 200,000, PostgreSQL';
  return [{ what, beside: 'among 50,000', ratio: (last ?? 0) / (first ?? 1), aim: '1.00' }];
}

async function store(database: Database, from: number, to: number): Promise<void> {
  const meter = openMeter(database, Date.now);
  for (let first = from; first < to; first += BATCH) {
    const charges = Array.from({ length: BATCH }, async (_, index) => {
      const workspaceId = `w${((first + index) * 7919) % WORKSPACES}`;
      const caller = { kind: 'subscriber', workspaceId, slug: '', plan: 'free', limit: null, keyId: 'k' } as const;
      const id = newDecodeId(Date.now());
      return meter.charge(caller, { id, vin: '1HGCM82633A004352', outcome: 'identified', report: REPORT });
    });
    for (const { kind } of await Promise.all(charges)) if (kind !== 'granted') throw new Error(kind);
  }
  await meter.close();
}

/** Of all partitions together. */
async function bytesARow({ kysely }: Database, rows: number): Promise<Bytes> {
  const asked = sql<{ table_bytes: string; index_bytes: string }>`
    SELECT sum(pg_table_size(inhrelid)) AS table_bytes, sum(pg_indexes_size(inhrelid)) AS index_bytes
    FROM pg_inherits WHERE inhparent = 'decodes'::regclass`;
  const { rows: found } = await asked.execute(kysely);
  return { table: Number(found[0]?.table_bytes) / rows, indexes: Number(found[0]?.index_bytes) / rows };
}
