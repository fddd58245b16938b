import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { bareReport, enrichmentOn, type TestEnrichment } from './testing/enrichment.ts';
import { answers, type Behavior, FIESTA, type Provider, startProvider } from './testing/provider.ts';
import { until } from '../testing/until.ts';
import { unknownVin } from '../testing/vins.ts';
import { DEFAULT_BOUNDS } from './bounds.ts';
import type { Enrichment } from './enrichment.ts';
import { FairOrder } from '../kernel/limits/fair-order.ts';
import { claimJobs } from './queue/claim.ts';
import { endOverdue, enqueue } from './queue/ask.ts';
import { countResults, sourceStatuses } from './status.ts';

const VIN = unknownVin(1);
const ASKER = { subject: 'workspace:w', isPublic: false, usage: { limit: null, remaining: null, resetAtMs: 0 } };

const ask = (enrichment: Enrichment, vin = VIN) => enrichment.complete(bareReport(vin), ASKER);

const isSettled = async (enrichment: Enrichment, vin = VIN) => (await ask(enrichment, vin)).kind === 'settled';

describe.each(ENGINES)('on %s', (engine) => {
  let provider: Provider;
  let data: TestDatabase;
  let database: Database;
  let instances: Enrichment[];

  beforeEach(async () => {
    provider = await startProvider();
    data = await freshDatabase(engine);
    database = await data.open();
    instances = [];
  });

  afterEach(async () => {
    await Promise.all(instances.map((instance) => instance.close()));
    await provider[Symbol.asyncDispose]();
    await data.remove();
  });

  function instance(options: Partial<TestEnrichment> = {}, on = database): Enrichment {
    const made = enrichmentOn(on, { url: provider.url, ...options });
    instances.push(made);
    return made;
  }

  const statusOf = async () => (await sourceStatuses(database, ['vpic'], Date.now(), DEFAULT_BOUNDS))[0];

  const QUICK = { backoffMs: 20, mostBackoffMs: 40, restMs: 20, mostRestMs: 20, pollMs: 20 };

  test.each<[string, Behavior]>([
    ['500', (response) => void response.writeHead(500).end()],
    ['a reset connection', (response) => void response.socket?.resetAndDestroy()],
    ['HTML', (response) => void response.end('<!DOCTYPE html>')],
    ['an answer for another VIN', answers(FIESTA, unknownVin(2))],
  ])('after %s the VIN is looked up again, and found', async (_, behavior) => {
    provider.treat(behavior);
    const enrichment = instance({ bounds: QUICK });
    enrichment.start();
    expect(await ask(enrichment)).toMatchObject({ kind: 'pending' });
    await provider.untilAsked(2);
    provider.treat(answers(FIESTA));
    await until(() => isSettled(enrichment));
    expect(await ask(enrichment)).toMatchObject({ report: { model: 'Fiesta' } });
    expect(await statusOf()).toMatchObject({ state: 'open', waiting: 0, found: 1, failed: provider.asked.length - 1 });
  });

  test('a provider that is busy is left alone for as long as it asks, by every instance', async () => {
    provider.treat((response) => void response.writeHead(429, { 'retry-after': '30' }).end());
    // The time that it asks for does not pass.
    const nowMs = Date.now();
    const options = { bounds: QUICK, clock: () => nowMs };
    const [one, other] = [instance(options), instance(options, await data.open())];
    const status = async () => (await sourceStatuses(database, ['vpic'], nowMs, DEFAULT_BOUNDS))[0];
    one.start();
    other.start();
    await ask(one);
    await until(async () => (await status())?.state === 'resting');
    const pending = await ask(other, unknownVin(2));
    expect(pending).toEqual({ kind: 'pending', retryAfterSeconds: 30 });
    expect(await claimJobs(database, SOURCE, 4, nowMs, DEFAULT_BOUNDS, new FairOrder())).toMatchObject({ jobs: [] });
    expect(provider.asked).toEqual([VIN]);
    expect(await status()).toMatchObject({ waiting: 2, failed: 1, reasons: [{ reason: 'busy', count: 1 }] });
  });

  test('a provider that fails again and again is no longer asked, and the VIN is answered from its own data', async () => {
    provider.treat((response) => void response.writeHead(500).end());
    const enrichment = instance({ bounds: { ...QUICK, attempts: 3 } });
    enrichment.start();
    await ask(enrichment);
    await until(() => isSettled(enrichment));
    expect(await ask(enrichment)).toEqual({ kind: 'settled', report: bareReport(VIN) });
    expect(provider.asked).toHaveLength(3);
    expect(await countResults(database, Date.now())).toEqual({ found: 0, nothing: 1 });

    await enrichment.close();

    const bounds = { ...QUICK, attempts: 3, restMs: 60_000, mostRestMs: 60_000 };
    const careful = instance({ bounds, rateLimit: { perMinute: 60_000, concurrent: 1 } });
    careful.start();
    for (let serial = 2; serial <= 9; serial++) await ask(careful, unknownVin(serial));
    await until(async () => (await statusOf())?.state === 'resting');
    expect(await statusOf()).toMatchObject({ state: 'resting', successRate: 0 });
  });

  test('a provider that never answers keeps no one waiting beyond the deadline', async () => {
    provider.treat(() => {});
    let nowMs = Date.now();
    const enrichment = instance({ clock: () => nowMs });
    enrichment.start();
    expect(await ask(enrichment)).toEqual({ kind: 'pending', retryAfterSeconds: 3 });
    await provider.untilAsked(1);
    nowMs += DEFAULT_BOUNDS.deadlineMs - 1_500;
    expect(await ask(enrichment)).toEqual({ kind: 'pending', retryAfterSeconds: 2 });
    nowMs += 1_500;
    expect(await ask(enrichment)).toEqual({ kind: 'settled', report: bareReport(VIN) });
    // The worker may have taken the VIN once more before its deadline: a running look-up is left alone until its lease
    // ends.
    const laterMs = nowMs + DEFAULT_BOUNDS.deadlineMs;
    await endOverdue(database, laterMs, DEFAULT_BOUNDS);
    expect(await ask(enrichment)).toEqual({ kind: 'settled', report: bareReport(VIN) });
    expect(await sourceStatuses(database, [], laterMs, DEFAULT_BOUNDS)).toEqual([]);
  });

  test('a VIN whose holder is killed in the middle of a look-up is taken over', async () => {
    provider.treat(() => {});
    // More than a slow machine needs to kill it.
    const options = { timeoutMs: 60_000, bounds: QUICK };
    let nowMs = Date.now();
    const enrichment = instance({ ...options, clock: () => nowMs });
    await ask(enrichment);
    const script = join(import.meta.dirname, './testing/enrichment-process.ts');
    const own = { ...options, url: provider.url };
    const child = spawn(process.execPath, [script, JSON.stringify(data.location), JSON.stringify(own)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    await provider.untilAsked(1);
    child.kill('SIGKILL');
    await ended;
    const claims = database.kysely.selectFrom('enrichment_jobs').select(['locked_by', 'locked_until']);
    const claim = await claims.where('vin', '=', VIN).executeTakeFirstOrThrow();
    expect(claim.locked_by).not.toBeNull();
    provider.treat(answers(FIESTA));
    // The dead one's claim holds for its time limit and the margin; others are looked up meanwhile.
    nowMs = claim.locked_until - 1;
    const other = unknownVin(2);
    await ask(enrichment, other);
    enrichment.start();
    await until(() => isSettled(enrichment, other));
    expect(provider.asked).toEqual([VIN, other]);
    nowMs = claim.locked_until;
    await until(() => isSettled(enrichment));
    expect(await ask(enrichment)).toMatchObject({ report: { model: 'Fiesta' } });
    expect(provider.asked).toEqual([VIN, other, VIN]);
    expect(provider.mostAtOnce()).toBe(1);
  });

  test('a VIN is given back at once by an instance that stops', async () => {
    provider.treat(() => {});
    const [one, other] = [instance(), instance({}, await data.open())];
    one.start();
    await ask(one);
    await provider.untilAsked(1);
    await one.close();
    provider.treat(answers(FIESTA));
    other.start();
    await until(() => isSettled(other));
    expect(await statusOf()).toMatchObject({ found: 1, failed: 0 });
  });

  test('two instances share the work, and look no VIN up twice', async () => {
    provider.treat((response, request) => void setTimeout(() => answers(FIESTA)(response, request), 5));
    const [one, other] = [instance({ bounds: QUICK }), instance({ bounds: QUICK }, await data.open())];
    const vins = Array.from({ length: 60 }, (_, serial) => unknownVin(serial));
    one.start();
    other.start();
    await Promise.all([one, other].flatMap((enrichment) => vins.map((vin) => ask(enrichment, vin))));
    for (const vin of vins) await until(() => isSettled(one, vin));
    expect(provider.asked.toSorted()).toEqual(vins.toSorted());
    expect(provider.mostAtOnce()).toBe(1);
    expect(await statusOf()).toMatchObject({ found: 60, successRate: 1, p90Ms: expect.any(Number) });
  });

  test('a VIN whose result another instance has stored meanwhile is not looked up again', async () => {
    provider.treat(answers(FIESTA));
    const enrichment = instance({ bounds: QUICK });
    enrichment.start();
    await until(() => isSettled(enrichment));
    await enqueue(database, { vin: VIN, source: 'vpic', ...ASKER }, Date.now(), DEFAULT_BOUNDS);
    expect(await statusOf()).toMatchObject({ waiting: 0 });
  });

  test('requests with a key come first, and are never refused', async () => {
    const enrichment = instance({ bounds: { jobs: 6 } });
    const usage = { limit: 50, remaining: 50, resetAtMs: Date.now() + 60_000 };
    const kinds: string[] = [];
    for (let serial = 1; serial <= 4; serial++) {
      const publicly = { subject: `public:${serial}`, isPublic: true, usage };
      kinds.push((await enrichment.complete(bareReport(unknownVin(serial)), publicly)).kind);
    }
    expect(kinds).toEqual(['pending', 'pending', 'pending', 'settled']);
    expect(await ask(enrichment, unknownVin(9))).toMatchObject({ kind: 'pending' });
    const claim = await claimJobs(database, SOURCE, 1, Date.now(), DEFAULT_BOUNDS, new FairOrder());
    expect(claim.jobs).toMatchObject([{ key: unknownVin(9) }]);
    expect(await enrichment.statuses()).toMatchObject([{ name: 'vpic', waiting: 4, lookingUp: 1, state: 'open' }]);
  });

  test('one workspace, however much it asks for, leaves room in the queue for others', async () => {
    const enrichment = instance({ bounds: { jobs: 16 } });
    const usage = { limit: null, remaining: null, resetAtMs: Date.now() + 60_000 };
    const pendingOf = async (subject: string, serials: number[]): Promise<number> => {
      const asker = { ...ASKER, subject, usage };
      const kinds = [];
      for (const serial of serials) kinds.push((await enrichment.complete(bareReport(unknownVin(serial)), asker)).kind);
      return kinds.filter((kind) => kind === 'pending').length;
    };
    expect(await pendingOf('workspace:many', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18])).toBe(8);
    expect(await pendingOf('workspace:other', [21, 22, 23, 24, 25])).toBe(4);
    expect(await pendingOf('workspace:third', [31, 32, 33])).toBe(2);
  });

  test('a VIN is looked up in the turn of who asked, not behind all VINs of another', async () => {
    const enrichment = instance();
    const asked = { ...ASKER, isPublic: false };
    for (let serial = 1; serial <= 9; serial++)
      await enrichment.complete(bareReport(unknownVin(serial)), { ...asked, subject: 'workspace:many' });
    await enrichment.complete(bareReport(unknownVin(10)), { ...asked, subject: 'workspace:one' });
    const order = new FairOrder();
    const nowMs = Date.now() + 1;
    const claimed: string[] = [];
    for (let turn = 0; turn < 2; turn++)
      claimed.push(...(await claimJobs(database, SOURCE, 1, nowMs, DEFAULT_BOUNDS, order)).jobs.map(({ key }) => key));
    expect(claimed).toContain(unknownVin(10));
    const rest = await claimJobs(database, SOURCE, 4, nowMs, DEFAULT_BOUNDS, order);
    expect(rest.jobs).toHaveLength(4);
  });

  test('a client that fetches no result has no more look-ups in a month than decodes, and as many in the next', async () => {
    // An answer that comes before the client was told to wait is its answer.
    let answered = Promise.withResolvers<void>();
    provider.treat((...exchange) => void answered.promise.then(() => answers(FIESTA)(...exchange)));
    const enrichment = instance();
    enrichment.start();
    const resetAtMs = Date.now() + 60_000;
    const kindOf = async (serial: number, usage: { limit: number; remaining: number; resetAtMs: number }) =>
      (await enrichment.complete(bareReport(unknownVin(serial)), { ...ASKER, usage })).kind;
    const usage = { limit: 3, remaining: 3, resetAtMs };
    const kinds: string[] = [];
    for (let serial = 1; serial <= 5; serial++) {
      kinds.push(await kindOf(serial, usage));
      answered.resolve();
      await until(() => isSettled(enrichment, unknownVin(serial)));
      answered = Promise.withResolvers();
    }
    expect(kinds).toEqual(['pending', 'pending', 'pending', 'settled', 'settled']);
    expect(await kindOf(6, { ...usage, resetAtMs: resetAtMs + 1 })).toBe('pending');
    const other = { ...ASKER, subject: 'workspace:other', usage };
    expect((await enrichment.complete(bareReport(unknownVin(7)), other)).kind).toBe('pending');
    // A month that is over.
    expect(await kindOf(8, { ...usage, resetAtMs: 1 })).toBe('pending');
    await enrichment.schedules()[0]?.run(new AbortController().signal);
    expect(await database.kysely.selectFrom('enrichment_asks').select('asked').execute()).toHaveLength(3);
  });

  test('requests at once have no more look-ups together than decodes', async () => {
    const enrichment = instance();
    const usage = { limit: 3, remaining: 50, resetAtMs: Date.now() + 60_000 };
    const serials = Array.from({ length: 12 }, (_, index) => index + 1);
    const kinds = await Promise.all(
      serials.map(
        async (serial) => (await enrichment.complete(bareReport(unknownVin(serial)), { ...ASKER, usage })).kind,
      ),
    );
    expect(kinds.filter((kind) => kind === 'pending')).toHaveLength(3);
  });

  test('a correction takes precedence over a source, also where it leaves a field out', async () => {
    provider.treat(answers(FIESTA));
    const enrichment = instance({
      correct: (report) => ({ ...bareReport(report.vin), manufacturer: 'Ford', model: 'Ka' }),
    });
    enrichment.start();
    await ask(enrichment);
    await until(() => isSettled(enrichment));
    const report = { ...bareReport(VIN), manufacturer: 'Ford', model: 'Ka' };
    expect(await ask(enrichment)).toEqual({ kind: 'settled', report });
  });

  test('a rate limit applies to all instances together', async () => {
    const enrichment = instance();
    const other = await data.open();
    for (let serial = 1; serial <= 9; serial++) await ask(enrichment, unknownVin(serial));
    const nowMs = Date.now() + 1;
    const slow = { ...SOURCE, rateLimit: { perMinute: 12, concurrent: 4 } };
    const claimed = async (atMs: number): Promise<number> => {
      const claims = [database, other, database, other].map((on) =>
        claimJobs(on, slow, 4, atMs, DEFAULT_BOUNDS, new FairOrder()),
      );
      return (await Promise.all(claims)).reduce((sum, { jobs }) => sum + jobs.length, 0);
    };
    expect([await claimed(nowMs), await claimed(nowMs + 4_999), await claimed(nowMs + 5_000)]).toEqual([1, 0, 1]);
  });
});

const SOURCE = { name: 'vpic', timeoutMs: 10_000, rateLimit: { perMinute: 60_000, concurrent: 4 } };
