import { AsyncLocalStorage } from 'node:async_hooks';
import { rmSync } from 'node:fs';

import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { endpointAt } from '../webhooks/testing/webhooks.ts';
import { findWorkspace } from '../workspaces/index.ts';
import { privacy } from './privacy.ts';
import { removeFile, removeOldFiles } from './remove.ts';
import { listFiles } from './store.ts';
import { type Job, jobsOf } from './testing/jobs.ts';

/** More than one statement removes. */
const ROWS = 5_400;
const VINS = 20;
/** The changes of a removal: three at once, two ranges of pages, two of rows, and the file. */
const CHANGES = 8;

const VIN = '1HGCM82633A100000';
const PAYLOAD = Array.from({ length: ROWS }, (_, row) =>
  JSON.stringify(row < VINS ? `1HGCM82633A${100_000 + row}` : `X${row}`),
).join('\n');

class Killed extends Error {}

/** Does some work and ends it before one of its changes of the database, as a kill does. */
async function killedBefore(change: number, work: () => Promise<unknown>): Promise<void> {
  let done = 0;
  const isOfIt = new AsyncLocalStorage<boolean>();
  const methods = (['updateTable', 'deleteFrom'] as const).map((name) => {
    const original = Reflect.get(Kysely.prototype, name);
    return vi.spyOn(Kysely.prototype, name).mockImplementation(function (this: unknown, ...of: unknown[]) {
      // Workers of the service go on.
      if (isOfIt.getStore() === true && done++ === change) throw new Killed();
      return Reflect.apply(original, this, of);
    });
  });
  const killed = isOfIt.run(true, work).finally(() => methods.map((method) => method.mockRestore()));
  await expect(killed).rejects.toThrow(Killed);
}

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let dataDir: string;
  let service: TestService;
  let key: string;
  let workspaceId: string;

  const start = async (): Promise<void> => {
    const { databaseUrl } = fresh.location;
    service = await testService({ DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) });
    await service.app.ready();
  };

  beforeEach(async () => {
    [fresh, dataDir] = [await freshDatabase(engine), dataFolder()];
    await start();
    key = await service.keyFor('business');
    workspaceId = (await findWorkspace(service.database, 'business'))?.id ?? '';
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await fresh.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const deps = () => ({ database: service.database, clock: systemClock });
  const get = (id: string, path = '', accept = '*/*') => jobsOf(service).get(key, `/api/jobs/${id}${path}`, { accept });
  const send = (name: string) =>
    jobsOf(service).send(key, PAYLOAD, { 'content-type': 'application/x-ndjson', 'idempotency-key': name });
  const listed = async () => (await listFiles(deps(), workspaceId)).files.map(({ id }) => id);

  /** Sends jobs with an `Idempotency-Key` that is their number, and waits for their end. */
  async function completed(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) ids.push((await send(`${number}`)).json<Job>().id);
    for (const id of ids) await jobsOf(service).ended(key, id);
    return ids;
  }

  /** Counts what is stored of a file. */
  async function storedOf(id: string): Promise<number> {
    const { kysely } = service.database;
    const found = await Promise.all([
      kysely.selectFrom('vin_files').select('id').where('id', '=', id).execute(),
      kysely.selectFrom('vin_file_pages').select('file_id').where('file_id', '=', id).execute(),
      kysely.selectFrom('vin_file_rows').select('file_id').where('file_id', '=', id).execute(),
    ]);
    return found.flat().length;
  }

  /** Returns the jobs of which a webhook tells. */
  async function told(): Promise<string[]> {
    const rows = await service.database.kysely.selectFrom('webhook_deliveries').select('data').execute();
    return rows.map(({ data }) => JSON.parse(data).jobId);
  }

  test.each([
    { state: 'running', done: 2_600, finished_at: null },
    { state: 'running', done: ROWS, finished_at: null },
    { state: 'completed', done: ROWS, finished_at: 1 },
  ] as const)(
    'a job that is $state at row $done stays whole, or is gone at once and later removed, wherever its removal is killed',
    { timeout: 120_000 },
    async (before) => {
      const ids = await completed(CHANGES);
      await endpointAt(service.database, workspaceId, 'https://hooks.example/jobs');
      const charged = await service.charged();
      // Held by the process that is killed.
      const held = { ...before, locked_by: 'killed', locked_until: systemClock() + 1e9 };
      await service.database.kysely.updateTable('vin_files').set(held).execute();
      for (const [change, id] of ids.entries()) await killedBefore(change, () => removeFile(deps(), id));

      const whole: string[] = [];
      const removed: string[] = [];
      for (const [number, id] of ids.entries()) {
        const state = await get(id);
        const isWhole = state.statusCode === 200;
        (isWhole ? whole : removed).push(id);
        const shown = { status: before.state, done: before.done, charged: VINS };
        expect(state.json()).toMatchObject(isWhole ? shown : { error: 'There is no such job.' });
        const accepts = ['application/x-ndjson', 'text/csv'];
        const results = await Promise.all(accepts.map((accept) => get(id, '/results', accept)));
        const again = await send(`${number}`);
        const codes = [state, ...results, again].map(({ statusCode }) => statusCode);
        expect(codes).toEqual(isWhole ? [200, 200, 200, 202] : [404, 404, 404, 422]);
      }
      expect([whole.length, removed.length]).toEqual([3, CHANGES - 3]);
      expect((await listed()).toSorted()).toEqual(whole);

      // On PostgreSQL the leases end later; on SQLite the next service ends them.
      await service.database.kysely.updateTable('vin_files').set({ locked_until: 0 }).execute();
      await service[Symbol.asyncDispose]();
      await start();
      for (const id of removed) await until(async () => (await storedOf(id)) === 0);
      for (const id of whole) {
        expect(await jobsOf(service).ended(key, id)).toMatchObject({ vins: ROWS, charged: VINS });
        const results = (await get(id, '/results')).body.trimEnd().split('\n');
        expect([results.length, results[0]]).toEqual([ROWS, expect.stringContaining('"Accord"')]);
      }
      expect((await told()).toSorted()).toEqual(before.state === 'running' ? whole : []);
      expect(await service.charged()).toBe(charged);
    },
  );

  /** Removes the pages of a completed job, and no more, like an earlier version that was killed. */
  async function leftByEarlier(): Promise<string> {
    const [id = ''] = await completed(1);
    await service.database.kysely.deleteFrom('vin_file_pages').where('first_row', '<', 5_000).execute();
    return id;
  }

  test('what the killed removal of an earlier version left is not shown, and removed with old files', async () => {
    const id = await leftByEarlier();
    expect((await get(id)).statusCode).toBe(404);
    expect((await get(id, '/results')).statusCode).toBe(404);
    expect(await removeOldFiles(service.database, systemClock(), 30)).toBe(1);
    expect(await storedOf(id)).toBe(0);
  });

  test('the erasure of a VIN ends a removal that was killed', async () => {
    const id = await leftByEarlier();
    const erasure = await privacy.erasure({ ...deps(), actor: 'cli:test' }, { kind: 'vin', vin: VIN });
    await erasure.withdraw?.();
    expect(await storedOf(id)).toBe(0);
  });
});
