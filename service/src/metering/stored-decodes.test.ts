import { expect, test, vi } from 'vitest';

import { newUuid7 } from '../kernel/db/uuid7.ts';
import { anyTurn } from '../kernel/limits/loop-turns.ts';
import { ENGINES, freshDatabase } from '../testing/databases.ts';
import { listDecodes, pagesOfDecodes } from './stored-decodes.ts';
import { turnsDuring } from '../testing/loop-turns.ts';

const ROWS = 2_001;

test('a filter that few decodes match finds them at any age, and gives others their turn', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const subject = 'workspace:w';
  const [vin, sought] = ['1HGCM82633A004352', 'WVWZZZ1KZAW000001'];
  const rows = Array.from({ length: 12_002 }, (_, index) => {
    const own = [1, 6_000, 6_001, 12_001].includes(index) ? sought : vin;
    return {
      id: newUuid7(index),
      subject,
      key_id: 'k',
      vin: own,
      outcome: 'identified',
      charged: 1,
      created_at: index,
      report: JSON.stringify({ vin: own }),
    } as const;
  });
  for (let from = 0; from < rows.length; from += 1_000)
    await database.kysely
      .insertInto('decodes')
      .values(rows.slice(from, from + 1_000))
      .execute();
  const find = async (more: { olderThan?: string; fromMs?: number; untilMs?: number; limit?: number }) => {
    const wanted = { search: sought, olderThan: undefined, limit: 10, ...more };
    const { decodes, olderThan } = await listDecodes(database, subject, wanted);
    return { at: decodes.map(({ createdAtMs }) => createdAtMs), olderThan };
  };
  const { result, turns } = await turnsDuring(() => find({}));
  expect(result).toEqual({ at: [12_001, 6_001, 6_000, 1], olderThan: undefined });
  expect(turns).toBeGreaterThanOrEqual(6);
  expect(await find({ fromMs: 2, untilMs: 12_001 })).toEqual({ at: [6_001, 6_000], olderThan: undefined });
  const first = await find({ limit: 2 });
  expect(first.at).toEqual([12_001, 6_001]);
  expect((await find({ olderThan: first.olderThan ?? '' })).at).toEqual([6_000, 1]);
  const exported: number[] = [];
  for await (const page of pagesOfDecodes(database, subject, { search: sought }, anyTurn))
    exported.push(...page.map(({ createdAtMs }) => createdAtMs));
  expect(exported).toEqual([12_001, 6_001, 6_000, 1]);
  await fresh.remove();
});

test.each(ENGINES)(
  'on %s, a filter that matches nothing looks at so many decodes, and says where to go on',
  async (engine) => {
    const fresh = await freshDatabase(engine);
    const database = await fresh.open();
    const vin = '1HGCM82633A004352';
    const row = { subject: 'workspace:w', key_id: 'k', vin, charged: 1, report: JSON.stringify({ vin }) } as const;
    const rows = Array.from({ length: 12_001 }, (_, index) => ({
      ...row,
      id: newUuid7(index),
      outcome: index === 0 ? 'partial' : 'identified',
      created_at: index,
    }));
    for (let from = 0; from < rows.length; from += 1_000)
      await database.kysely
        .insertInto('decodes')
        .values(rows.slice(from, from + 1_000))
        .execute();
    const most = { read: 1_000, looked: 10_000, lookedForText: 5_000, lookedForVin: 5_000 };
    const find = (more: { search?: string; outcome?: string; olderThan?: string }) =>
      listDecodes(database, 'workspace:w', { search: '', olderThan: undefined, limit: 10, ...more }, { most });
    const first = await find({ outcome: 'partial' });
    expect(first).toEqual({ decodes: [], olderThan: rows[1_999]?.id });
    const second = await find({ outcome: 'partial', olderThan: first.olderThan ?? '' });
    expect(second).toMatchObject({ decodes: [{ createdAtMs: 0 }], olderThan: undefined });
    const sought = { search: 'WVWZZZ1KZAW000001' };
    expect((await find(sought)).olderThan).toBe(rows[7_000]?.id);
    expect((await find({ ...sought, olderThan: rows[2_000]?.id ?? '' })).olderThan).toBeUndefined();
    expect((await find({ search: 'zzzz' })).olderThan).toBe(rows[7_000]?.id);
    await fresh.remove();
  },
);

test.each(ENGINES)('on %s, a search parses few of the reports that it does not show', async (engine) => {
  const fresh = await freshDatabase(engine);
  const database = await fresh.open();
  const reports = [
    { manufacturer: 'Škoda', model: 'Octavia', plant: '100% Mladá_Boleslav' },
    { manufacturer: 'Land Rover', model: '50%_"off"' },
  ];
  const rows = Array.from({ length: 4_000 }, (_, index) => {
    const report = { vin: '1HGCM82633A004352', model: 'Accord', plant: 'Marysville', ...reports[index] };
    const row = { subject: 'workspace:w', key_id: 'k', vin: report.vin, outcome: 'identified', charged: 1 } as const;
    return { ...row, id: newUuid7(index), created_at: index, report: JSON.stringify(report) };
  });
  for (let from = 0; from < rows.length; from += 1_000)
    await database.kysely
      .insertInto('decodes')
      .values(rows.slice(from, from + 1_000))
      .execute();
  const parse = vi.spyOn(JSON, 'parse');
  const find = async (search: string, make?: string) => {
    parse.mockClear();
    const wanted = { search, make, olderThan: undefined, limit: 10 };
    const { decodes, olderThan } = await listDecodes(database, 'workspace:w', wanted);
    return { found: decodes.map(({ createdAtMs }) => createdAtMs), olderThan, parsed: parse.mock.calls.length };
  };
  const [none, skoda, rover] = [{ found: [], olderThan: undefined }, { found: [0] }, { found: [1] }];
  expect(await find('zzzz')).toEqual({ ...none, parsed: 0 });
  expect(await find('', 'zzzz')).toEqual({ ...none, parsed: 0 });
  expect(await find('OCTAVIA 1hgcm')).toMatchObject({ ...skoda, parsed: 1 });
  expect(await find('', 'land rover')).toMatchObject({ ...rover, parsed: 1 });
  expect(await find('%_')).toMatchObject(rover);
  expect(await find('d_b')).toEqual({ ...none, parsed: 0 });
  // These are looked for in what was read: each search goes on where the one before ended.
  for (const [search, outcome] of [
    ['škoda', skoda],
    ['"off"', rover],
    ['marysville', none],
  ] as const) {
    let after: string | undefined;
    let found: number[] = [];
    do {
      parse.mockClear();
      const page = await listDecodes(database, 'workspace:w', { search, olderThan: after, limit: 10 });
      expect(parse.mock.calls.length).toBeLessThanOrEqual(1_000);
      found = found.concat(page.decodes.map(({ createdAtMs }) => createdAtMs));
      after = page.olderThan;
    } while (after !== undefined);
    expect({ found }).toMatchObject({ found: outcome.found });
  }
  parse.mockRestore();
  await fresh.remove();
});

test('others get their turn between two pages of a long download', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const vin = '1HGCM82633A004352';
  const row = { subject: 'workspace:w', key_id: 'k', vin, outcome: 'identified', charged: 1, created_at: 1 } as const;
  const rows = Array.from({ length: ROWS }, () => ({ ...row, id: newUuid7(1), report: JSON.stringify({ vin }) }));
  for (let from = 0; from < ROWS; from += 500)
    await database.kysely
      .insertInto('decodes')
      .values(rows.slice(from, from + 500))
      .execute();
  let [pages, decodes, taken] = [0, 0, 0];
  const turn = async (): Promise<void> => {
    taken += 1;
    await anyTurn();
  };
  const { turns } = await turnsDuring(async () => {
    for await (const page of pagesOfDecodes(database, 'workspace:w', { search: '' }, turn)) {
      pages += 1;
      decodes += page.length;
    }
  });
  expect(decodes).toBe(ROWS);
  expect(pages).toBeGreaterThan(3);
  expect(turns).toBeGreaterThanOrEqual(pages);
  // Before a page is read, and after that.
  expect(taken).toBeGreaterThanOrEqual(2 * pages);
  await fresh.remove();
});
