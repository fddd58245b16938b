import { rmSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createKey, findWorkspace, setPlan, systemRandom } from '../workspaces/index.ts';
import { anyTurn } from '../kernel/limits/loop-turns.ts';
import { systemClock } from '../kernel/clock.ts';
import { dataFolder } from '../testing/data-folder.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { PASSWORD, signUp } from '../people/testing/people.ts';
import { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { readFile } from './read-file.ts';
import { takeFile } from './store.ts';
import { tableOf } from '../testing/table.ts';
import { sendFile } from './testing/send-file.ts';

const SERIALS = 100_000;
/** A well-formed VIN of a known model with another serial number. */
const vinAt = (index: number) => `1HGCM82633A${SERIALS + index}`;

describe.each(ENGINES)('a file of VINs on %s', (engine) => {
  let fresh: TestDatabase;
  let dataDir: string;
  let service: TestService;
  let owner: Reader;

  const env = (): NodeJS.ProcessEnv => {
    const { databaseUrl } = fresh.location;
    return { DATA_DIR: dataDir, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
  };

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    dataDir = dataFolder();
    service = await testService(env());
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
  });

  beforeEach(() => allow(100_000));

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await fresh.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const allow = (limit: number) =>
    setPlan(
      { database: service.database, clock: systemClock },
      'ada-motors',
      { plan: 'business', limit: { kind: 'fixed', limit } },
      'cli:test',
    );

  const sendRaw = (text: string, column = '') =>
    sendFile(service, owner, { workspace: 'ada-motors', name: 'cars.csv', bytes: text, column });

  async function send(text: string, column = ''): Promise<string> {
    const answer = await sendRaw(text, column);
    if (answer.statusCode !== 303) throw new Error(answer.body);
    const path = String(answer.headers['location']);
    await owner.post(`${path}/resume`);
    return path;
  }

  const stateOf = async (path: string) => {
    const { body } = await owner.get(path, { 'hx-request': 'true' });
    return body.includes('<p>Done: ') ? 'completed' : /class="tag \w*">(\w+)</.exec(body)?.[1];
  };
  const whenOver = (path: string) => until(async () => ['completed', 'stopped'].includes((await stateOf(path)) ?? ''));
  const resultOf = async (path: string) => tableOf((await owner.get(`${path}/result.csv`)).body);

  test('is decoded in the background, charged for its results, and returned with its own columns', async () => {
    const before = await service.charged();
    const rows = Array.from(
      { length: 1_000 },
      (_, index) => `${index};${index % 10 === 9 ? 'no vin' : vinAt(index)};=1+1`,
    );
    const path = await send(['No;Vehicle;Remark', ...rows].join('\n'));
    await whenOver(path);
    expect(await service.charged()).toBe(before + 900);
    const result = await resultOf(path);
    expect(result).toHaveLength(1_001);
    expect(result[0]?.slice(0, 5)).toEqual(['No', 'Vehicle', 'Remark', 'manufacturer', 'model']);
    expect(result[1]?.slice(0, 5)).toEqual(['0', vinAt(0), "'=1+1", 'Honda', 'Accord']);
    expect(result[10]?.at(-1)).toContain('Positions 2 and 4 of the VIN are "O"');
  });

  test('goes on after a restart, and no row is charged twice', async () => {
    const before = await service.charged();
    const path = await send(Array.from({ length: 3_000 }, (_, index) => vinAt(index)).join('\n'));
    await until(async () => (await service.charged()) > before);
    await service[Symbol.asyncDispose]();
    service = await testService(env());
    owner = new Reader(service.app);
    await owner.post('/sign-in', { email: 'ada@example.com', password: PASSWORD });
    await service.app.ready();
    await whenOver(path);
    expect(await service.charged()).toBe(before + 3_000);
    expect((await resultOf(path)).filter((row) => row.includes('Honda'))).toHaveLength(3_000);
  });

  test('knows a chunk again that was charged before a crash', async () => {
    const path = await send(Array.from({ length: 450 }, (_, index) => vinAt(index)).join('\n'));
    await whenOver(path);
    const charged = await service.charged();
    // As if the process had died between its charges and noting them.
    const id = path.split('/').at(-1) ?? '';
    const forgotten = { state: 'queued', done: 0, delivered: 0, locked_until: 0 } as const;
    await service.database.kysely.updateTable('vin_files').set(forgotten).where('id', '=', id).execute();
    await owner.post(`${path}/resume`);
    await until(async () => (await stateOf(path)) === 'completed');
    expect(await service.charged()).toBe(charged);
    const row = await service.database.kysely
      .selectFrom('vin_files')
      .select('delivered')
      .where('id', '=', id)
      .execute();
    expect(row).toEqual([{ delivered: 450 }]);
  });

  test('stops at the limit, names the row, and continues from there', async () => {
    const workspace = await findWorkspace(service.database, 'ada-motors');
    expect(workspace).toBeDefined();
    const before = await service.charged();
    await allow(before + 250);
    const path = await send(['x', ...Array.from({ length: 299 }, (_, index) => vinAt(index)), 'x'].join('\n'), '1');
    await whenOver(path);
    expect(await service.charged()).toBe(before + 250);
    const page = (await owner.get(path)).body;
    expect(page).toContain('Stopped before row 251');
    expect((await resultOf(path)).filter((row) => row.includes('Honda'))).toHaveLength(250);
    await allow(before + 1_000);
    await owner.post(`${path}/resume`);
    await until(async () => (await stateOf(path)) === 'completed');
    expect(await service.charged()).toBe(before + 299);
  });

  test('of others is answered as if there were none', async () => {
    const path = await send(vinAt(1));
    const stranger = await signUp(service, 'eve@example.com', 'eve-motors');
    const id = path.split('/').at(-1) ?? '';
    for (const end of ['', '/result.csv']) {
      const foreign = await stranger.get(`/portal/eve-motors/files/${id}${end}`);
      const missing = await stranger.get(`/portal/eve-motors/files/0190a0a0-0000-7000-8000-000000000000${end}`);
      expect(foreign.statusCode).toBe(404);
      expect(foreign.body).toBe(missing.body);
    }
    expect((await stranger.post(`/portal/eve-motors/files/${id}/remove`)).statusCode).toBe(404);
    await owner.post(`${path}/remove`);
    expect((await owner.get(path)).statusCode).toBe(404);
  });

  test('that is empty, too long or without VINs is refused with a sentence', async () => {
    await expect(send('')).rejects.toThrow('The file is empty');
    await expect(send('a,b\n1,2')).rejects.toThrow('No column contains VINs');
    await expect(send(Array.from({ length: 10_001 }, (_, index) => vinAt(index)).join('\n'))).rejects.toThrow(
      'at most 10000 rows',
    );
  });

  test('with very many columns is refused with what to change, before it is stored', async () => {
    const columns = Array.from({ length: 20_000 }, (_, index) => `c${index}`).join(',');
    await expect(send(`vin,${columns}\n${`${vinAt(1)}\n`.repeat(9_000)}`)).rejects.toThrow(
      'Send only the columns that you need',
    );
  });

  test('is decoded despite any idempotency keys that the workspace has used', async () => {
    const before = await service.charged();
    const key = await createKey(
      { database: service.database, clock: systemClock, random: systemRandom },
      { workspaceId: (await findWorkspace(service.database, 'ada-motors'))?.id ?? '', name: 'shop' },
      'cli:test',
    );
    // A client with a key takes the possible name of the file's first charge while the file waits to be begun.
    const path = String((await sendRaw(vinAt(7), '')).headers['location']);
    const id = path.split('/').at(-1) ?? '';
    await allow(before + 10);
    for (const taken of [`file:${id}:0`, `file/${id}/0`, `own-file-${id}-0`]) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/api/decode',
        headers: { 'x-api-key': key.key, 'idempotency-key': taken },
        payload: { vin: vinAt(8) },
      });
      expect(answer.statusCode).toBe(200);
    }
    await owner.post(`${path}/resume`);
    await until(async () => (await stateOf(path)) === 'completed');
    expect((await resultOf(path)).filter((row) => row.includes('Honda'))).toHaveLength(1);
    expect(await service.charged()).toBe(before + 4);
  });

  test('that arrives broken is refused, and is not counted as a fault of the service', async () => {
    for (const payload of [
      '--xx\r\nnonsense',
      '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nvin',
      '',
    ]) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/portal/ada-motors/files',
        headers: {
          cookie: owner.cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': 'multipart/form-data; boundary=xx',
        },
        payload,
      });
      expect([400, 422]).toContain(answer.statusCode);
      expect(answer.body).toMatch(/Choose the file again|The file is empty/);
    }
  });

  test('that was read before its sender disconnected is not stored', async () => {
    const { database } = service;
    const workspaceId = (await findWorkspace(database, 'ada-motors'))?.id ?? '';
    const content = await readFile(vinAt(1), '', { rows: 10, bytes: 50_000_000 });
    if (content.kind === 'refused') throw new Error(content.message);
    const sent = { workspaceId, createdBy: 'test', name: 'gone.csv', content, column: '' };
    const stored = async () => (await database.kysely.selectFrom('vin_files').select('id').execute()).length;
    const before = await stored();
    const turns = { turn: anyTurn, store: () => Promise.reject(new Error('gone')) };
    await expect(takeFile({ database, clock: systemClock }, { ...sent, turns })).rejects.toThrow('gone');
    expect(await stored()).toBe(before);
  });

  test('is listed with all others, a hundred at a time', async () => {
    const { database } = service;
    const workspaceId = (await findWorkspace(database, 'ada-motors'))?.id ?? '';
    const sent = { workspaceId, createdBy: 'test', name: 'old.csv', content: vinAt(1), column: '', isHeld: true };
    for (let count = 0; count < 201; count++) await takeFile({ database, clock: systemClock }, sent);
    const kept = await database.kysely
      .selectFrom('vin_files')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .execute();
    const listed: string[] = [];
    let path: string | undefined = '/portal/ada-motors/files';
    while (path !== undefined) {
      const { body }: { body: string } = await owner.get(path);
      const ids = [...body.matchAll(/href="\/portal\/ada-motors\/files\/([0-9a-f-]+)"/g)].map(([, id = '']) => id);
      expect(ids.length).toBeLessThanOrEqual(100);
      listed.push(...ids);
      path = /href="([^"]+)"[^>]*>Older files/.exec(body)?.[1];
    }
    expect(listed.toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
  });

  test("is refused beyond a workspace's storage limit, until a file is removed", async () => {
    await send(vinAt(1));
    const { kysely } = service.database;
    const size = (bytes: number) =>
      kysely.updateTable('vin_files').set({ bytes }).where('id', 'is not', null).execute();
    const planned = async (plan: 'free' | 'starter', bytes: number) => {
      await kysely.updateTable('workspaces').set({ plan }).execute();
      await size(0);
      const last = kysely.selectFrom('vin_files').select(({ fn }) => fn.max('id').as('id'));
      await kysely.updateTable('vin_files').set({ bytes }).where('id', '=', last).execute();
      return send(vinAt(2));
    };
    const remove = 'Remove files that you no longer need';
    await expect(planned('free', 12_000_000)).rejects.toThrow(`keeps at most 12 MB. ${remove}`);
    await expect(planned('starter', 50_000_000)).rejects.toThrow(`keeps at most 50 MB. ${remove}`);
    await planned('starter', 12_000_000);
    await size(10);
    await send(vinAt(2));
    const answers = await Promise.all(Array.from({ length: 40 }, () => sendRaw(vinAt(3))));
    const turnedAway = answers.filter(({ statusCode }) => statusCode === 429);
    expect(turnedAway.length).toBeGreaterThan(9);
    expect(turnedAway[0]?.headers['retry-after']).toBeDefined();
  });
});
