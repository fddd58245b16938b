import { expect, test } from 'vitest';

import { DAY_MS } from '../kernel/clock.ts';
import { administrator } from '../people/testing/people.ts';
import { testService } from '../testing/service.ts';
import { dropOldTexts } from './privacy.ts';

const BODY = {
  vin: '1HGCM82633A004352',
  expectedManufacturer: 'Honda',
  expectedModel: 'Accord',
  expectedBodyStyle: 'Coupe',
  expectedModelYear: '2003',
  note: 'The registration says so.',
};

test('without a key, 200 reports may come at once and no more in the day; with one, they go on', async () => {
  await using other = await testService();
  const payload = BODY;
  const post = (headers: Record<string, string>) =>
    other.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers, payload });
  const statuses = [];
  for (let count = 0; count < 200; count++) statuses.push((await post({})).statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const refused = await post({});
  expect(refused.statusCode).toBe(429);
  // A minute at least, however long the 200 took: a day's worth comes back in a day.
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  const resetAt = expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
  const error = expect.stringContaining('Too many reports');
  expect(refused.json()).toEqual({ error, limit: 100, remaining: 100, resetAt });
  expect(refused.headers).toMatchObject({ 'x-service-auth': 'public', 'x-ratelimit-remaining': '100' });
  const subscriber = await other.keyFor('free');
  expect((await post({ 'x-api-key': subscriber })).statusCode).toBe(200);
});

test('reports of one reporter wait for review in bounded number, and no other reporter is held up', async () => {
  const fresh = await testService();
  try {
    const shop = await fresh.keyFor('starter');
    const free = await fresh.keyFor('free');
    const other = await fresh.keyFor('business');
    const report = (sender: string) =>
      fresh.app.inject({
        method: 'POST',
        url: '/api/report-decode-issue',
        headers: { 'x-api-key': sender },
        payload: BODY,
      });
    expect((await report(shop)).statusCode).toBe(200);
    const { kysely } = fresh.database;
    const one = await kysely.selectFrom('correction_reports').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 499 }, (_, index) => ({ ...one, id: `copy-${index}` }));
    await kysely.insertInto('correction_reports').values(copies).execute();
    const full = await report(shop);
    expect(full.statusCode).toBe(429);
    expect(full.json()).toMatchObject({
      error: expect.stringContaining('500 reports waiting for review'),
      remaining: 1000,
    });
    expect(full.headers['retry-after']).toBe('3600');
    expect((await report(other)).statusCode).toBe(200);
    expect((await report(free)).statusCode).toBe(200);
    const ofFree = await kysely
      .selectFrom('correction_reports')
      .selectAll()
      .where('id', 'not like', 'copy-%')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 49 }, (_, index) => ({ ...ofFree, id: `free-${index}` }));
    await kysely.insertInto('correction_reports').values(more).execute();
    expect((await report(free)).json()).toMatchObject({
      error: expect.stringContaining('50 reports waiting for review'),
    });
    await kysely.updateTable('correction_reports').set({ state: 'rejected' }).where('id', '=', 'copy-1').execute();
    expect((await report(shop)).statusCode).toBe(200);
    const sent = await Promise.all(Array.from({ length: 250 }, () => report(other)));
    expect(sent.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(20);
  } finally {
    await fresh[Symbol.asyncDispose]();
  }
});

test('reports without a paid plan are refused while 5,000 of everyone wait', async () => {
  await using other = await testService();
  const shop = await other.keyFor('starter');
  const free = await other.keyFor('free');
  const report = (headers: Record<string, string>) =>
    other.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers, payload: BODY });
  expect((await report({})).statusCode).toBe(200);
  const { kysely } = other.database;
  const one = await kysely.selectFrom('correction_reports').selectAll().executeTakeFirstOrThrow();
  for (let from = 0; from < 5_000; from += 500) {
    const copies = Array.from({ length: 500 }, (_, index) => ({
      ...one,
      id: `copy-${from + index}`,
      subject: `public:network-${from + index}`,
      duplicate_of: one.id,
    }));
    await kysely.insertInto('correction_reports').values(copies).execute();
  }
  const refused = await report({});
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ error: expect.stringContaining('5000 reports are waiting for review') });
  expect((await report({ 'x-api-key': free })).statusCode).toBe(429);
  expect((await report({ 'x-api-key': shop })).statusCode).toBe(200);
  await kysely.updateTable('correction_reports').set({ state: 'rejected' }).where('id', 'like', 'copy-1%').execute();
  expect((await report({})).statusCode).toBe(200);
});

test('the fewer places are free, the fewer one reporter gets, and the last go to those who have none', async () => {
  await using other = await testService({ TRUST_PROXY: 'loopback' });
  const { kysely } = other.database;
  const report = (address: string) =>
    other.app.inject({
      method: 'POST',
      url: '/api/report-decode-issue',
      headers: { 'x-forwarded-for': address },
      payload: BODY,
    });
  expect((await report('198.51.100.1')).statusCode).toBe(200);
  const one = await kysely.selectFrom('correction_reports').selectAll().executeTakeFirstOrThrow();
  const queue = async (count: number, subject: string) => {
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => ({
        ...one,
        id: `${subject}-${from + index}`,
        subject,
        duplicate_of: one.id,
      }));
      await kysely.insertInto('correction_reports').values(rows).execute();
    }
  };
  await queue(23, one.subject);
  await queue(3_725, 'public:others');
  // The 25th, with a quarter of all places free.
  expect((await report('198.51.100.1')).statusCode).toBe(200);
  const refused = await report('198.51.100.1');
  expect(refused.json()).toMatchObject({ error: expect.stringContaining('25 reports waiting for review') });
  expect((await report('198.51.100.2')).statusCode).toBe(200);
  await queue(1_247, 'public:still-others');
  expect((await report('198.51.100.2')).statusCode).toBe(429);
  expect((await report('198.51.100.3')).statusCode).toBe(200);
});

test('the last places go to an IPv6 /48 that has none waiting, not to each of its networks', async () => {
  await using other = await testService({ TRUST_PROXY: 'loopback' });
  const { kysely } = other.database;
  const report = async (address: string) => {
    const headers = { 'x-forwarded-for': address };
    const sent = { method: 'POST', url: '/api/report-decode-issue', headers, payload: BODY } as const;
    return (await other.app.inject(sent)).statusCode;
  };
  expect(await report('2001:db8:1::1')).toBe(200);
  const one = await kysely.selectFrom('correction_reports').selectAll().executeTakeFirstOrThrow();
  for (let from = 0; from < 4_700; from += 470) {
    const rows = Array.from({ length: 470 }, (_, index) => ({
      ...one,
      id: `copy-${from + index}`,
      subject: `public:network-${from + index}`,
      duplicate_of: one.id,
    }));
    await kysely.insertInto('correction_reports').values(rows).execute();
  }
  expect(await report('2001:db8:1:2::1')).toBe(429);
  expect(await report('2001:db8:2::1')).toBe(200);
  expect(await report('198.51.100.1')).toBe(200);
});

test('the networks of one IPv6 /48 have the reports of one client', async () => {
  await using other = await testService({ TRUST_PROXY: 'loopback' });
  const statuses = [];
  for (let network = 0; network < 201; network++) {
    const headers = { 'x-forwarded-for': `2001:db8:1:${network.toString(16)}::1` };
    const sent = { method: 'POST', url: '/api/report-decode-issue', headers, payload: BODY } as const;
    statuses.push((await other.app.inject(sent)).statusCode);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('the long texts of decided reports are kept as long as decodes', async () => {
  await using other = await testService();
  const { kysely } = other.database;
  const payload = { ...BODY, actualReport: { model: 'Civic' } };
  await other.app.inject({ method: 'POST', url: '/api/report-decode-issue', payload });
  const one = await kysely.selectFrom('correction_reports').selectAll().executeTakeFirstOrThrow();
  const nowMs = Date.now();
  const decided = (id: string, days: number) =>
    ({ ...one, id, state: 'rejected', decided_at: nowMs - days * DAY_MS, reason: 'No.' }) as const;
  await kysely
    .insertInto('correction_reports')
    .values([decided('old', 91), decided('new', 89)])
    .execute();
  expect(await dropOldTexts(other.database, nowMs, 90)).toBe(1);
  const rows = await kysely.selectFrom('correction_reports').selectAll().orderBy('id').execute();
  const texts = { actual_report: one.actual_report, answered: one.answered };
  expect(rows).toMatchObject([
    { id: one.id, ...texts },
    { id: 'new', ...texts },
    { id: 'old', claim: one.claim, actual_report: null, answered: null },
  ]);
  const root = await administrator(other, 'root@example.com');
  expect((await root.get('/admin/reports/old')).body).toContain('Accord');
  // More than a page of one moment, some of which were dropped before.
  const many = Array.from({ length: 170 }, (_, index) => {
    const row = decided(`many-${index}`, index < 120 ? 91 : 92);
    return index % 3 === 0 ? { ...row, actual_report: null, answered: null } : row;
  });
  await kysely.insertInto('correction_reports').values(many).execute();
  expect(await dropOldTexts(other.database, nowMs, 90)).toBe(113);
  expect(await dropOldTexts(other.database, nowMs, 90)).toBe(0);
});

test('of equal reports the first alone keeps its long texts, and all are decided with it', async () => {
  await using other = await testService();
  const payload = { ...BODY, actualReport: { note: 'x'.repeat(1_000) } };
  const { kysely } = other.database;
  for (let count = 0; count < 3; count++) {
    await other.app.inject({ method: 'POST', url: '/api/report-decode-issue', payload });
  }
  const stored = () => kysely.selectFrom('correction_reports').selectAll().orderBy('id').execute();
  const [first, ...others] = await stored();
  expect(first).toMatchObject({ actual_report: expect.any(String), answered: expect.any(String), duplicate_of: null });
  expect(others).toMatchObject([
    { actual_report: null, answered: null, duplicate_of: first?.id },
    { actual_report: null, answered: null, duplicate_of: first?.id },
  ]);
  const root = await administrator(other, 'root@example.com');
  await root.post(`/admin/reports/${first?.id}/reject`, { reason: 'No.' });
  expect((await stored()).map(({ state }) => state)).toEqual(['rejected', 'rejected', 'rejected']);
  for (const { id } of others) expect((await root.get(`/admin/reports/${id}`)).statusCode).toBe(200);
});
