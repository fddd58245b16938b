import { afterEach, beforeEach, expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { createWorkspace } from '../workspaces/index.ts';
import { LoopTurns } from '../kernel/limits/loop-turns.ts';
import { previewFile } from './preview.ts';
import { storePages } from './file-pages.ts';
import { removeOldFiles, takeFile } from './store.ts';
import { turnsDuring } from '../testing/loop-turns.ts';

const ROWS = 20_000;

let fresh: TestDatabase;
let database: Database;
let workspaceId: string;

beforeEach(async () => {
  fresh = await freshDatabase('sqlite');
  database = await fresh.open();
  const made = await createWorkspace({ database, clock: systemClock }, { slug: 'w', plan: 'free' }, 'cli:test');
  if (made.kind !== 'created') throw new Error(made.kind);
  workspaceId = made.workspace.id;
});

afterEach(() => fresh.remove());

const take = (file: Pick<Parameters<typeof takeFile>[1], 'content' | 'turns'>) =>
  takeFile({ database, clock: systemClock }, { workspaceId, createdBy: 'ada', name: 'cars', column: '', ...file });

test('others get their turn while a large file is stored', async () => {
  const file = await take({ content: 'VIN\n1HGCM82633A004352' });
  if (file.kind !== 'taken') throw new Error(file.kind);
  const pages = Array.from({ length: 30 }, (_, page) => ({ first_row: page + 1, rows: 'x'.repeat(65_536) }));
  const { turns } = await database.kysely
    .transaction()
    .execute((transaction) => turnsDuring(() => storePages(transaction, file.id, pages)));
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('nothing of a file is read when its workspace is full, and no more of one than there is room for', async () => {
  await take({ content: 'VIN\n1HGCM82633A004352' });
  const { kysely } = database;
  const keep = (bytes: number) => kysely.updateTable('vin_files').set({ bytes }).execute();
  await keep(12_000_000);
  let isRead = false;
  const content = async (): Promise<string> => {
    isRead = true;
    return 'VIN\n1HGCM82633A004352';
  };
  expect(await take({ content })).toMatchObject({ kind: 'full', message: expect.stringContaining('12 MB') });
  expect(isRead).toBe(false);
  await keep(11_900_000);
  let turns = 0;
  const turn = async (): Promise<void> => void (turns += 1);
  const large = `VIN\n${'1HGCM82633A004352\n'.repeat(9_000)}`;
  expect(await take({ content: large, turns: { turn, store: (work) => work() } })).toMatchObject({ kind: 'full' });
  const refused = turns;
  await keep(0);
  expect(await take({ content: large, turns: { turn, store: (work) => work() } })).toMatchObject({ kind: 'taken' });
  expect(turns - refused).toBeGreaterThan(refused);
});

test('of many who look at what a file would cost, one page is read in a turn of the event loop', async () => {
  const file = await take({ content: `VIN\n${'1HGCM82633A004352\n'.repeat(4_000)}` });
  if (file.kind !== 'taken') throw new Error(file.kind);
  const shared = new LoopTurns();
  const reader = new AbortController();
  const turn = () => shared.next({ id: 'ada', isPaid: false }, reader.signal);
  const { turns } = await turnsDuring(() =>
    Promise.all(Array.from({ length: 10 }, () => previewFile(database, file.id, turn))),
  );
  // Each looks at 20 pages.
  expect(turns).toBeGreaterThanOrEqual(200);
});

test('a file whose workspace is closed while it arrives is not stored', async () => {
  const { kysely } = database;
  const content = async (): Promise<string> => {
    await kysely.updateTable('workspaces').set({ suspended_at: 1 }).execute();
    return 'VIN\n1HGCM82633A004352';
  };
  await expect(take({ content })).rejects.toMatchObject({ statusCode: 404 });
  expect(await kysely.selectFrom('vin_files').selectAll().execute()).toEqual([]);
});

test('others get their turn while a large file is removed', async () => {
  const { kysely } = database;
  const file = {
    id: 'f',
    workspace_id: workspaceId,
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
});
