import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import autocannon from 'autocannon';

import { distinctVins } from './distinct-vins.ts';
import { freePort, median, newKey, startService, stop } from './service.ts';

export const name = 'jobs';
export const title =
  'Single decodes while a job of 100,000 VINs runs, beside the same without it (taking turns, median of rounds)';

const ROUNDS = 3;
const ROUND_SECONDS = 4;
const CONNECTIONS = 8;
/** Far from what the service can take: what is measured is how long a decode waits for the job, not for other decodes. */
const DECODES_A_SECOND = 400;
const JOB_VINS = 100_000;
const VIN = '1HGCM82633A004352';

interface Job {
  id: string;
  status: string;
}

interface Latency {
  p50Ms: number;
  p99Ms: number;
}

/** p99 of single decodes with a job under way, and without one. */
export async function run(print: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'marque-bench-'));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DATABASE_URL: '',
    PORT: String(await freePort()),
  };
  const key = newKey(env);
  const service = await startService(env);
  const origin = new URL(service.url).origin;
  const vins = distinctVins(JOB_VINS);
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  const perSecond: number[] = [];
  try {
    await load(service.url, key);
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await load(service.url, key));
      const begun = performance.now();
      const job = await startJob(origin, key, vins);
      beside.push(await load(service.url, key));
      if ((await jobNow(origin, key, job)).status === 'completed') throw new Error('The job ended before the load.');
      await untilCompleted(origin, key, job);
      perSecond.push((JOB_VINS * 1000) / (performance.now() - begun));
    }
  } finally {
    await stop(service);
    rmSync(dataDir, { recursive: true });
  }
  const of = (rounds: readonly Latency[], part: keyof Latency): number => median(rounds.map((round) => round[part]));
  print(`without a job  p50 ${of(alone, 'p50Ms')} ms   p99 ${of(alone, 'p99Ms')} ms`);
  print(`beside a job   p50 ${of(beside, 'p50Ms')} ms   p99 ${of(beside, 'p99Ms')} ms`);
  print(`the job        ${Math.round(median(perSecond))} VINs/s, charged and stored`);
  print(`ratio          ${(of(beside, 'p99Ms') / of(alone, 'p99Ms')).toFixed(2)} times the p99`);
}

async function load(url: string, key: string): Promise<Latency> {
  const { non2xx, errors, latency } = await autocannon({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    overallRate: DECODES_A_SECOND,
    headers: headersFor(key),
    body: JSON.stringify({ vin: VIN }),
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors`);
  return { p50Ms: latency.p50, p99Ms: latency.p99 };
}

async function startJob(origin: string, key: string, vins: readonly string[]): Promise<Job> {
  const body = JSON.stringify({ vins });
  const response = await fetch(`${origin}/api/jobs`, { method: 'POST', headers: headersFor(key), body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const job: Job = JSON.parse(await response.text());
  return job;
}

async function jobNow(origin: string, key: string, { id }: Job): Promise<Job> {
  const response = await fetch(`${origin}/api/jobs/${id}`, { headers: headersFor(key) });
  const job: Job = JSON.parse(await response.text());
  return job;
}

async function untilCompleted(origin: string, key: string, job: Job): Promise<void> {
  while ((await jobNow(origin, key, job)).status !== 'completed') await sleep(100);
}

function headersFor(key: string): Record<string, string> {
  return { 'content-type': 'application/json', 'x-api-key': key };
}
