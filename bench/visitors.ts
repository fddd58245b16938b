import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { Pool } from 'undici';

/** Visitors of a page that come evenly over time. */
export interface Visits {
  url: string;
  perSecond: number;
  seconds: number;
}

/**
 * Loads a page from a thread of its own, so many times a second, spread evenly: autocannon sends a second's requests at
 * its beginning, as fast as they are answered.
 *
 * @returns how often it came in a second. @throws Error when it did not.
 */
export async function visitors(visits: Visits): Promise<number> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: visits });
  const [perSecond] = await once(worker, 'message');
  return Number(perSecond);
}

/** The headers of every browser. */
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };

async function visitEvenly({ url, perSecond, seconds }: Visits): Promise<number> {
  const { origin } = new URL(url);
  const path = url.slice(origin.length);
  const pool = new Pool(origin, { connections: 64 });
  const begun = performance.now();
  const visits: Promise<void>[] = [];
  while (visits.length < perSecond * seconds) {
    const due = Math.min(((performance.now() - begun) * perSecond) / 1000, perSecond * seconds);
    while (visits.length < due) visits.push(visitOnce(pool, path));
    await sleep(1);
  }
  await Promise.all(visits);
  const took = performance.now() - begun;
  await pool.close();
  return (visits.length * 1000) / took;
}

async function visitOnce(pool: Pool, path: string): Promise<void> {
  const { statusCode, body } = await pool.request({ path, method: 'GET', headers: BROWSER });
  await body.dump();
  if (statusCode !== 200) throw new Error(`The page came with status ${statusCode}.`);
}

if (!isMainThread) parentPort?.postMessage(await visitEvenly(workerData));
