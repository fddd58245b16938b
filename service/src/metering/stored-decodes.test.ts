import { expect, test } from 'vitest';

import { newUuid7 } from '../kernel/db/uuid7.ts';
import { freshDatabase } from '../testing/databases.ts';
import { pagesOfDecodes } from './stored-decodes.ts';

const ROWS = 2_001;

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
  let [turns, over] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  let [pages, decodes] = [0, 0];
  for await (const page of pagesOfDecodes(database, 'workspace:w', { search: '' })) {
    pages += 1;
    decodes += page.length;
  }
  over = true;
  expect(decodes).toBe(ROWS);
  expect(pages).toBeGreaterThan(3);
  expect(turns).toBeGreaterThanOrEqual(pages);
  await fresh.remove();
});
