import { setTimeout as sleep } from 'node:timers/promises';

import { distinctVins } from './distinct-vins.ts';
import type { Ratio } from './ratio.ts';
import { headersFor, latencies, type Latency, median, startService } from './running.ts';

export const name = 'jobs';
export const title =
  'Single decodes while a job of 100,000 VINs runs, beside the same right before it (median of the rounds)';

const ROUNDS = 7;
const JOB_VINS = 100_000;

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
    {
      what: 'p99 of a decode beside a job of 100,000 VINs',
      beside: 'no job',
      ratio: median(ratios),
      aim: '≤ 2',
      users: {
        question: 'How much longer does a single decode take while a file of 100,000 VINs is decoded?',
        answer: `p99 ${middle((round) => round.beside.p99Ms).toFixed(1)} ms instead of ${middle((round) => round.alone.p99Ms).toFixed(1)} ms`,
      },
    },
  ];
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
