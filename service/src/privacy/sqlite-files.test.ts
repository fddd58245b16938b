import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { runCli } from '../cli/program.ts';
import { partsWith } from '../kernel/db/unused-space.ts';
import { ioWith } from '../testing/io.ts';
import { runMarque } from '../testing/run-marque.ts';
import { testService, type TestService } from '../testing/service.ts';
import { cleanFiles } from './sqlite-files.ts';

let service: TestService;

beforeEach(async () => {
  service = await testService();
});

afterEach(() => service[Symbol.asyncDispose]());

const erase = (vin: string) => runMarque(`privacy erase --vin ${vin} --yes`, service.env);

/** Returns the bytes of the database's files, once the log is in the file. */
function rawFiles(): string {
  if (service.database.engine === 'sqlite') service.database.direct.pragma('wal_checkpoint(TRUNCATE)');
  const file = join(service.env['DATA_DIR'] ?? '', 'marque.db');
  return [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join('\n');
}

/** Reports a wrong decode of each VIN, in turn; each has some text of its own length. */
async function report(vins: readonly string[]): Promise<void> {
  const rows = vins.map((vin, index) => ({
    id: `01980000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    vin,
    claim: JSON.stringify({ vin, note: 'n'.repeat((index * 211) % 900) }),
    claim_hash: String(index),
    actual_report: JSON.stringify({ vin }),
    source: 'public' as const,
    subject: 'public',
    state: 'queued' as const,
    created_at: index,
  }));
  await service.database.kysely.transaction().execute(async (transaction) => {
    for (const row of rows) await transaction.insertInto('correction_reports').values(row).execute();
  });
}

/** Returns the VIN of a vehicle by its serial number. */
const vinOf = (serial: number) => `WVWZZZ1KZAW${String(serial).padStart(6, '0')}`;

/** Returns VINs in an order in which pages of an index by VIN are split everywhere. */
const scattered = (count: number) => Array.from({ length: count }, (_, index) => vinOf((index * 7_919) % 100_003));

/** Stores reports so that SQLite splits pages of their table and its indexes. @returns copies of each VIN in the file. */
async function splitPages(): Promise<Map<string, number>> {
  await report(scattered(3_000));
  // Decisions make rows longer.
  await service.database.kysely
    .updateTable('correction_reports')
    .set({ reason: 'r'.repeat(300) })
    .execute();
  const copies = new Map<string, number>();
  for (const [vin] of rawFiles().matchAll(/WVWZZZ1KZAW\d{6}/g)) copies.set(vin, (copies.get(vin) ?? 0) + 1);
  return copies;
}

/** The copies of a VIN in the rows and indexes of its report. */
const COPIES = 5;

/** Returns a VIN of which unused space of a table, or of an index, has a copy. */
async function vinLeftIn(type: 'table' | 'index', copies: Map<string, number>): Promise<string> {
  const { database } = service;
  if (database.engine !== 'sqlite') throw new Error('It is of SQLite.');
  for (const [vin, count] of copies) {
    if (count <= COPIES) continue;
    const parts = await partsWith(database, (text) => text.includes(vin));
    if (parts.length > 0 && parts.every((part) => part.type === type)) return vin;
  }
  throw new Error(`No ${type} has a copy.`);
}

test('an erased VIN is not left in unused space of the file, be it of a table or of an index', async () => {
  const copies = await splitPages();
  const vins = [await vinLeftIn('index', copies), await vinLeftIn('table', copies)];
  const others = async () => {
    const rows = await service.database.kysely.selectFrom('correction_reports').selectAll().orderBy('id').execute();
    return rows.filter(({ vin }) => vin !== null && !vins.includes(vin));
  };
  const before = await others();
  for (const vin of vins) {
    expect(await erase(vin)).toMatchObject({ status: 0, err: '' });
    expect(rawFiles()).not.toContain(vin);
  }
  expect(await others()).toEqual(before);
});

test('of what is too large to be written anew, an erasure says that the VIN is left, and what to do', async () => {
  const vin = await vinLeftIn('table', await splitPages());
  const note = await cleanFiles(service.database, { kind: 'vin', vin }, { table: 0, index: 0 });
  expect(note).toMatch(
    /^This VIN is left in unused space of marque\.db, in correction_reports: too large .* docs\/privacy\.md\.\n$/,
  );
});

test('the address of a person who was erased with a workspace is not left in unused space of the file', async () => {
  const { kysely } = service.database;
  const people = Array.from({ length: 2_000 }, (_, index) => `person-${(index * 7_919) % 100_003}`);
  await kysely.transaction().execute(async (transaction) => {
    for (const id of people) {
      const times = { created_at: '', updated_at: '' };
      const person = { id, name: id, email: `${id}@example.com`, email_verified: 1, ...times };
      await transaction.insertInto('auth_users').values(person).execute();
    }
  });
  const raw = rawFiles();
  // One is in the row, one in the index.
  const id = people.find((each) => raw.split(`${each}@example.com`).length > 3) ?? '';
  expect(id).not.toBe('');
  await service.keyFor('business');
  const workspace = await kysely.selectFrom('workspaces').select(['id', 'slug']).executeTakeFirstOrThrow();
  const member = { workspace_id: workspace.id, user_id: id, role: 'owner' as const, created_at: 1 };
  await kysely.insertInto('workspace_members').values(member).execute();
  const io = { ...ioWith('', service.env), pause: () => Promise.resolve() };
  expect(await runCli(['privacy', 'erase', '--workspace', workspace.slug, '--yes'], io)).toBe(0);
  expect(rawFiles()).not.toContain(`${id}@example.com`);
  expect(await kysely.selectFrom('auth_users').select('id').execute()).toHaveLength(people.length - 1);
});
