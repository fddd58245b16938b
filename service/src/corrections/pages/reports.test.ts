import { expect, test } from 'vitest';

import { newUuid7 } from '../../kernel/db/uuid7.ts';
import { signUp } from '../../people/testing/people.ts';
import { testService } from '../../testing/service.ts';

const CLAIM = {
  vin: '1HGCM82633A004352',
  expectedManufacturer: 'Honda',
  expectedModel: 'Accord',
  expectedBodyStyle: 'Coupe',
  expectedModelYear: '2003',
};

test('reports are listed a page at a time, each once, with long texts in part', async () => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  await owner.post('/portal/ada-motors/reports', { ...CLAIM, note: 'The registration says so.' });
  const { kysely } = service.database;
  const sent = await kysely.selectFrom('correction_reports').selectAll().executeTakeFirstOrThrow();
  const paths = ['specs.engine', 'specs.transmission', 'specs.trim', 'plant.city'];
  const claim = {
    ...CLAIM,
    expectedModel: '&'.repeat(160),
    expectedBodyStyle: '"'.repeat(120),
    expectedFields: Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`${paths[at % 4]}${at}`, '"'.repeat(200)]),
    ),
  };
  const long = Array.from({ length: 119 }, (_, at) => ({
    ...sent,
    id: newUuid7(Date.now() + at),
    claim: JSON.stringify({ ...claim, expectedManufacturer: `Maker ${at}.` }),
  }));
  await kysely.insertInto('correction_reports').values(long).execute();

  const listed: string[] = [];
  let path: string | undefined = '/portal/ada-motors/reports';
  let pages = 0;
  let last = '';
  for (; path !== undefined; path = /href="([^"]*)">Older reports/.exec(last)?.[1]) {
    last = (await owner.get(path)).body;
    pages += 1;
    // Of each report, no more than its longest texts in part.
    expect(last.length).toBeLessThan(50 * 6 * 700);
    listed.push(...[...last.matchAll(/Maker \d+\./g)].map(([name]) => name));
  }
  expect(pages).toBe(3);
  expect(listed).toHaveLength(119);
  expect(new Set(listed).size).toBe(119);
  expect(last).toContain('…');
  expect(last).toContain('2003 Honda Accord Coupe<');
});
