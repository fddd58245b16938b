import { setTimeout as sleep } from 'node:timers/promises';

import { distinctVins } from './distinct-vins.ts';
import type { Ratio } from './ratio.ts';
import { headersFor, load, median, medianPace, type Pace, startService } from './running.ts';

export const name = 'jobs';
export const title =
  'Single decodes while a job of 100,000 VINs runs, beside the same without it (taking turns, median of rounds)';

const ROUNDS = 3;
/** Far from what the service can take: what is measured is how long a decode waits for the job, not for other decodes. */
const LOAD = { connections: 8, seconds: 4, rate: 400 };
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
  const alone: Pace[] = [];
  const beside: Pace[] = [];
  const perSecond: number[] = [];
  try {
    await load(service, LOAD);
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await load(service, LOAD));
      const begun = performance.now();
      const job = await startJob(origin, service.key, vins);
      beside.push(await load(service, LOAD));
      if ((await jobNow(origin, service.key, job)).status === 'completed') {
        throw new Error('The job ended before the load.');
      }
      while ((await jobNow(origin, service.key, job)).status !== 'completed') await sleep(100);
      perSecond.push((JOB_VINS * 1000) / (performance.now() - begun));
    }
  } finally {
    await service.close();
  }
  const [without, withJob] = [medianPace(alone), medianPace(beside)];
  print(`without a job  p50 ${without.p50Ms} ms   p99 ${without.p99Ms} ms`);
  print(`beside a job   p50 ${withJob.p50Ms} ms   p99 ${withJob.p99Ms} ms`);
  print(`the job        ${Math.round(median(perSecond))} VINs/s, charged and stored`);
  const ratio = withJob.p99Ms / without.p99Ms;
  return [{ what: 'p99 of a decode beside a job of 100,000 VINs', beside: 'no job', ratio, aim: '≤ 2' }];
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
