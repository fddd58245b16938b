import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { createKey, createWorkspace, revokeKey, systemRandom } from '../workspaces/index.ts';
import { anyTurn, LoopTurns } from '../kernel/limits/loop-turns.ts';
import { firstRows, previewFile } from './preview.ts';
import { pagesOf, storePages } from './file-pages.ts';
import { privacy } from './privacy.ts';
import { removeOldFiles } from './remove.ts';
import { findFile, type NewFile, resumeFile, takeFile } from './store.ts';
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

const take = (file: Pick<NewFile, 'content' | 'turns' | 'mostRows'> & Partial<Pick<NewFile, 'createdBy'>>) =>
  takeFile({ database, clock: systemClock }, { workspaceId, createdBy: 'ada', name: 'cars', column: '', ...file });

test('others get their turn while a large file is stored', async () => {
  const file = await take({ content: 'VIN\n1HGCM82633A004352' });
  if (file.kind !== 'taken') throw new Error(file.kind);
  const pages = Array.from({ length: 30 }, (_, page) => ({
    first_row: page + 1,
    rows: new TextEncoder().encode('x'.repeat(65_536)),
    lines: '[]',
  }));
  const { turns } = await database.kysely
    .transaction()
    .execute((transaction) => turnsDuring(() => storePages(transaction, file.id, pages)));
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('no page has so much text that looking for its VINs takes long', async () => {
  // The longest text in which one is looked for.
  const file = await take({ content: `VIN\n${`${'x'.repeat(4_096)}\n`.repeat(40)}1HGCM82633A004352` });
  if (file.kind !== 'taken') throw new Error(file.kind);
  const lengths: number[] = [];
  for await (const { rows } of pagesOf(database, file.id)) lengths.push(rows.flat().join('').length);
  expect(Math.max(...lengths)).toBeLessThan(40_000);
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

/** Returns a file with one row more than there are gaps, none as long as the one before, and the lines of its rows. */
function withGaps(gaps: number): { content: string; lines: number[] } {
  let content = 'VIN\n1HGCM82633A004352\n';
  const lines = [2];
  for (let row = 1; row <= gaps; row += 1) {
    content += `${'\n'.repeat(row % 3)}row ${row}\n`;
    lines.push((lines.at(-1) ?? 0) + 1 + (row % 3));
  }
  return { content, lines };
}

test('a file with gaps everywhere is taken, and the lines of its rows are told without parsing more than some pages', async () => {
  const { content, lines } = withGaps(40_000);
  const file = await take({ content: `${content}1HGCM82633A004352\n`, mostRows: 50_000 });
  if (file.kind !== 'taken') throw new Error(file.kind);
  const { kysely } = database;
  const stored = await kysely.selectFrom('vin_files').select(['bytes', 'header', 'reading']).executeTakeFirstOrThrow();
  expect(stored.reading?.length).toBeLessThan(100);
  const pages = await kysely.selectFrom('vin_file_pages').select(['rows', 'lines']).execute();
  const texts = [stored.header, stored.reading, ...pages.flatMap((page) => [page.rows, page.lines])];
  expect(stored.bytes).toBe(Buffer.byteLength(texts.join('')));
  const parsed = vi.spyOn(JSON, 'parse');
  const preview = await previewFile(database, file.id, anyTurn);
  const first = await firstRows(database, file.id, 'free');
  const longest = Math.max(...parsed.mock.calls.map(([text]) => text.length));
  parsed.mockRestore();
  expect(longest).toBeLessThan(10_000);
  expect(preview?.rows).toBe(40_002);
  expect(preview?.firstBad.map(({ line }) => line)).toEqual(lines.slice(1, 21));
  expect(preview?.sample.rows.map(({ line }) => line)).toEqual(lines.slice(0, 5));
  expect(first).toEqual([]);
});

test('a file that an earlier version stored, with its lines in one text, has the lines that it had', async () => {
  const { content, lines } = withGaps(3_000);
  const vins = '1HGCM82633A004352\n'.repeat(3_000);
  const file = await take({
    content: content.replaceAll(/row \d+\n/g, '1HGCM82633A004352\n') + vins.replace(/.$/s, '\nx\n'),
  });
  if (file.kind !== 'taken') throw new Error(file.kind);
  const { kysely } = database;
  const now = await previewFile(database, file.id, anyTurn);
  const bad = (lines.at(-1) ?? 0) + 3_001;
  expect(now?.firstBad).toMatchObject([{ line: bad, text: 'x' }]);
  const breaks = lines.map((line, row) => [row, line]);
  await kysely
    .updateTable('vin_files')
    .set({ reading: JSON.stringify({ form: 'CSV', lines: breaks }), done: 1 })
    .execute();
  await kysely.updateTable('vin_file_pages').set({ lines: null }).execute();
  const parsed = vi.spyOn(JSON, 'parse');
  expect(await previewFile(database, file.id, anyTurn)).toEqual(now);
  expect(await firstRows(database, file.id, 'free')).toMatchObject([{ line: 2 }]);
  const longest = Math.max(...parsed.mock.calls.map(([text]) => text.length));
  parsed.mockRestore();
  expect(longest).toBeLessThan(10_000);
  // The first version had no readings at all.
  await kysely.updateTable('vin_files').set({ reading: null }).execute();
  expect((await previewFile(database, file.id, anyTurn))?.sample.rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
});

test.each([
  ['live', 'a member', 'ada', 'ada'],
  ['live', 'another key', 'key:other', 'key:other'],
  ['test', 'a member', 'ada', 'test-key:'],
  ['test', 'another test key', 'test-key:other', 'test-key:other'],
] as const)('a file of a %s key that was revoked belongs to %s who resumes it', async (mode, _, by, belongsTo) => {
  const deps = { database, clock: systemClock, random: systemRandom };
  const { id: keyId } = await createKey(deps, { workspaceId, name: 'k', mode }, 'cli:test');
  const createdBy = `${mode === 'test' ? 'test-key' : 'key'}:${keyId}`;
  const taken = await take({ content: 'VIN\n1HGCM82633A004352', createdBy });
  if (taken.kind !== 'taken') throw new Error(taken.kind);
  const resumed = async (): Promise<string | undefined> => {
    await database.kysely.updateTable('vin_files').set({ state: 'stopped' }).execute();
    const file = await findFile(deps, workspaceId, taken.id);
    if (file !== undefined) await resumeFile(deps, file, by);
    return (await findFile(deps, workspaceId, taken.id))?.createdBy;
  };
  expect(await resumed()).toBe(createdBy);
  await revokeKey(deps, keyId, 'cli:test');
  expect(await resumed()).toBe(belongsTo);
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

test.each([
  ['its age', () => removeOldFiles(database, Date.now(), 1)],
  [
    'the erasure of its workspace',
    async () => {
      const subject = { kind: 'workspace', id: workspaceId, slug: 'w' } as const;
      const erasure = await privacy.erasure({ database, clock: systemClock, actor: 'cli:test' }, subject);
      return (await erasure.withdraw?.())?.erased?.['files'];
    },
  ],
])('others get their turn while a large file is removed for %s', async (_why, remove) => {
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
  const { result, turns } = await turnsDuring<number | undefined>(remove);
  expect(result).toBe(1);
  expect(turns).toBeGreaterThanOrEqual(8);
  for (const table of ['vin_files', 'vin_file_pages', 'vin_file_rows'] as const)
    expect(await kysely.selectFrom(table).selectAll().execute()).toEqual([]);
});
