import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';

import { openDatabase } from '../service/dist/database.js';
import type { Database } from '../service/dist/kernel/db/index.js';
import { newUuid7 } from '../service/dist/kernel/db/uuid7.js';
import { openMeter } from '../service/dist/metering/index.js';
import { PostgresCluster } from '../service/dist/testing/postgres-cluster.js';
import type { Ratio } from './ratio.ts';

export const name = 'sizes';
export const title =
  'What a stored decode and a charge take on PostgreSQL, as decodes grow in number (reports of 667 bytes, 10,000 workspaces)';

const STEPS = [100_000, 300_000, 1_000_000];
/** Rows that one statement stores. */
const FILL = 20_000;
const WORKSPACES = 10_000;
const REPORT = JSON.stringify({ filler: 'x'.repeat(667 - '{"filler":""}'.length) });
const BATCH = 50;
const CHARGES = 10_000;
/** The workspaces that are charged, one after another. */
const CHARGED = Array.from({ length: CHARGES }, () => randomUUID());

interface Step {
  rows: number;
  tableBytes: number;
  indexBytes: number;
  chargeUs: number;
}

/** Fills the table, measures the server's questions, and charges: the time of a charge should not grow either. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  // As on a real server, whose autovacuum cleans up after charges.
  const cluster = await PostgresCluster.start({ settings: ['autovacuum=on'] });
  const database = await openDatabase({ dataDir, databaseUrl: cluster.url() }, 'service');
  const steps: Step[] = [];
  let stored = 0;
  try {
    // The first charge of a workspace makes its counter; the others raise it.
    await timeOfCharge(database);
    stored += CHARGES;
    for (const rows of STEPS) {
      for (; stored < rows; stored += FILL) await fill(database, stored);
      const chargeUs = await timeOfCharge(database);
      stored += CHARGES;
      const step = { rows, ...(await bytesARow(database, stored)), chargeUs };
      steps.push(step);
      print(
        `${rows.toLocaleString('en')} rows`.padEnd(16) +
          `table ${step.tableBytes.toFixed(0)} bytes a row, indexes ${step.indexBytes.toFixed(0)}, ` +
          `${chargeUs.toFixed(0)} us a charge in batches of ${BATCH}`,
      );
    }
  } finally {
    await database.close();
    await cluster.remove();
    rmSync(dataDir, { recursive: true });
  }
  const ratio = (of: (step: Step) => number): number => {
    const [first, last] = [steps[0], steps.at(-1)].map((step) => (step === undefined ? 0 : of(step)));
    return (last ?? 0) / (first ?? 1);
  };
  const beside = 'among 100,000';
  return [
    {
      what: 'Bytes a stored decode takes among 1,000,000, PostgreSQL',
      beside,
      ratio: ratio(({ tableBytes, indexBytes }) => tableBytes + indexBytes),
      aim: '1.00',
    },
    { what: 'Time of a charge among 1,000,000, PostgreSQL', beside, ratio: ratio(({ chargeUs }) => chargeUs) },
  ];
}

/** Stores decodes of many workspaces as charges do, with ids in the order of time. */
async function fill({ kysely }: Database, from: number): Promise<void> {
  const firstMs = Date.now() - FILL;
  await sql`
    INSERT INTO decodes (id, subject, key_id, vin, outcome, report, charged, created_at)
    SELECT substr(ms, 1, 8) || '-' || substr(ms, 9) || '-7' || substr(rest, 1, 3) || '-8' || substr(rest, 4, 3) || '-' || substr(rest, 7, 12),
      'workspace:' || md5((row * 7919 % ${WORKSPACES}::int)::text)::uuid, md5((row * 7919 % ${WORKSPACES}::int)::text || 'k')::uuid,
      '1HGCM82633A004352', 'identified', ${REPORT}::text, 1, ${firstMs}::bigint
    FROM (
      SELECT row, lpad(to_hex(${firstMs}::bigint + row - ${from}::bigint), 12, '0') AS ms, md5(random()::text) AS rest
      FROM generate_series(${from}::bigint, ${from + FILL - 1}::bigint) AS row
    ) AS made`.execute(kysely);
}

async function timeOfCharge(database: Database): Promise<number> {
  const meter = openMeter(database, Date.now);
  const started = performance.now();
  for (let first = 0; first < CHARGES; first += BATCH) {
    const charges = CHARGED.slice(first, first + BATCH).map(async (workspaceId) => {
      const caller = {
        kind: 'subscriber',
        workspaceId,
        slug: '',
        plan: 'free',
        limit: null,
        keyId: workspaceId,
      } as const;
      const id = newUuid7(Date.now());
      return meter.charge(caller, [{ id, vin: '1HGCM82633A004352', outcome: 'identified', report: REPORT }]);
    });
    for (const { kind } of await Promise.all(charges)) if (kind !== 'settled') throw new Error(kind);
  }
  const us = ((performance.now() - started) * 1000) / CHARGES;
  await meter.close();
  return us;
}

/** Returns the bytes of a row in all partitions together. */
async function bytesARow({ kysely }: Database, rows: number): Promise<Pick<Step, 'tableBytes' | 'indexBytes'>> {
  const asked = sql<{ table_bytes: string; index_bytes: string }>`
    SELECT sum(pg_table_size(inhrelid)) AS table_bytes, sum(pg_indexes_size(inhrelid)) AS index_bytes
    FROM pg_inherits WHERE inhparent = 'decodes'::regclass`;
  const { rows: found } = await asked.execute(kysely);
  return { tableBytes: Number(found[0]?.table_bytes) / rows, indexBytes: Number(found[0]?.index_bytes) / rows };
}
