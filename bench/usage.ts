import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '../service/dist/database.js';
import type { Database } from '../service/dist/kernel/db/index.js';
import { PostgresCluster } from '../service/dist/testing/postgres-cluster.js';
import { newUuid7 } from '../service/dist/kernel/db/uuid7.js';
import { openMeter, type Meter } from '../service/dist/metering/index.js';

import { type Ratio, thousands } from './ratio.ts';

export const name = 'usage';
export const title = 'Charges: durable, exact, with the stored decode (closed loop in one process)';

const SECONDS = 2;
const WORKSPACES = [1, 10_000];
const BATCHES = [1, 10, 50, 200, 500];
/** The batch of each of three instances. */
const INSTANCE_BATCH = 100;

/** About the size of a decode at full depth. */
const REPORT = JSON.stringify({ filler: 'x'.repeat(850) });

/** Charges a second and latency by batch size on both databases, and with three instances on PostgreSQL. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const ratios: Ratio[] = [];
  for (const engine of ['sqlite', 'postgres'] as const) {
    const rates = new Map<string, number>();
    await onFresh(engine, async (open) => {
      const first = await open();
      for (const workspaces of WORKSPACES) {
        for (const batch of BATCHES) await measureInto(rates, print, { instances: [first], workspaces, batch });
      }
      if (engine === 'sqlite') return;
      const instances = [first, await open(), await open()];
      for (const workspaces of WORKSPACES) {
        await measureInto(rates, print, { instances, workspaces, batch: INSTANCE_BATCH });
      }
    });
    ratios.push(...ratiosOf(engine, rates));
  }
  return ratios;
}

interface Setting {
  instances: readonly Database[];
  workspaces: number;
  batch: number;
}

async function measureInto(
  rates: Map<string, number>,
  print: (line: string) => void,
  { instances, workspaces, batch }: Setting,
): Promise<void> {
  const { line, perSecond } = await measure(instances, workspaces, batch);
  print(line);
  rates.set(`${instances.length} ${workspaces} ${batch}`, perSecond);
}

/** @param rates charges a second, by instances, workspaces and batch. */
function ratiosOf(engine: 'sqlite' | 'postgres', rates: ReadonlyMap<string, number>): Ratio[] {
  const of = (first: string, second: string): number => (rates.get(first) ?? 0) / (rates.get(second) ?? 1);
  const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return [
    {
      what: `Charges a second in batches of 50, ${engine}`,
      beside: 'one by one',
      ratio: of('1 1 50', '1 1 1'),
      users: {
        question: `How many charges does ${name} take in a second, each on disk before its answer?`,
        answer: `${thousands(rates.get('1 1 50') ?? 0)} of 50 callers at once, ${thousands(rates.get('1 1 1') ?? 0)} of a single one`,
      },
    },
    {
      what: `Charges a second to 10,000 workspaces, ${engine}, batches of 50`,
      beside: 'to one',
      ratio: of('1 10000 50', '1 1 50'),
    },
  ];
}

interface Pace {
  line: string;
  perSecond: number;
}

async function measure(instances: readonly Database[], workspaces: number, batch: number): Promise<Pace> {
  const bounds = {
    batch,
    queuedPerSubject: 10_000,
    queued: 10_000,
    waitMs: 10_000,
    commitMs: 10_000,
    commitAgainMs: 500,
  };
  const meters = instances.map((database) => openMeter(database, Date.now, { bounds }));
  const latencies: number[] = [];
  const endAt = performance.now() + SECONDS * 1000;
  const callAndCall = async (meter: Meter, number: number): Promise<void> => {
    for (let round = 0; performance.now() < endAt; round++) {
      const workspaceId = `w${(number * 7919 + round * 104_729) % workspaces}`;
      const caller = { kind: 'subscriber', workspaceId, slug: '', plan: 'free', limit: null, keyId: 'k' } as const;
      const beganAt = performance.now();
      const id = newUuid7(Date.now());
      const decode = { id, vin: '1HGCM82633A004352', outcome: 'identified', report: REPORT };
      const outcome = await meter.charge(caller, [decode]);
      if (outcome.kind !== 'settled') throw new Error(outcome.kind);
      latencies.push(performance.now() - beganAt);
    }
  };
  const beganAt = performance.now();
  const calls = meters.map((meter) => Array.from({ length: batch }, (_, number) => callAndCall(meter, number)));
  await Promise.all(calls.flat());
  const seconds = (performance.now() - beganAt) / 1000;
  for (const meter of meters) await meter.close();
  const perSecond = latencies.length / seconds;
  const line = [
    (instances[0]?.engine ?? '').padEnd(9),
    `${instances.length} instance${instances.length === 1 ? '' : 's'}`.padStart(11),
    `${workspaces} workspaces`.padStart(17),
    `batch ${batch}`.padStart(11),
    `${Math.round(perSecond)}/s`.padStart(10),
    `p50 ${quantile(latencies, 0.5).toFixed(2)} ms`.padStart(14),
    `p99 ${quantile(latencies, 0.99).toFixed(2)} ms`.padStart(15),
  ].join('');
  return { line, perSecond };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Gives a way to open a fresh database, as often as there are instances. */
async function onFresh(
  engine: 'sqlite' | 'postgres',
  work: (open: () => Promise<Database>) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const cluster = engine === 'postgres' ? await PostgresCluster.start({ durable: true }) : undefined;
  const opened: Database[] = [];
  try {
    await work(async () => {
      const database = await openDatabase({ dataDir, databaseUrl: cluster?.url() }, 'service');
      opened.push(database);
      return database;
    });
  } finally {
    for (const database of opened) await database.close();
    await cluster?.remove();
    rmSync(dataDir, { recursive: true });
  }
}
