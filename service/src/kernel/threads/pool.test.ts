import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, expect, test, vi } from 'vitest';

import { dataFolder } from '../../testing/data-folder.ts';
import { until } from '../../testing/until.ts';
import { inOrder } from './in-order.ts';
import { ThreadPool } from './pool.ts';

const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (request) => {
      if (request === 'throw') throw new RangeError('asked to');
      if (request === 'exit') process.exit();
      if (request === 'hang') return;
      if (request === 'spin') for (;;);
      parentPort.postMessage([threadId, request]);
    });
  `)}`,
);

const pool = new ThreadPool<unknown, [thread: number, request: unknown]>({
  script: SCRIPT,
  workerData: undefined,
  threads: 3,
});

afterAll(() => pool.close());

test('requests are spread over the threads, and each gets its own answer', async () => {
  const requests = Array.from({ length: 100 }, (_, index) => index);
  const answers = await Promise.all(requests.map((request) => pool.run(request)));
  expect(answers.map(([, request]) => request)).toEqual(requests);
  expect(new Set(answers.map(([thread]) => thread)).size).toBe(3);
});

test.each([
  ['throw', 'asked to'],
  ['exit', 'ended before it answered'],
])('a thread that ends by %s fails what it was asked, and the next requests are answered', async (fault, message) => {
  await expect(pool.run(fault)).rejects.toThrow(message);
  expect((await Promise.all([1, 2, 3].map((request) => pool.run(request)))).map(([, request]) => request)).toEqual([
    1, 2, 3,
  ]);
});

test('an idle thread ends, and the next request gets another one', async () => {
  const short = new ThreadPool<unknown, [thread: number, request: unknown]>({
    script: SCRIPT,
    workerData: undefined,
    threads: 1,
    idleMs: 1,
  });
  const [first] = await short.run('a');
  await expect.poll(async () => (await short.run('b'))[0]).not.toBe(first);
  await short.close();
});

test('a thread that does not answer in time fails its request, and the next request gets another one', async () => {
  const impatient = new ThreadPool<unknown, [thread: number, request: unknown]>({
    script: SCRIPT,
    workerData: undefined,
    threads: 1,
    timeoutMs: 1,
  });
  await expect(impatient.run('hang')).rejects.toThrow('stuck');
  await impatient.close();
});

test('with one request at a time in a thread, its end fails no other', async () => {
  const single = new ThreadPool<unknown, [thread: number, request: unknown]>({
    script: SCRIPT,
    workerData: undefined,
    threads: 1,
    requestsAThread: 1,
  });
  const lost = single.run('throw');
  const next = single.run('next');
  await expect(lost).rejects.toThrow('asked to');
  expect((await next)[1]).toBe('next');
  await single.close();
});

test('results come in the order of the inputs, and no more is under way than allowed', async () => {
  const order = [2, 1, 0, 5, 4, 3];
  const gates = order.map(() => Promise.withResolvers<undefined>());
  const underWay = new Set<number>();
  let most = 0;
  const results: number[] = [];
  const read = (async () => {
    for await (const result of inOrder(order.keys(), 3, async (index) => {
      underWay.add(index);
      most = Math.max(most, underWay.size);
      await gates[index]?.promise;
      underWay.delete(index);
      return index;
    })) {
      results.push(result);
    }
  })();
  for (const index of order) {
    await until(async () => underWay.has(index));
    gates[index]?.resolve(undefined);
  }
  await read;
  expect(results).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(3);
});

test('an error of one run is thrown in its turn', async () => {
  const results = inOrder([1, 2, 3], 3, async (input) => {
    if (input === 2) throw new Error('two');
    return input;
  });
  expect((await results.next()).value).toBe(1);
  await expect(results.next()).rejects.toThrow('two');
});

test('an error of the inputs is thrown after the results of those before it', async () => {
  const results = inOrder(failing(), 3, async (input) => input);
  expect((await results.next()).value).toBe(1);
  await expect(results.next()).rejects.toThrow('no more');
});

function* failing(): Generator<number> {
  yield 1;
  throw new Error('no more');
}

test('a thread that uses too much processor time is ended, and one that waits is not', async () => {
  const metered = new ThreadPool<unknown, [thread: number, request: unknown]>({
    script: SCRIPT,
    workerData: undefined,
    threads: 2,
    requestsAThread: 1,
    cpuMs: 300,
  });
  let isAnswered = false;
  const waits = metered.run('hang').catch(() => (isAnswered = true));
  await expect(metered.run('spin')).rejects.toThrow('processor time');
  expect((await metered.run('next'))[1]).toBe('next');
  expect(isAnswered).toBe(false);
  await metered.close();
  await waits;
});

test('a pool that is closed answers nothing more, and starts no thread', async () => {
  const closed = new ThreadPool<unknown, [thread: number, request: unknown]>({
    script: SCRIPT,
    workerData: undefined,
    threads: 1,
    requestsAThread: 1,
  });
  const asked = [closed.run('hang'), closed.run('waits')].map((answer) => answer.catch((error: Error) => error.name));
  await closed.close();
  expect(await Promise.all(asked)).toEqual(['ThreadLostError', 'ThreadLostError']);
  await expect(closed.run('late')).rejects.toThrow('have ended');
});

test('a process that V8 ends fails what it was asked alone, one that cannot run says so, and none knows secrets or outlives its pool', async () => {
  const folder = dataFolder();
  const script = pathToFileURL(join(folder, 'script.mjs'));
  const answering = new URL('process.ts', import.meta.url).href;
  writeFileSync(
    script,
    `import { answerParent } from ${JSON.stringify(answering)};
    answerParent(async (request) => {
      if (request === 'fill') {
        for (const lists = []; ; ) lists.push(new Array(1_000_000).fill(0.5));
      }
      if (request === 'throw') throw new RangeError('asked to');
      if (request === 'secret') return [process.pid, process.env.DATABASE_URL];
      if (request === 'spend') globalThis.isSpent = true;
      if (request === 'hang') return new Promise(() => {});
      return [process.pid, request];
    }, () => globalThis.isSpent === true);`,
  );
  const processes = new ThreadPool<unknown, [pid: number, request: unknown]>({
    script,
    areProcesses: true,
    workerData: undefined,
    threads: 2,
    requestsAThread: 1,
  });
  vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=48');
  vi.stubEnv('DATABASE_URL', 'postgres://marque:secret@127.0.0.1/marque');
  const [aborted, other] = await Promise.allSettled([processes.run('fill'), processes.run(new Uint8Array([7]))]);
  expect(await processes.run('secret')).toEqual([expect.any(Number), undefined]);
  vi.unstubAllEnvs();
  expect(aborted).toMatchObject({ reason: { name: 'ThreadLostError' } });
  expect(other).toMatchObject({ value: [expect.any(Number), new Uint8Array([7])] });
  await expect(processes.run('throw')).rejects.toThrow(new RangeError('asked to'));
  const [pid] = await processes.run('a');
  expect(pid).not.toBe(process.pid);
  // One that is spent answers no more, and what waited for it has another one.
  const single = new ThreadPool<unknown, [pid: number, request: unknown]>({
    script,
    areProcesses: true,
    workerData: undefined,
    threads: 1,
    requestsAThread: 1,
  });
  const both = await Promise.all([single.run('spend'), single.run('next'), single.run('next')]);
  expect(both.map(([, request]) => request)).toEqual(['spend', 'next', 'next']);
  expect(new Set(both.map(([id]) => id)).size).toBe(2);
  await until(async () => !isAlive(both[0][0]));
  await single.close();
  const hanging = processes.run('hang').catch((error: Error) => error.name);
  await processes.close();
  expect(await hanging).toBe('ThreadLostError');
  await until(async () => !isAlive(pid));
  const missing = new ThreadPool({
    script: new URL('missing.mjs', script),
    areProcesses: true,
    workerData: undefined,
    threads: 1,
    requestsAThread: 1,
  });
  await expect(missing.run('a')).rejects.toThrow('cannot be run');
  await missing.close();
  rmSync(folder, { recursive: true });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
