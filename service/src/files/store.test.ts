import { expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { freshDatabase } from '../testing/databases.ts';
import { createWorkspace } from '../workspaces/index.ts';
import { removeOldFiles } from './store.ts';
import { turnsDuring } from '../testing/loop-turns.ts';

const ROWS = 20_000;

test('others get their turn while a large file is removed', async () => {
  const fresh = await freshDatabase('sqlite');
  const database = await fresh.open();
  const { kysely } = database;
  const made = await createWorkspace({ database, clock: systemClock }, { slug: 'w', plan: 'free' }, 'cli:test');
  if (made.kind !== 'created') throw new Error(made.kind);
  const file = {
    id: 'f',
    workspace_id: made.workspace.id,
    created_by: 'ada',
    name: 'cars.csv',
    header: null,
    delimiter: ',',
    vin_column: 0,
    column_name: 'vin',
    width: 1,
    bytes: 2,
    state: 'completed',
    row_count: ROWS,
    done: ROWS,
    delivered: 0,
    created_at: 0,
    finished_at: 0,
    run_at: 0,
    reading: null,
  } as const;
  await kysely.insertInto('vin_files').values(file).execute();
  await kysely.insertInto('vin_file_pages').values({ file_id: 'f', first_row: 0, rows: '[]' }).execute();
  const rows = Array.from({ length: ROWS }, (_, row) => ({ file_id: 'f', row, decode_id: null }));
  for (let from = 0; from < ROWS; from += 1_000)
    await kysely
      .insertInto('vin_file_rows')
      .values(rows.slice(from, from + 1_000))
      .execute();
  const { result, turns } = await turnsDuring(() => removeOldFiles(database, Date.now(), 1));
  expect(result).toBe(1);
  expect(turns).toBeGreaterThanOrEqual(8);
  for (const table of ['vin_files', 'vin_file_pages', 'vin_file_rows'] as const)
    expect(await kysely.selectFrom(table).selectAll().execute()).toEqual([]);
  await fresh.remove();
});
