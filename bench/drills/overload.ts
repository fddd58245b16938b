import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { charged, instance, type Instance, newKey, residentMib } from '../faults/fleet.ts';
import type { Attack } from './attacks.ts';
import type { Findings, Stage } from './drill.ts';

const ATTACK_MS = 4_000;
const DECODE_EVERY_MS = 50;
const FREE_WORKSPACES = 8;
const HEALTHY_WITHIN_MS = 60_000;
/** Longer than an idle thread that unpacks lives. */
const REST_MS = 10_000;
const KINDS = ['pipelining', 'bodies', 'workbooks'] as const;

/** A service to attack: its database and its number of processes. */
interface Target {
  name: string;
  env: NodeJS.ProcessEnv;
  /** Processes beside the one that was started. */
  workers: number;
}

/** The answers to a paid caller who sends decodes and tables at a steady pace, whatever the answers. */
interface Paid {
  tookMs: number[];
  /** Decodes without a 200. */
  lost: number;
  /** Tables of CSV without a 200. */
  lostTables: number;
  tables: number;
}

/**
 * Attacks a service in each of its forms, with a paid caller beside it; then ends it in the middle of all attacks.
 * `OLD_BUILD=FOLDER` names the folder of another build, which is attacked as well.
 */
export async function overload(stage: Stage): Promise<Findings> {
  const old = process.env['OLD_BUILD'];
  const builds = [
    { build: 'this', env: {} },
    ...(old === undefined ? [] : [{ build: 'old', env: { MARQUE_CLI: join(old, 'service/bundle/cli.js') } }]),
  ];
  const rows: string[][] = [];
  for (const { build, env } of builds) {
    for (const target of await targetsOf(stage, build)) {
      stage.say(`${build} build on ${target.name}`);
      const found = await attackAll(stage, { ...target, env: { ...target.env, ...env } });
      for (const row of found) rows.push([...(old === undefined ? [] : [build]), target.name, ...row]);
    }
  }
  const columns = [
    ...(old === undefined ? [] : ['build']),
    'database',
    'attack',
    'offered',
    'paid: median, ms',
    'p99, ms',
    'lost/sent',
    'tables lost/sent',
    'MiB before / most / after',
    'healthy after, ms',
    'ends after SIGTERM, s',
  ];
  return { columns, rows, versions: ['PostgreSQL of the tests'] };
}

async function targetsOf(stage: Stage, build: string): Promise<Target[]> {
  const postgres = await PostgresCluster.start({ durable: true });
  stage.afterwards(async () => postgres.remove());
  const targets: Target[] = [];
  for (const engine of ['SQLite', 'PostgreSQL']) {
    for (const workers of [0, 2]) {
      const id = `${build}_${engine}_${workers}`.toLowerCase();
      if (engine === 'PostgreSQL') await postgres.run(`CREATE DATABASE ${id}`);
      targets.push({
        name: workers === 0 ? engine : `${engine}, WORKERS=${workers}`,
        workers,
        env: {
          DATA_DIR: join(stage.folder, id),
          PUBLIC_MONTHLY_LIMIT: '100000000',
          ...(workers > 0 && { WORKERS: String(workers) }),
          ...(engine === 'PostgreSQL' && { DATABASE_URL: postgres.url(id) }),
        },
      });
    }
  }
  return targets;
}

async function attackAll(stage: Stage, { env, workers }: Target): Promise<string[][]> {
  const one = await instance(env);
  stage.afterwards(async () => one.end('SIGKILL'));
  const paid = await newKey(env, 'paid', 'business');
  const slugs = Array.from({ length: FREE_WORKSPACES }, (_, index) => `free-${index}`);
  const free = await Promise.all(slugs.map(async (slug) => newKey(env, slug, 'free')));
  await one.start();
  let [decoded, lost] = [0, 0];
  const rows: string[][] = [];
  const count = (seen: Paid): void => {
    decoded += seen.tookMs.length;
    lost += seen.lost;
  };
  count(await payFor(one, paid, 2_000));
  for (const kind of KINDS) rows.push(await attackOnce(one, { kind, free, paid, workers }, count));
  const used = await usedBy(one, paid);
  // A decode that was not answered may have been charged; without one, the charges are exact.
  if (used < decoded || used > decoded + lost)
    throw new Error(`${decoded} decodes of the paid caller were answered, ${lost} were not, ${used} were charged.`);
  rows.push(await endUnderAttack(one, { free, paid }, count));
  const stored = await charged(env);
  if (stored < decoded) throw new Error(`${decoded} decodes were answered, ${stored} charged.`);
  return rows;
}

/** Returns the decodes that a key was charged, of all months. */
async function usedBy({ origin }: Instance, key: string): Promise<number> {
  const answer = await fetch(`${origin}/api/usage`, { headers: { 'x-api-key': key } });
  const { months }: { months: { charged: number }[] } = JSON.parse(await answer.text());
  return months.reduce((sum, month) => sum + month.charged, 0);
}

/** Attacks in one way, with a paid caller beside it. */
async function attackOnce(
  one: Instance,
  { kind, free, paid, workers }: { kind: Attack['kind']; free: readonly string[]; paid: string; workers: number },
  count: (seen: Paid) => void,
): Promise<string[]> {
  const pids = await processesOf(one, workers);
  const before = memoryOf(pids);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(pids));
  }, 50);
  const [sent, seen] = await Promise.all([
    attack({ kind, origin: one.origin, keys: free, forMs: ATTACK_MS }),
    payFor(one, paid, ATTACK_MS, kind === 'workbooks'),
  ]);
  const healthyMs = await untilHealthy(one);
  clearInterval(watch);
  count(seen);
  await sleep(REST_MS);
  return [
    kind,
    String(sent),
    ...wordsOf(seen),
    `${before}/${most}/${memoryOf(pids)}`,
    String(Math.round(healthyMs)),
    '',
  ];
}

/** Sends SIGTERM while all attacks go on. */
async function endUnderAttack(
  one: Instance,
  { free, paid }: { free: readonly string[]; paid: string },
  count: (seen: Paid) => void,
): Promise<string[]> {
  const attacks = KINDS.map(async (kind) => attack({ kind, origin: one.origin, keys: free, forMs: ATTACK_MS }));
  const paying = payFor(one, paid, ATTACK_MS / 2);
  await sleep(ATTACK_MS / 2);
  const endMs = await one.end('SIGTERM');
  const sent = (await Promise.all(attacks)).reduce((sum, each) => sum + each, 0);
  const seen = await paying;
  count(seen);
  const ended = `${(endMs / 1_000).toFixed(1)}${one.ended === 0 ? '' : `, status ${one.ended}`}`;
  return ['all at once', String(sent), ...wordsOf(seen), '', '', ended];
}

/** Runs an attack in a thread, so that it does not delay the paid caller. @returns the number of requests. */
async function attack(means: Attack): Promise<number> {
  const thread = new Worker(new URL('attacks.ts', import.meta.url), { workerData: means });
  const [sent] = await once(thread, 'message');
  return Number(sent);
}

async function payFor({ origin }: Instance, key: string, forMs: number, withTables = false): Promise<Paid> {
  const seen: Paid = { tookMs: [], lost: 0, lostTables: 0, tables: 0 };
  const under: Promise<void>[] = [];
  const headers = { 'x-api-key': key };
  const decode = async (): Promise<void> => {
    const began = performance.now();
    if (
      await isAnswered(`${origin}/api/decode`, { ...headers, 'content-type': 'application/json' }, `{"vin":"${VIN}"}`)
    )
      seen.tookMs.push(performance.now() - began);
    else seen.lost += 1;
  };
  const table = async (): Promise<void> => {
    seen.tables += 1;
    const body = `vin\n${`${VIN}\n`.repeat(1_000)}`;
    if (!(await isAnswered(`${origin}/api/jobs?dryRun`, { ...headers, 'content-type': 'text/csv' }, body)))
      seen.lostTables += 1;
  };
  const endAt = performance.now() + forMs;
  for (let round = 0; performance.now() < endAt; round += 1) {
    under.push(decode());
    if (withTables && round % 10 === 0) under.push(table());
    await sleep(DECODE_EVERY_MS);
  }
  await Promise.all(under);
  return seen;
}

const VIN = '1HGCM82633A004352';

async function isAnswered(url: string, headers: Record<string, string>, body: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

function wordsOf({ tookMs, lost, lostTables, tables }: Paid): string[] {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (share: number): string => String(Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN));
  return [at(0.5), at(0.99), `${lost}/${lost + tookMs.length}`, tables === 0 ? '' : `${lostTables}/${tables}`];
}

/** Milliseconds until a health check is answered. */
async function untilHealthy({ origin }: Instance): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < HEALTHY_WITHIN_MS) {
    const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return performance.now() - began;
  }
  throw new Error('It is not healthy a minute after the attack.');
}

/** The processes of a service, once all of them serve. */
async function processesOf({ pid }: Instance, workers: number): Promise<number[]> {
  for (;;) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    if (children.length >= workers) return [pid, ...children.map(Number)];
    await sleep(20);
  }
}

function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + residentMib(pid), 0);
}
