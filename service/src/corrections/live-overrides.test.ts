import { rmSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openDatabase } from '../database.ts';
import { change } from '../kernel/db/changes.ts';
import type { Database } from '../kernel/db/index.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { claimOn, correctionsOn, report } from './testing/corrections.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { decoder } from '../testing/decoder.ts';
import { PostgresCluster } from '../testing/postgres-cluster.ts';
import { correctedDecoder, LiveOverrides } from './index.ts';
import { turnsDuring } from '../testing/loop-turns.ts';

const VIN = '1HGCM82633A004352';
const BY = { by: 'admin:a@example.com', reason: 'Seen.' } as const;
const FORTY = 40;

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
  });

  afterEach(async () => {
    await fresh.remove();
  });

  /** Overrides after many acceptances: each with its own place in the audit log. */
  async function insertOverrides(reportId: string, count: number): Promise<void> {
    for (let done = 0; done < count; done += FORTY) {
      const rows = Array.from({ length: Math.min(FORTY, count - done) }, (_, index) => {
        const number = done + index;
        return {
          id: `override-${String(number).padStart(6, '0')}`,
          report_id: reportId,
          vin: `1HGCM82633A${String(number).padStart(6, '0')}`,
          fields: '{"trim":"Test"}',
          created_at: 1,
          created_by: 'cli:x',
          changed_seq: 1_000 + number,
        };
      });
      await database.kysely.insertInto('overrides').values(rows).execute();
    }
  }

  test('many overrides are all read at the start, while the instance goes on answering', async () => {
    const here = await correctionsOn(database);
    await insertOverrides(await report(here, claimOn(VIN)), 2_500);
    await here.live.close();
    const { result: live, turns } = await turnsDuring(() => LiveOverrides.open(database));
    expect(live.current().size).toBe(2_500);
    // Once between each two of its three pages, at least.
    expect(turns).toBeGreaterThanOrEqual(2);
    const corrected = correctedDecoder({ decoder }, live.current);
    expect(corrected.decode('1HGCM82633A002499').trim).toBe('Test');
    expect(corrected.decode('1HGCM82633A002500')).toEqual(decoder.decode('1HGCM82633A002500'));
    await live.close();
  });

  test('a change is read without reading the rest again, and no decode sees half of it', async () => {
    const here = await correctionsOn(database);
    const id = await report(here, claimOn(VIN));
    await here.corrections.accept(id, { scope: { kind: 'vin', vin: VIN }, fields: { model: 'A', trim: 'A' } }, BY);
    const other = await report(here, claimOn(VIN, { expectedModel: 'B' }));
    const seen = new Set<string>();
    const over = new AbortController();
    const watching = (async () => {
      while (!over.signal.aborted) {
        const { model, trim } = here.corrected.decode(VIN);
        seen.add(`${model} ${trim}`);
        await yieldToEventLoop();
      }
    })();
    const index = here.live.current();
    await here.corrections.accept(other, { scope: { kind: 'vin', vin: VIN }, fields: { model: 'B', trim: 'B' } }, BY);
    await here.corrections.revert(other, BY);
    over.abort();
    await watching;
    expect(here.live.current()).toBe(index);
    expect([...seen].filter((pair) => pair !== 'A A' && pair !== 'B B')).toEqual([]);
    expect(here.corrected.decode(VIN)).toMatchObject({ model: 'A', trim: 'A' });
    await here.live.close();
  });

  test('an override that was erased while nobody looked is no longer in force', async () => {
    const deciding = await correctionsOn(database);
    const follower = await fresh.open();
    const live = await LiveOverrides.open(follower);
    const corrected = correctedDecoder({ decoder }, live.current);
    const id = await report(deciding, claimOn(VIN));
    await deciding.corrections.accept(id, { scope: { kind: 'vin', vin: VIN }, fields: { trim: 'Test' } }, BY);
    await expect.poll(() => corrected.decode(VIN).trim, { timeout: 20_000 }).toBe('Test');
    // Reverted and masked at once: what an instance finds that was held up between the two.
    const masked = { vin: maskVin(VIN), fields: '{}', reverted_at: 1, reverted_by: 'cli:x', changed_seq: 1_000 };
    await change(database, 'corrections', (transaction) => transaction.updateTable('overrides').set(masked).execute());
    await expect.poll(() => corrected.decode(VIN).trim, { timeout: 20_000 }).toBe(decoder.decode(VIN).trim);
    await live.close();
    await deciding.live.close();
  });

  test('where a server took over without the last change, that is no longer in force, and the next one is', async () => {
    const deciding = await correctionsOn(database);
    const accept = async (trim: string) => {
      const vin = `1HGCM82633A00000${trim}`;
      const id = await report(deciding, claimOn(vin));
      await deciding.corrections.accept(id, { scope: { kind: 'vin', vin }, fields: { trim } }, BY);
      return vin;
    };
    const kept = await accept('1');
    const { kysely } = database;
    const versions = await kysely.selectFrom('change_counters').selectAll().execute();
    const head = await kysely.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow();
    const lost = await accept('2');
    const follower = await fresh.open();
    const live = await LiveOverrides.open(follower);
    const corrected = correctedDecoder({ decoder }, live.current);
    const inForce = () => [kept, lost, next].map((vin) => corrected.decode(vin).trim ?? '');
    let next = lost;
    await expect.poll(inForce).toEqual(['1', '2', '2']);
    // What the new server has.
    await kysely.deleteFrom('overrides').where('vin', '=', lost).execute();
    const unguard = {
      sqlite: sql`DROP TRIGGER audit_log_kept`,
      postgres: sql`ALTER TABLE audit_log DISABLE TRIGGER audit_log_unchanged`,
    };
    await unguard[engine].execute(kysely);
    await kysely.deleteFrom('audit_log').where('seq', '>', head.seq).execute();
    await kysely.updateTable('audit_head').set(head).execute();
    for (const { topic, version } of versions)
      await kysely.updateTable('change_counters').set({ version }).where('topic', '=', topic).execute();
    next = await accept('3');
    await expect.poll(inForce, { timeout: 20_000 }).toEqual(['1', decoder.decode(lost).trim, '3']);
    await live.close();
    await deciding.live.close();
  });
});

test('while the database is away the last known overrides stay in force, and the next ones come when it is back', async () => {
  const cluster = await PostgresCluster.start();
  const dataDir = dataFolder();
  const location = { dataDir, databaseUrl: cluster.url() };
  const database = await openDatabase(location, 'tool');
  const other = await openDatabase(location, 'tool');
  try {
    const deciding = await correctionsOn(other);
    const id = await report(deciding, claimOn(VIN));
    await deciding.corrections.accept(id, { scope: { kind: 'vin', vin: VIN }, fields: { trim: 'Test' } }, BY);
    await deciding.live.close();
    let faults = 0;
    const live = await LiveOverrides.open(database, () => {
      faults++;
    });
    const corrected = correctedDecoder({ decoder }, live.current);
    await cluster.stopServer('fast');
    await expect.poll(() => faults).toBeGreaterThan(1);
    expect(corrected.decode(VIN).trim).toBe('Test');
    await cluster.startServer();
    const again = await correctionsOn(other);
    await again.corrections.revert(id, BY);
    await expect.poll(() => corrected.decode(VIN)).toEqual(decoder.decode(VIN));
    await again.live.close();
    await live.close();
  } finally {
    await database.close();
    await other.close();
    await cluster.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
