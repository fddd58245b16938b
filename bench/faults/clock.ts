import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Instance, newKey } from './fleet.ts';
import { Person } from './person.ts';
import { type Drill, only, served, underLoad } from './scene.ts';

/** Of Debian's package `faketime`: it answers a process that asks what time it is. */
const LIBRARY = `/usr/lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu/faketime/libfaketime.so.1`;
const HOUR_S = 3_600;
const DECODES_AT_EACH = 200;
/** More than a job decodes while the clock jumps. */
const VINS_OF_JOB = 50_000;
/** Within which a job ends after the last jump: some times as long as it takes. */
const JOB_ENDS_WITHIN_MS = 120_000;

/** An instance whose clock jumps under load, forth and back and over the end of the month. */
export const CLOCK_DRILLS: Readonly<Record<string, Drill>> = {
  'clock-jump': async ({ folder }) => {
    if (!existsSync(LIBRARY)) throw new Error(`This drill needs ${LIBRARY}: apt-get install faketime`);
    const file = join(folder, 'clock');
    const jumpTo = (offsetS: number): void => writeFileSync(file, `${offsetS < 0 ? '' : '+'}${offsetS}s`);
    jumpTo(0);
    const env = {
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
    const ids = new Set<string>();
    const outcome = await underLoad(env, 1, async (fleet, load) => {
      const one = only(fleet);
      const key = await newKey(env, 'observer', 'business');
      const person = await Person.signUp(one, 'person');
      const job = await startJob(one, key);
      const remarks: string[] = [];
      for (const [name, offsetS] of Object.entries(JUMPS)) {
        jumpTo(offsetS());
        // The library looks at its file once a second.
        await sleep(1_500);
        await served(load, DECODES_AT_EACH);
        const { id, words } = await observe(one, person, key);
        remarks.push(`${name}: ${words}, the Idempotency-Key ${ids.has(id) ? 'repeated' : 'charged'}`);
        ids.add(id);
      }
      remarks.push(await endOfJob(one, key, job));
      return remarks;
    });
    return { ...outcome, besides: ids.size + Object.keys(JUMPS).length + VINS_OF_JOB };
  },
};

/** Starts a job that runs while the clock jumps. @returns its id. */
async function startJob({ origin }: Instance, key: string): Promise<string> {
  const body = JSON.stringify({ vins: Array(VINS_OF_JOB).fill('1HGCM82633A004352') });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api/jobs`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`The job was answered with ${answer.status}: ${text}`);
  const { id }: { id: string } = JSON.parse(text);
  return id;
}

/** Waits for the end of a job. @throws Error when it did not charge each VIN once. */
async function endOfJob({ origin }: Instance, key: string, id: string): Promise<string> {
  const giveUpAt = performance.now() + JOB_ENDS_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${origin}/api/jobs/${id}`, { headers: { 'x-api-key': key } });
    const job: { status: string; charged: number } = JSON.parse(await answer.text());
    if (job.status === 'completed' && job.charged === VINS_OF_JOB)
      return `a job of ${VINS_OF_JOB} VINs was charged once`;
    if (job.status === 'completed' || job.status === 'stopped' || performance.now() > giveUpAt)
      throw new Error(`The job did not charge each VIN once: ${JSON.stringify(job)}`);
    await sleep(500);
  }
}

/** Seconds that the clock is wrong, one after the other. */
const JUMPS: Readonly<Record<string, () => number>> = {
  'at the true time': () => 0,
  'an hour on': () => HOUR_S,
  'an hour back': () => -HOUR_S,
  'into the next month': untilNextMonthS,
  'back to the true time': () => 0,
};

function untilNextMonthS(): number {
  const now = new Date();
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.ceil((nextMonth - now.getTime()) / 1_000) + 5;
}

/**
 * Sends a decode to charge, one repeated with the same Idempotency-Key at every visit, and a request for a page of a
 * signed-in person.
 */
async function observe(one: Instance, person: Person, key: string): Promise<{ id: string; words: string }> {
  const ask = async (headers: Record<string, string>): Promise<Response> =>
    fetch(`${one.origin}/api/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
      body: '{"vin":"1HGCM82633A004352"}',
    });
  const repeated = await ask({ 'idempotency-key': 'the-first' });
  await repeated.arrayBuffer();
  const { usage }: { usage: { resetAt: string; remaining: number } } = JSON.parse(await (await ask({})).text());
  const page = await person.get(person.path(''));
  const words = `charged to the month before ${usage.resetAt}, page of the signed-in ${page}`;
  return { id: repeated.headers.get('x-request-id') ?? '', words };
}
