import { setImmediate as nextTurn } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Database } from '../db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { appendAudit, audited, listAudit, verifyAudit } from './index.ts';

describe.each(ENGINES)('the audit log on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
  });

  afterEach(() => fresh.remove());

  const append = (subject: string, details: Record<string, unknown> = {}, on = database) =>
    on.kysely
      .transaction()
      .execute((transaction) =>
        appendAudit(transaction, 1_000, { actor: 'cli:test', action: 'thing.done', subject, details }),
      );

  async function appendMany(count: number): Promise<void> {
    for (let number = 0; number < count; number++) await append('thing:many');
  }

  async function tamper(statement: string): Promise<void> {
    const triggers = ['audit_log_unchanged', 'audit_log_kept'];
    if (engine === 'postgres') await sql.raw('ALTER TABLE audit_log DISABLE TRIGGER USER').execute(database.kysely);
    else for (const name of triggers) await sql.raw(`DROP TRIGGER IF EXISTS ${name}`).execute(database.kysely);
    await sql.raw(statement).execute(database.kysely);
  }

  test('numbers entries without gaps in the order of their commits, however many write', async () => {
    const other = await fresh.open();
    const writes = Array.from({ length: 20 }, (_, index) =>
      append('thing:many', {}, index % 2 === 0 ? database : other),
    );
    const places = await Promise.all(writes);
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await verifyAudit(database)).toEqual({ kind: 'whole', entries: 20 });
  });

  test('begins the acts of many a few at a time, and does each of them', async () => {
    const begun = vi.spyOn(database.kysely, 'transaction');
    const acts = Array.from({ length: 60 }, (_, index) =>
      audited({ database, clock: () => 1_000 }, `public:${index}`, ({ appendEntry }) =>
        appendEntry({ action: 'thing.done', subject: 'thing:crowd', details: {} }),
      ),
    );
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    expect(begun.mock.calls.length).toBeLessThan(3);
    await Promise.all(acts);
    expect(await listAudit(database, { subject: 'thing:crowd' })).toHaveLength(60);
    begun.mockRestore();
  });

  test('lets an operator act before the reports of a crowd that fill the queue', async () => {
    let [reported, refused] = [0, 0];
    const crowd = Array.from({ length: 1_010 }, (_, index) =>
      audited({ database, clock: () => 1_000 }, `public:${index}`, async () => (reported += 1)).catch(
        () => (refused += 1),
      ),
    );
    const urgent = audited({ database, clock: () => 1_000 }, 'admin:test', ({ appendEntry }) =>
      appendEntry({ action: 'thing.done', subject: 'thing:urgent', details: {} }),
    );
    await nextTurn();
    // Those that found the queue full.
    expect(refused).toBe(9);
    await urgent;
    expect(reported).toBeLessThan(200);
    await Promise.all(crowd);
  });

  test('is verified a page at a time, and lets other work run between them', async () => {
    await database.kysely.transaction().execute(async (transaction) => {
      for (let index = 0; index < 1_100; index++) {
        await appendAudit(transaction, 1_000, { actor: 'a', action: 'b', subject: 'thing:long', details: {} });
      }
    });
    let hasOtherRun = false;
    setImmediate(() => (hasOtherRun = true));
    expect(await verifyAudit(database)).toMatchObject({ kind: 'whole' });
    expect(hasOtherRun).toBe(true);
  });

  test('leaves no entry of a transaction that failed', async () => {
    const failing = database.kysely.transaction().execute(async (transaction) => {
      await appendAudit(transaction, 1_000, { actor: 'a', action: 'b', subject: 'thing:lost', details: {} });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await listAudit(database, { subject: 'thing:lost' })).toEqual([]);
    expect(await verifyAudit(database)).toMatchObject({ kind: 'whole' });
  });

  test('lists the acts on a thing, newest first, with their original details', async () => {
    const details = { why: '\u0000\u202e<script>𝕏', fields: { model: null } };
    await append('thing:one', { first: true });
    await append('thing:one', details);
    const entries = await listAudit(database, { subject: 'thing:one' });
    expect(entries.map((entry) => entry.details)).toEqual([details, { first: true }]);
    expect(await listAudit(database, { subject: 'thing:one', before: entries[0]?.seq ?? 0 })).toHaveLength(1);
    await appendMany(2);
    expect(await listAudit(database, { limit: 3 })).toHaveLength(3);
  });

  test('refuses changes and deletions', async () => {
    await appendMany(1);
    for (const statement of ["UPDATE audit_log SET actor = 'x'", 'DELETE FROM audit_log']) {
      await expect(sql.raw(statement).execute(database.kysely)).rejects.toThrow('append-only');
    }
  });

  test('shows where somebody changed it all the same', async () => {
    await appendMany(8);
    await tamper("UPDATE audit_log SET actor = 'nobody' WHERE seq = 5");
    expect(await verifyAudit(database)).toEqual({
      kind: 'broken',
      seq: 5,
      what: 'Entry 5 was changed after it was written.',
    });
    await tamper("UPDATE audit_log SET actor = 'cli:test' WHERE seq = 5");
    expect(await verifyAudit(database)).toMatchObject({ kind: 'whole' });
    await tamper('DELETE FROM audit_log WHERE seq = 7');
    expect(await verifyAudit(database)).toMatchObject({ kind: 'broken', seq: 7, what: 'Entry 7 is missing.' });
  });

  test('shows that its end was cut off', async () => {
    await appendMany(8);
    await tamper('DELETE FROM audit_log WHERE seq >= 7');
    expect(await verifyAudit(database)).toEqual({ kind: 'broken', seq: 7, what: 'Entry 7 is missing.' });
  });
});
