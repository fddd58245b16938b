import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readConfig } from '../kernel/config/config.ts';
import { signUp } from '../people/testing/people.ts';
import { ENGINES } from '../testing/databases.ts';
import type { Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';
import { findWorkspace, setPlan } from '../workspaces/index.ts';
import { alertsOf, mailAlerts, readAlerts } from './alerts.ts';

const NOVEMBER = Date.UTC(2026, 10, 1);
const DECEMBER = Date.UTC(2026, 11, 1);
const HOME = '/portal/ada-motors';

const mailOf = (percent: number) => `ada@example.com: ada-motors has used ${percent}% of its decodes this month`;

test.each<[string, number[] | undefined]>([
  ['80, 100', [80, 100]],
  ['100%;50 80 80', [50, 80, 100]],
  ['', []],
  ['0', undefined],
  ['101', undefined],
  ['12.5', undefined],
  ['many', undefined],
  ['1 2 3 4 5 6', undefined],
])('"%s" asks for alerts at %j', (text, percents) => {
  expect(readAlerts(text)).toEqual(percents);
});

describe.each(ENGINES)('on %s', (engine) => {
  let service: TestService;
  let owner: Reader;
  let workspaceId: string;
  let nowMs: number;

  beforeEach(async () => {
    service = await serviceOn(engine);
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    workspaceId = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
    nowMs = NOVEMBER + 1;
    await setLimit(1_000);
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
  });

  const clock = (): number => nowMs;

  async function setLimit(limit: number): Promise<void> {
    const wanted = { plan: 'business', limit: { kind: 'fixed', limit } } as const;
    await setPlan({ database: service.database, clock }, 'ada-motors', wanted, 'cli:test');
  }

  /** Sets this month's usage, checks once who has reached a share, and returns the subjects of all mails so far. */
  async function mailsAt(used: number, windowStartMs = NOVEMBER): Promise<string[]> {
    const { kysely } = service.database;
    nowMs += 1;
    const row = { subject: `workspace:${workspaceId}`, window_start: windowStartMs, used };
    await kysely
      .insertInto('usage_counters')
      .values(row)
      .onConflict((conflict) => conflict.columns(['subject', 'window_start']).doUpdateSet({ used }))
      .execute();
    const reading = readConfig({});
    if (reading.kind === 'faulty') throw new Error('The settings are faulty.');
    await mailAlerts({ database: service.database, clock, config: reading.config });
    const mails = await kysely.selectFrom('mail_outbox').select('mail').orderBy('id').execute();
    return mails.map(({ mail }) => JSON.parse(mail)).map(({ to, subject }) => `${to}: ${subject}`);
  }

  test('owners get one mail for each share that is reached, again in the next month and after the limit changed', async () => {
    await owner.post(`${HOME}/alerts`, { percents: '50, 80, 100' });
    expect(await mailsAt(499)).toEqual([]);
    expect(await mailsAt(500)).toEqual([mailOf(50)]);
    expect(await mailsAt(700)).toEqual([mailOf(50)]);
    // Two at once are one mail.
    expect(await mailsAt(1_000)).toEqual([mailOf(50), mailOf(100)]);
    await setLimit(2_000);
    expect(await mailsAt(1_000)).toEqual([mailOf(50), mailOf(100), mailOf(50)]);
    nowMs = DECEMBER + 1;
    expect(await mailsAt(1_600, DECEMBER)).toEqual([mailOf(50), mailOf(100), mailOf(50), mailOf(80)]);
  });

  test('the page sets them; a share already reached sends no mail, and a member who is not an owner cannot set them', async () => {
    const page = await owner.get(HOME);
    expect(page.body).toContain('Mail alerts are off: no mail server is set.');
    const now = new Date();
    nowMs = now.getTime();
    const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
    await mailsAt(900, startMs);
    expect((await owner.submit(`${HOME}/alerts`, { percents: '80 95' })).body).toContain('The alerts are saved.');
    expect(await alertsOf(service.database, workspaceId)).toEqual([80, 95]);
    expect(await mailsAt(900, startMs)).toEqual([]);
    expect(await mailsAt(950, startMs)).toEqual([mailOf(95)]);
    const wrong = await owner.post(`${HOME}/alerts`, { percents: '80, often' });
    expect([wrong.statusCode, await alertsOf(service.database, workspaceId)]).toEqual([422, [80, 95]]);
    await owner.post(`${HOME}/alerts`, { percents: '' });
    expect(await alertsOf(service.database, workspaceId)).toEqual([]);
    await service.database.kysely.updateTable('workspace_members').set({ role: 'member' }).execute();
    expect((await owner.post(`${HOME}/alerts`, { percents: '80' })).statusCode).toBe(403);
  });
});
