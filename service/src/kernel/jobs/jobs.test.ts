import { once } from 'node:events';

import { assert, double, integer, property } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { until } from '../../testing/until.ts';
import { DAY_MS } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { backoffMs, claim, endFarPauses, nextRunAt, readBacklogs, released, scheduleWorker, Worker } from './index.ts';

const NOW = Date.UTC(2026, 4, 20);
const log = { warn: () => {} };
const clockFault = (): undefined => undefined;

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
  });

  afterEach(() => fresh.remove());

  const enqueue = (count: number, atMs = NOW) =>
    database.kysely.transaction().execute(async (transaction) => {
      for (let index = 0; index < count; index++) {
        await enqueueMail(transaction, { to: `${index}@example.org`, subject: 'S', text: 'T' }, atMs);
      }
    });
  const request = { table: 'mail_outbox', key: 'id', limit: 10, nowMs: NOW, leaseMs: 1_000 } as const;
  const claimOn = ({ kysely }: Database, more = {}) => claim(kysely, engine, { ...request, ...more });

  test('of many workers that claim at once each gets other jobs, and together they get all', async () => {
    await enqueue(40);
    const other = await fresh.open();
    const claimed = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claimOn(index % 2 === 0 ? database : other)),
    );
    const keys = claimed.flat().map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    // A worker that found a row locked skipped it: it is still there.
    while (keys.length < 40) {
      const more = await claimOn(database);
      expect(more.length).toBeGreaterThan(0);
      keys.push(...more.map(({ key }) => key));
    }
    expect(new Set(keys).size).toBe(40);
    expect(await claimOn(database)).toEqual([]);
  });

  test('a clock that was ahead puts off no job for longer than its longest pause, and a right one none', async () => {
    const pauses = { table: 'mail_outbox', firstMs: 0, mostMs: 2 * DAY_MS } as const;
    await enqueue(2, NOW + DAY_MS);
    const jobs = database.kysely.selectFrom('mail_outbox').select('run_at').orderBy('run_at');
    await database.kysely.updateTable('mail_outbox').set({ attempts: 1 }).execute();
    await enqueue(1, NOW + DAY_MS);
    await endFarPauses(database.kysely, pauses, NOW);
    expect(await jobs.execute()).toEqual([NOW, NOW + DAY_MS, NOW + DAY_MS].map((at) => ({ run_at: at })));
    await endFarPauses(database.kysely, pauses, NOW - 2 * DAY_MS);
    expect(new Set((await jobs.execute()).map((job) => job.run_at))).toEqual(new Set([NOW - 2 * DAY_MS]));
    await enqueue(1, NOW + 1_000);
    await endFarPauses(database.kysely, pauses, NOW);
    expect(await jobs.execute()).toContainEqual({ run_at: NOW + 1_000 });
  });

  test('a job is free again when its lease ends or is given back, and not before it is due', async () => {
    await enqueue(1);
    const [lease] = await claimOn(database);
    expect(await claimOn(database, { nowMs: NOW + 999 })).toEqual([]);
    expect(await nextRunAt(database.kysely, 'mail_outbox')).toBe(NOW + 1_000);
    const [again] = await claimOn(database, { nowMs: NOW + 1_000 });
    expect(again?.key).toBe(lease?.key);
    expect(again?.lockedBy).not.toBe(lease?.lockedBy);
    await database.kysely
      .updateTable('mail_outbox')
      .set(released(NOW + 5_000))
      .execute();
    expect(await claimOn(database, { nowMs: NOW + 4_999 })).toEqual([]);
    expect(await nextRunAt(database.kysely, 'mail_outbox')).toBe(NOW + 5_000);
    expect(await claimOn(database, { nowMs: NOW + 5_000 })).toHaveLength(1);
  });

  test('a backlog counts the jobs that are not done, and how long the oldest unclaimed one is overdue', async () => {
    await enqueue(2, NOW - 60_000);
    const mail = async () => (await readBacklogs(database, NOW)).find(({ queue }) => queue === 'mail');
    expect(await mail()).toMatchObject({ pending: 2, overdueSeconds: 60, retrying: 0, lastError: undefined });
    await claimOn(database);
    expect(await mail()).toMatchObject({ pending: 2, overdueSeconds: 0 });
    await database.kysely.updateTable('mail_outbox').set({ attempts: 3, last_error: 'refused' }).execute();
    expect(await mail()).toMatchObject({ pending: 2, retrying: 2, lastError: 'refused' });
  });

  test('a schedule runs at once, then when it is due, once for all instances', async () => {
    let nowMs = NOW;
    let runs = 0;
    const schedule = {
      name: 'sweep',
      everyMs: 3_600_000,
      run: async () => {
        runs += 1;
      },
    };
    const other = await fresh.open();
    const workers = [database, other].map((each) =>
      scheduleWorker({ database: each, clock: () => nowMs, log, clockFault }, [schedule]),
    );
    const row = () =>
      database.kysely.selectFrom('schedules').selectAll().where('name', '=', 'sweep').executeTakeFirst();
    try {
      for (const worker of workers) worker.start();
      await until(async () => (await row())?.run_at === NOW + 3_600_000);
      expect(runs).toBe(1);
      nowMs += 3_600_000;
      for (const worker of workers) worker.wake();
      await until(async () => (await row())?.run_at === NOW + 7_200_000);
      expect(runs).toBe(2);
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
    }
  });

  test('a schedule that fails is tried again soon, and reports why', async () => {
    const schedule = {
      name: 'broken',
      everyMs: 3_600_000,
      run: async () => {
        throw new Error('no room');
      },
    };
    const worker = scheduleWorker({ database, clock: () => NOW, log, clockFault }, [schedule]);
    worker.start();
    const row = () => database.kysely.selectFrom('schedules').selectAll().executeTakeFirst();
    await until(async () => (await row())?.attempts === 1);
    await worker.close();
    const failed = await row();
    expect(failed?.last_error).toContain('no room');
    expect(failed?.run_at).toBeGreaterThan(NOW);
    expect(failed?.run_at).toBeLessThanOrEqual(NOW + 60_000);
  });

  test('a schedule that an instance ends with is begun at once by the next one', async () => {
    const begun = Promise.withResolvers<void>();
    let ended = 0;
    const schedule = {
      name: 'long',
      everyMs: 3_600_000,
      run: async (signal: AbortSignal) => {
        begun.resolve();
        await once(signal, 'abort');
        ended += 1;
        signal.throwIfAborted();
      },
    };
    const row = () => database.kysely.selectFrom('schedules').selectAll().executeTakeFirstOrThrow();
    const worker = scheduleWorker({ database, clock: () => NOW, log, clockFault }, [schedule]);
    worker.start();
    await begun.promise;
    await worker.close();
    expect(ended).toBe(1);
    expect(await row()).toMatchObject({ run_at: NOW, locked_by: null, attempts: 0, last_error: null });
    const next = scheduleWorker({ database, clock: () => NOW, log, clockFault }, [
      { ...schedule, run: async () => {} },
    ]);
    next.start();
    await until(async () => (await row()).run_at === NOW + 3_600_000);
    await next.close();
  });

  const sweepRow = () => database.kysely.selectFrom('schedules').selectAll().executeTakeFirstOrThrow();

  describe('a schedule that removes what is old', () => {
    const YEARS_MS = 12 * 365 * DAY_MS;
    let nowMs = NOW;
    let fault: string | undefined;
    let ran: number[] = [];
    const sweep = {
      name: 'sweep',
      everyMs: DAY_MS,
      run: async () => {
        ran.push(nowMs);
      },
    };

    beforeEach(() => {
      nowMs = NOW;
      fault = undefined;
      ran = [];
    });

    /** Runs a worker at a moment until it has settled its schedule, as an instance that starts then does. */
    const startAt = async (atMs: number): Promise<void> => {
      nowMs = atMs;
      const worker = scheduleWorker({ database, clock: () => nowMs, log, clockFault: () => fault }, [sweep]);
      worker.start();
      await until(async () => (await sweepRow().catch(() => undefined))?.run_at === atMs + DAY_MS);
      await worker.close();
    };

    test('one that removes nothing runs also after weeks without an instance', async () => {
      await startAt(NOW);
      nowMs = NOW + 30 * DAY_MS;
      const catchUp = { ...sweep, isHarmlessLate: true };
      const worker = scheduleWorker({ database, clock: () => nowMs, log, clockFault }, [catchUp]);
      worker.start();
      await until(async () => ran.length === 2);
      await worker.close();
      expect(ran).toEqual([NOW, nowMs]);
    });

    test('does not run by a clock that is far ahead, and runs as before once that is set', async () => {
      await startAt(NOW);
      await startAt(NOW + YEARS_MS);
      expect(ran).toEqual([NOW]);
      expect((await sweepRow()).last_error).toContain('the clock is ahead');
      await startAt(NOW + 60_000);
      expect(ran).toEqual([NOW, NOW + 60_000]);
      expect(await sweepRow()).toMatchObject({ attempts: 0, last_error: null });
    });

    test('runs a day late after a month without an instance, however short the next starts are', async () => {
      await startAt(NOW);
      await startAt(NOW + 30 * DAY_MS);
      await startAt(NOW + 60 * DAY_MS);
      expect(ran).toEqual([NOW, NOW + 60 * DAY_MS]);
      await startAt(NOW + 61 * DAY_MS);
      expect(ran).toHaveLength(3);
    });

    test('is left to other instances by one whose clock is known to be wrong', async () => {
      await startAt(NOW);
      const left = await sweepRow();
      fault = 'The clocks differ.';
      nowMs = NOW + 2 * DAY_MS;
      let asked = 0;
      const asking = (): string | undefined => {
        asked += 1;
        return fault;
      };
      const worker = scheduleWorker({ database, clock: () => nowMs, log, clockFault: asking }, [sweep]);
      worker.start();
      for (let times = 1; times <= 3; times += 1) {
        await until(async () => asked >= times);
        worker.wake();
      }
      await worker.close();
      expect(ran).toEqual([NOW]);
      expect(await sweepRow()).toEqual(left);
    });
  });
});

test('on SQLite a service that starts finds the jobs of one that was killed free, and no command frees those of a service', async () => {
  const fresh = await freshDatabase('sqlite');
  const killed = await fresh.open();
  const message = { to: '0@example.org', subject: 'S', text: 'T' };
  await killed.kysely.transaction().execute((transaction) => enqueueMail(transaction, message, NOW));
  const request = { table: 'mail_outbox', key: 'id', limit: 10, nowMs: NOW, leaseMs: 1_000 } as const;
  expect(await claim(killed.kysely, 'sqlite', request)).toHaveLength(1);
  const { kysely: command } = await fresh.open('tool');
  expect(await claim(command, 'sqlite', request)).toEqual([]);
  const { kysely: next } = await fresh.open('service');
  expect(await claim(next, 'sqlite', request)).toHaveLength(1);
  await fresh.remove();
});

test('a worker takes at most its number of jobs, reports how each ended, and drains running ones', async () => {
  const ended: string[] = [];
  let left = 7;
  let running = 0;
  let most = 0;
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const worker = new Worker<number>({
    queue: 'test',
    concurrency: 3,
    pollMs: 10,
    clock: Date.now,
    clockFault: undefined,
    log,
    watch: (queue, outcome) => ended.push(`${queue} ${outcome}`),
    claim: async (limit) => {
      const jobs = Array.from({ length: Math.min(limit, left) }, () => left--);
      return { jobs, notBeforeMs: left > 0 ? 0 : Infinity };
    },
    run: async (job) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => {
        setImmediate(done);
      });
      running -= 1;
      if (job === 1) {
        resolve();
        throw new Error('lost');
      }
      return job % 2 === 0 ? 'completed' : 'failed';
    },
  });
  worker.start();
  await enough;
  await worker.close();
  expect(running).toBe(0);
  expect(most).toBe(3);
  expect(ended.toSorted()).toEqual([
    ...Array<string>(3).fill('test completed'),
    ...Array<string>(4).fill('test failed'),
  ]);
});

test('pauses double up to the longest one, and half of each is chance', () => {
  const backoff = { firstMs: 1_000, mostMs: 60_000 };
  expect([1, 2, 3, 7, 20].map((attempts) => backoffMs(attempts, 0, backoff))).toEqual([500, 1000, 2000, 30000, 30000]);
  assert(
    property(integer({ min: 1, max: 100 }), double({ min: 0, max: 0.999, noNaN: true }), (attempts, random) => {
      const pause = backoffMs(attempts, random, backoff);
      expect(pause).toBeGreaterThanOrEqual(500);
      expect(pause).toBeLessThanOrEqual(60_000);
    }),
  );
});
