import { afterAll, beforeAll, expect, test } from 'vitest';

import { DAY_MS, systemClock } from '../../kernel/clock.ts';
import { monthAfter } from '../../kernel/db/month.ts';
import { monthText, shortDay } from '../../kernel/ui/times.tsx';
import { signUp } from '../../people/testing/people.ts';
import type { Reader } from '../../testing/reader.ts';
import { type TestService, testService } from '../../testing/service.ts';
import { createKey, findWorkspace, systemRandom } from '../../workspaces/index.ts';

const HOME = '/portal/ada-motors';
const NOW = monthAfter(Date.now(), 0);
const BEFORE = monthAfter(Date.now(), -1);

let service: TestService;
let owner: Reader;
let keyId: string;

beforeAll(async () => {
  service = await testService();
  owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const { database } = service;
  const workspaceId = (await findWorkspace(database, 'ada-motors'))?.id ?? '';
  const deps = { database, clock: systemClock, random: systemRandom };
  keyId = (await createKey(deps, { workspaceId, name: '=nightly' }, 'cli:test')).id;
  const subject = `workspace:${workspaceId}`;
  const charge = (startMs: number, day: number, of: string, charged: number) => ({
    subject,
    window_start: startMs,
    day_start: startMs + day * DAY_MS,
    key_id: of,
    charged,
  });
  const rows = [
    charge(NOW, 0, keyId, 7),
    charge(BEFORE, 3, keyId, 20),
    charge(BEFORE, 3, '', 5),
    charge(BEFORE, 9, '', 8),
  ];
  await database.kysely.insertInto('usage_ledger').values(rows).execute();
});

afterAll(() => service[Symbol.asyncDispose]());

/** Returns the labels of the bars that show something. */
async function bars(path: string): Promise<string[]> {
  const { body } = await owner.get(path);
  const places = [...body.matchAll(/aria-label="([^"]+)"><rect class="whole-place"[^>]*><\/rect><rect class="bar"/g)];
  return places.map(([, label = '']) => label);
}

const label = (startMs: number, day: number, charged: number) => `${shortDay(startMs + day * DAY_MS)}: ${charged}`;
const day = (startMs: number, of: number) => new Date(startMs + of * DAY_MS).toISOString().slice(0, 10);
const monthPath = (startMs: number) => `${HOME}?month=${new Date(startMs).toISOString().slice(0, 7)}`;

test('an earlier month opens with its own days and figures, and leads back', async () => {
  expect(await bars(HOME)).toEqual([label(NOW, 0, 7)]);
  const now = await owner.get(HOME);
  expect(now.body).toContain(`href="${monthPath(BEFORE)}"`);
  expect(await bars(monthPath(BEFORE))).toEqual([label(BEFORE, 3, 25), label(BEFORE, 9, 8)]);
  const before = (await owner.get(monthPath(BEFORE))).body;
  expect(before).toContain(`Usage in ${monthText(BEFORE)}`);
  expect(before).toContain('Busiest day');
  expect(before).toContain(`<a href="${HOME}">${monthText(NOW)}</a>`);
  expect(before).not.toContain('Forecast');
});

test('the charts are narrowed to a key, or to the portal', async () => {
  expect(await bars(`${monthPath(BEFORE)}&key=${keyId}`)).toEqual([label(BEFORE, 3, 20)]);
  expect(await bars(`${monthPath(BEFORE)}&key=portal`)).toEqual([label(BEFORE, 3, 5), label(BEFORE, 9, 8)]);
  expect((await owner.get(`${monthPath(BEFORE)}&key=portal`)).body).toContain('Show all keys');
});

test('shows the current month with all keys if no month or key is named', async () => {
  expect(await bars(`${HOME}?month=1999-01&key=nothing`)).toEqual([label(NOW, 0, 7)]);
});

test('twelve months are downloaded by day and key', async () => {
  const { body, headers } = await owner.get(`${HOME}/usage.csv`);
  expect(headers['content-disposition']).toBe('attachment; filename="ada-motors-usage.csv"');
  expect(body.replace('\uFEFF', '').trim().split('\r\n')).toEqual([
    'day,keyId,key,decodes',
    `${day(BEFORE, 3)},,,5`,
    `${day(BEFORE, 3)},${keyId},'=nightly,20`,
    `${day(BEFORE, 9)},,,8`,
    `${day(NOW, 0)},${keyId},'=nightly,7`,
  ]);
});

test('of many keys the most used are listed, and the file names every one', async () => {
  const reader = await signUp(service, 'kim@example.com', 'kim-motors');
  const { database } = service;
  const workspaceId = (await findWorkspace(database, 'kim-motors'))?.id ?? '';
  const deps = { database, clock: systemClock, random: systemRandom };
  const rows = [];
  for (let used = 1; used <= 30; used++) {
    const { id } = await createKey(deps, { workspaceId, name: `key-${used}` }, 'cli:test');
    rows.push({ subject: `workspace:${workspaceId}`, window_start: NOW, day_start: NOW, key_id: id, charged: used });
  }
  await database.kysely.insertInto('usage_ledger').values(rows).execute();
  const { body } = await reader.get('/portal/kim-motors');
  const listed = [...body.matchAll(/>(key-\d+)<\/a>/g)].map(([, name]) => name);
  expect(listed).toEqual(Array.from({ length: 25 }, (_, index) => `key-${30 - index}`));
  expect(body).toContain('The most used keys');
  const least = rows[0]?.key_id ?? '';
  expect((await reader.get(`/portal/kim-motors?key=${least}`)).body).toContain('with the key key-1.');
  expect((await reader.get('/portal/kim-motors/usage.csv')).body.match(/,key-\d+,/g)).toHaveLength(30);
});
