import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { correctedDecoder } from '../corrections/index.ts';
import { OverrideIndex } from '../corrections/override-index.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import type { PrivacySubject } from '../kernel/privacy.ts';
import { type Meter, openMeter, verifyUsage } from '../metering/index.ts';
import { expectCounted } from '../metering/testing/usage.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { catalog } from '../testing/decoder.ts';
import { createWorkspace } from '../workspaces/index.ts';
import { callerOf, type ChunkResult, decodeChunk } from './chunk.ts';
import { decodeVin } from './decoded-vin.ts';
import type { FileWork } from './parts.ts';
import { privacy } from './privacy.ts';
import { takeFile } from './store.ts';

const MAY = Date.UTC(2026, 4, 1);
const JUNE = Date.UTC(2026, 5, 1);
const LIMIT = 30;
const CELLS = Array.from({ length: 40 }, (_, index) => `1HGCM82633A${100_000 + index}`);

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let meter: Meter;
  let clock: Clock;
  let beforeCharge: () => Promise<void>;
  let beforeStoring: () => Promise<void>;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    clock = () => JUNE - 1;
    beforeCharge = async () => {};
    beforeStoring = async () => {};
    meter = openMeter(database, () => clock());
  });

  afterEach(async () => {
    await meter.close();
    await fresh.remove();
  });

  /** Stores a file of a workspace with a limit. @returns a function that decodes rows of it. */
  async function decoderOfFile(): Promise<{
    workspaceId: string;
    decode: (from: number, cells?: readonly string[], lockedBy?: string) => Promise<ChunkResult>;
  }> {
    const deps = { database, clock: systemClock };
    const limit = { kind: 'fixed', limit: LIMIT } as const;
    const created = await createWorkspace(deps, { slug: 'acme', plan: 'business', limit }, 'cli:test');
    if (created.kind !== 'created') throw new Error(created.kind);
    const file = { workspaceId: created.workspace.id, createdBy: 'test' };
    const taken = await takeFile(deps, { ...file, name: 'Job', content: CELLS.join('\n'), column: '' });
    if (taken.kind !== 'taken') throw new Error(taken.kind);
    await lockAs('first');
    const decoder = correctedDecoder(catalog, () => new OverrideIndex());
    const work: FileWork = {
      database,
      clock: () => clock(),
      config: { planLimits: { free: 100, starter: 1_000, business: 5_000, enterprise: null } },
      decoder,
      // Between reading the ids of rows and storing new ones.
      fileThread: {
        run: async (vins) => {
          await beforeStoring();
          return vins.map((vin) => decodeVin(decoder, vin));
        },
      },
      meter: {
        peek: (caller) => meter.peek(caller),
        charge: async (...charged) => {
          await beforeCharge();
          return meter.charge(...charged);
        },
      },
      enrichment: undefined,
      deliveries: { wake: () => undefined },
      log: { warn: () => undefined },
      watch: undefined,
      clockFault: undefined,
    };
    const decode = async (
      from: number,
      cells: readonly string[] = CELLS.slice(from, from + 20),
      lockedBy = 'first',
    ): Promise<ChunkResult> => {
      const caller = await callerOf(work, file);
      if (caller === undefined) throw new Error('The workspace is suspended.');
      return decodeChunk(work, caller, { fileId: taken.id, lockedBy, from, column: 0, cells }, async () => {});
    };
    return { workspaceId: file.workspaceId, decode };
  }

  const lockAs = async (lockedBy: string): Promise<void> => {
    await database.kysely.updateTable('vin_files').set({ locked_by: lockedBy }).execute();
  };

  const storedVins = async (): Promise<string[]> =>
    (await database.kysely.selectFrom('decodes').select('vin').orderBy('vin').execute()).map(({ vin }) => vin);

  const withdraw = async (subject: PrivacySubject): Promise<void> => {
    const { withdraw: begin } = await privacy.erasure({ database, clock: systemClock, actor: 'cli:test' }, subject);
    await begin?.();
  };

  const usedIn = async (monthMs: number): Promise<number | undefined> => {
    const counter = database.kysely.selectFrom('usage_counters').select('used').where('window_start', '=', monthMs);
    return (await counter.executeTakeFirst())?.used;
  };

  test('each row of a file is charged once, in its month, though the month turns and a crash repeats rows', async () => {
    const { workspaceId, decode } = await decoderOfFile();
    expect(await decode(0)).toEqual({ kind: 'finished', reached: 20, delivered: 20 });
    // Ten more are within the limit.
    expect(await decode(20)).toEqual({ kind: 'stopped', reached: 30, delivered: 10 });
    clock = () => JUNE;
    // As after a crash before their progress was stored.
    expect(await decode(0)).toEqual({ kind: 'finished', reached: 20, delivered: 20 });
    expect(await decode(20)).toEqual({ kind: 'stopped', reached: 30, delivered: 10 });
    expect(await decode(30)).toEqual({ kind: 'finished', reached: 40, delivered: 10 });
    // A clock that is set back.
    clock = () => JUNE - 1;
    expect(await decode(30)).toEqual({ kind: 'finished', reached: 40, delivered: 10 });
    expect([await usedIn(MAY), await usedIn(JUNE)]).toEqual([30, 10]);
    // Removal by age goes by ids.
    const ofJune = database.kysely.selectFrom('decodes').select('id').where('id', '>=', leastUuid7(JUNE));
    expect(await ofJune.execute()).toHaveLength(10);
    await expectCounted(database, workspaceId, 40);
    expect((await verifyUsage(database)).disagreements).toEqual([]);
  });

  test('a row that is erased while it waits for its charge is masked with it, also after a crash between them', async () => {
    const { workspaceId, decode } = await decoderOfFile();
    const [vin = '', second = '', ...others] = CELLS.slice(0, 20);
    await withdraw({ kind: 'vin', vin });
    // The rows that were read before.
    expect(await decode(0)).toMatchObject({ delivered: 20 });
    expect(await storedVins()).toEqual([maskVin(vin), second, ...others]);
    await withdraw({ kind: 'vin', vin: second });
    // The process died; another one reads what is left, and finds it charged.
    await decode(0, [maskVin(vin), maskVin(second), ...others]);
    expect(await storedVins()).toEqual([maskVin(vin), maskVin(second), ...others]);
    await expectCounted(database, workspaceId, 20);
  });

  test('a chunk of a workspace that is erased while it waits for its charge is masked with it', async () => {
    const { workspaceId: id, decode } = await decoderOfFile();
    beforeCharge = async () => {
      await database.kysely.updateTable('workspaces').set({ suspended_at: JUNE }).execute();
      await withdraw({ kind: 'workspace', id, slug: 'acme' });
    };
    await decode(0);
    expect(await storedVins()).toEqual(CELLS.slice(0, 20).map(maskVin).toSorted());
  });

  test('a row that waited in a chunk that stopped is decoded once the file is resumed, and what is charged is delivered', async () => {
    const { workspaceId, decode } = await decoderOfFile();
    const { id } = await database.kysely.selectFrom('vin_files').select('id').executeTakeFirstOrThrow();
    const wait = (row: number) =>
      database.kysely.insertInto('vin_file_rows').values({ file_id: id, row, decode_id: null }).execute();
    await wait(5);
    // Charged with its chunk only if it had not waited then.
    expect(await decode(0)).toMatchObject({ delivered: 19 });
    await wait(35);
    expect(await decode(20)).toEqual({ kind: 'stopped', reached: 31, delivered: 11 });
    clock = () => JUNE;
    expect(await decode(31)).toEqual({ kind: 'finished', reached: 40, delivered: 9 });
    const shown = database.kysely.selectFrom('vin_file_rows').innerJoin('decodes', 'decodes.id', 'decode_id');
    expect(await shown.select('row').execute()).toHaveLength(39);
    await expectCounted(database, workspaceId, 39);
  });

  test('a worker that is frozen for longer than its lease changes nothing of what the next one stored', async () => {
    const { workspaceId, decode } = await decoderOfFile();
    const { id } = await database.kysely.selectFrom('vin_files').select('id').executeTakeFirstOrThrow();
    const rowsNow = () => database.kysely.selectFrom('vin_file_rows').selectAll().orderBy('row').execute();
    let before = await rowsNow();
    beforeStoring = async () => {
      beforeStoring = async () => {};
      await lockAs('second');
      // The second one finds a row that waits, as for a look-up.
      await database.kysely.insertInto('vin_file_rows').values({ file_id: id, row: 5, decode_id: null }).execute();
      expect(await decode(0, undefined, 'second')).toMatchObject({ kind: 'finished', delivered: 19 });
      before = await rowsNow();
    };
    expect(await decode(0)).toEqual({ kind: 'lost', reached: 0, delivered: 0 });
    expect(before).toHaveLength(20);
    expect(await rowsNow()).toEqual(before);
    await expectCounted(database, workspaceId, 19);
  });

  test('a worker whose ids come after those of the one before it delivers what that one charged', async () => {
    const { workspaceId, decode } = await decoderOfFile();
    beforeStoring = async () => {
      beforeStoring = async () => {};
      await decode(0);
    };
    expect(await decode(0)).toEqual({ kind: 'finished', reached: 20, delivered: 20 });
    await expectCounted(database, workspaceId, 20);
  });
});
