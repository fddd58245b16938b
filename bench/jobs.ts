import { setTimeout as sleep } from 'node:timers/promises';

import { distinctVins } from './distinct-vins.ts';
import type { Ratio } from './ratio.ts';
import { headersFor, median, type Running, startService } from './running.ts';

export const name = 'jobs';
export const title =
  'Single decodes while a job of 100,000 VINs runs, beside the same right before it (median of the rounds)';

const ROUNDS = 7;
/** Far from what the service can take: what is measured is how long a decode waits for the job, not for other decodes. */
const PER_SECOND = 400;
const CONNECTIONS = 8;
const REQUESTS = 1_200;
const JOB_VINS = 100_000;
const VIN = '1HGCM82633A004352';

interface Job {
  id: string;
  status: string;
}

/** p99 of single decodes with a job under way, and without one. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const service = await startService();
  const { origin } = new URL(service.url);
  const vins = distinctVins(JOB_VINS);
  const rounds: { alone: Latency; beside: Latency; perSecond: number }[] = [];
  try {
    await latencies(service);
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await latencies(service);
      const begun = performance.now();
      const job = await startJob(origin, service.key, vins);
      const beside = await latencies(service);
      if ((await jobNow(origin, service.key, job)).status === 'completed') {
        throw new Error('The job ended before the load.');
      }
      while ((await jobNow(origin, service.key, job)).status !== 'completed') await sleep(100);
      rounds.push({ alone, beside, perSecond: (JOB_VINS * 1000) / (performance.now() - begun) });
    }
  } finally {
    await service.close();
  }
  const middle = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
  const line = (of: 'alone' | 'beside'): string =>
    `p50 ${middle((round) => round[of].p50Ms).toFixed(1)} ms   p99 ${middle((round) => round[of].p99Ms).toFixed(1)} ms`;
  print(`without a job  ${line('alone')}`);
  print(`beside a job   ${line('beside')}`);
  print(`the job        ${Math.round(middle(({ perSecond }) => perSecond))} VINs/s, charged and stored`);
  const ratios = rounds.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms);
  print(`p99 by round   ${ratios.map((ratio) => `x ${ratio.toFixed(2)}`).join('  ')}`);
  return [
    { what: 'p99 of a decode beside a job of 100,000 VINs', beside: 'no job', ratio: median(ratios), aim: '≤ 2' },
  ];
}

interface Latency {
  p50Ms: number;
  p99Ms: number;
}

/** Sends requests at fixed times on a few connections, each after the answer to the one before. */
async function latencies({ url, key }: Running): Promise<Latency> {
  const call = { method: 'POST', headers: headersFor(key), body: JSON.stringify({ vin: VIN }) };
  const begun = performance.now();
  const found: number[] = [];
  const connection = async (first: number): Promise<void> => {
    for (let number = first; number < REQUESTS; number += CONNECTIONS) {
      await sleep(Math.max(0, begun + (number * 1000) / PER_SECOND - performance.now()));
      const sentAt = performance.now();
      const response = await fetch(url, call);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`The service answered ${response.status}.`);
      found.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, first) => connection(first)));
  const sorted = found.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (REQUESTS - 1))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
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
