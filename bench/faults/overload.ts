import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import autocannon from 'autocannon';

import { charged, instance, type Instance, newKey } from './fleet.ts';

/** The share of one core for the service; the rest suffices for the callers. */
const SHARE_OF_CORE = 0.3;
const TIMES = 3;
const CONNECTIONS = 1_500;
const VIN = '1HGCM82633A004352';
const BATCH = 20;

/** The kinds of callers, with their requests out of a hundred. */
const MIX = { public: 30, batch: 10, free: 25, paid: 35 };
type Kind = keyof typeof MIX;
const KINDS = ['public', 'batch', 'free', 'paid'] as const satisfies Kind[];

/** The answers to one kind of callers. */
interface Seen {
  statuses: Map<string, number>;
  /** The times of served requests, milliseconds. */
  took: number[];
}

/**
 * Measures the capacity by callers without a pause, then sends three times as much, regardless of the answers, with
 * health and sign-in beside it.
 */
export async function overload(
  folder: string,
  seconds: number,
  print: (line: string) => void,
  afterwards: (work: () => Promise<void>) => void,
): Promise<void> {
  const env = { DATA_DIR: folder, PUBLIC_MONTHLY_LIMIT: '100000000' };
  const one = await instance(env, { within: slowCore(afterwards) });
  const paid = await newKey(env, 'paid', 'business');
  const keys = { paid, batch: paid, free: await newKey(env, 'free', 'free') };
  await one.start();
  const ask = (rate: number | undefined, connections: number, forSeconds: number): Promise<Record<Kind, Seen>> =>
    askAll(one, keys, { rate, connections, seconds: forSeconds });
  await ask(undefined, 48, 5);
  const closed = await ask(undefined, 48, 15);
  const capacity = total(closed) / 15;
  print(`capacity ${Math.round(capacity)}/s (${words(closed)}), p99 ${p99(closed)} ms`);
  const others = besides(pagesOf(one));
  const caller = besides([decodeOf(one, paid)]);
  const over = await ask(TIMES * capacity, CONNECTIONS, seconds);
  const beside = { others: await others(), caller: await caller() };
  const served = total(over) / seconds;
  print(`${TIMES} times as much for ${seconds} s: ${Math.round(sent(over) / seconds)}/s sent`);
  print(`  served ${Math.round(served)}/s (${Math.round((100 * served) / capacity)} %), p99 ${p99(over)} ms`);
  for (const kind of KINDS) print(`  ${kind}: ${shares(over[kind])}, ${percentiles(over[kind].took)}`);
  print(`  one more paid caller: ${beside.caller}`);
  print(`  health and sign-in beside it: ${beside.others}`);
  await one.end('SIGTERM');
  print(`  charged in all: ${await charged(env)}`);
}

/** Returns a control group that gets a part of one core, in slices of 10 ms. */
function slowCore(afterwards: (work: () => Promise<void>) => void): string[] {
  const isOld = existsSync('/sys/fs/cgroup/cpu');
  const folder = `/sys/fs/cgroup/${isOld ? 'cpu/' : ''}marque-drill-${process.pid}-${Date.now()}`;
  mkdirSync(folder);
  const [period, quota] = [10_000, 10_000 * SHARE_OF_CORE];
  if (isOld) {
    writeFileSync(`${folder}/cpu.cfs_period_us`, String(period));
    writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quota));
  } else {
    writeFileSync(`${folder}/cpu.max`, `${quota} ${period}`);
  }
  afterwards(async () => rmdirSync(folder));
  return ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'];
}

async function askAll(
  one: Instance,
  keys: Record<Exclude<Kind, 'public'>, string>,
  { rate, connections, seconds }: { rate: number | undefined; connections: number; seconds: number },
): Promise<Record<Kind, Seen>> {
  const askOf = async (kind: Kind): Promise<Seen> => {
    const seen: Seen = { statuses: new Map(), took: [] };
    const errors = await cannon(
      {
        url: `${one.origin}/api/decode${kind === 'batch' ? '/batch' : ''}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(kind === 'public' ? {} : { 'x-api-key': keys[kind] }) },
        body: JSON.stringify(kind === 'batch' ? { vins: Array(BATCH).fill(VIN) } : { vin: VIN }),
        connections: Math.max(1, Math.round((connections * MIX[kind]) / 100)),
        duration: seconds,
        ...(rate === undefined ? {} : { overallRate: Math.round((rate * MIX[kind]) / 100) }),
      },
      (status, tookMs) => {
        seen.statuses.set(String(status), (seen.statuses.get(String(status)) ?? 0) + 1);
        if (status === 200) seen.took.push(tookMs);
      },
    );
    if (errors > 0) seen.statuses.set('broken', errors);
    return seen;
  };
  const [everybody, batch, free, paid] = await Promise.all([
    askOf('public'),
    askOf('batch'),
    askOf('free'),
    askOf('paid'),
  ]);
  return { public: everybody, batch, free, paid };
}

/** Sends one kind of request. @returns how many connections broke. */
async function cannon(
  options: autocannon.Options,
  onAnswer: (status: number, tookMs: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error: unknown, { errors }) => {
      if (error instanceof Error) reject(error);
      else resolve(errors);
    });
    run.on('response', (_client, status, _bytes, tookMs) => onAnswer(status, tookMs));
  });
}

/**
 * Sends requests until stopped, one after the other and each by a new connection, then describes the answers: another
 * view than that of the callers who make the load.
 */
function besides(requests: readonly Request[]): () => Promise<string> {
  const took: number[] = [];
  let failed = 0;
  const over = { is: false };
  const asking = (async () => {
    while (!over.is) {
      for (const request of requests) {
        const began = performance.now();
        const answer = await fetch(request.clone()).catch(() => undefined);
        await answer?.arrayBuffer();
        if (answer?.ok === true) took.push(performance.now() - began);
        else failed += 1;
      }
      await sleep(100);
    }
  })();
  return async () => {
    over.is = true;
    await asking;
    return `${took.length} answered, ${failed} not, ${percentiles(took)}`;
  };
}

/** Health checks and the sign-in page. */
const pagesOf = ({ origin }: Instance): Request[] =>
  ['/healthz', '/readyz', '/sign-in'].map(
    (path) => new Request(`${origin}${path}`, { headers: { connection: 'close' } }),
  );

function decodeOf({ origin }: Instance, key: string): Request {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' };
  return new Request(`${origin}/api/decode`, { method: 'POST', headers, body: JSON.stringify({ vin: VIN }) });
}

const servedBy = ({ statuses }: Seen): number => statuses.get('200') ?? 0;
const total = (all: Record<string, Seen>): number => Object.values(all).reduce((sum, seen) => sum + servedBy(seen), 0);
const sentTo = ({ statuses }: Seen): number => [...statuses.values()].reduce((sum, count) => sum + count, 0);
const sent = (all: Record<string, Seen>): number => Object.values(all).reduce((sum, seen) => sum + sentTo(seen), 0);

const p99 = (all: Record<string, Seen>): number =>
  percentile(
    Object.values(all).flatMap(({ took }) => took),
    0.99,
  );

function percentile(took: readonly number[], share: number): number {
  return Math.round(took.toSorted((a, b) => a - b)[Math.floor(took.length * share)] ?? 0);
}

const percentiles = (took: readonly number[]): string =>
  [0.5, 0.9, 0.99].map((share) => `p${share * 100} ${percentile(took, share)} ms`).join(', ');

function shares(seen: Seen): string {
  const share = Math.round((100 * servedBy(seen)) / sentTo(seen));
  return `${share} % of ${sentTo(seen)} served ${JSON.stringify(Object.fromEntries(seen.statuses))}`;
}

const words = (all: Record<Kind, Seen>): string => KINDS.map((kind) => `${kind} ${servedBy(all[kind])}`).join(', ');
