import { setTimeout as sleep } from 'node:timers/promises';

import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { runCli } from '../cli/program.ts';
import { DAY_MS, systemClock } from '../kernel/clock.ts';
import { newUuid7 } from '../kernel/db/uuid7.ts';
import { FOLLOWED_MS } from '../kernel/privacy.ts';
import { signUp } from '../people/testing/people.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { ioWith } from '../testing/io.ts';
import type { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import {
  createKey,
  createWorkspace,
  findWorkspace,
  type NewApiKey,
  revokeKey,
  setPlan,
  systemRandom,
} from '../workspaces/index.ts';
import { listRequests, type LoggedRequest, pruneRequests, requestedRoutes } from './list.ts';

const VIN = '1HGCM82633A004352';

const requestOf = (workspaceId: string, atMs: number) => ({
  workspace_id: workspaceId,
  id: newUuid7(atMs),
  key_id: 'k',
  route: 'GET /api/usage',
  status: 200,
  milliseconds: 3,
});

const idOf = ({ headers }: LightMyRequestResponse): string => String(headers['x-request-id']);

const told = ({ headers, body, statusCode }: LightMyRequestResponse) => [Object.keys(headers), body, statusCode];

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let service: TestService;
  let owner: Reader;
  let workspaceId: string;
  let key: NewApiKey;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    const { databaseUrl } = fresh.location;
    service = await testService({
      METRICS_PORT: '0',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    });
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    workspaceId = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
    key = await createKey(deps(), { workspaceId, name: 'website' }, 'cli:test');
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await fresh.remove();
  });

  const deps = () => ({ database: service.database, clock: systemClock, random: systemRandom });

  const decode = async (vin: string, headers: Record<string, string> = { 'x-api-key': key.key }) => {
    const answer = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin } });
    // Ids are in the order of their milliseconds.
    const answeredAtMs = Date.now();
    await until(async () => Date.now() > answeredAtMs);
    return answer;
  };

  /** Returns the ids of the requests that a filter finds. */
  const list = async (wanted: object): Promise<string[]> => {
    const { requests: found } = await listRequests(service.database, workspaceId, { limit: 200, ...wanted });
    return found.map(({ id }) => id);
  };

  /** Returns the requests that are written down, once there are so many. */
  async function written(many: number): Promise<LoggedRequest[]> {
    let requests: LoggedRequest[] = [];
    await until(async () => {
      ({ requests } = await listRequests(service.database, workspaceId, { limit: 100 }));
      return requests.length >= many;
    });
    return requests;
  }

  test('every answer to a key is written down, refusals with their reason, and a repeated one with its first id', async () => {
    await setPlan(deps(), 'ada-motors', { plan: 'free', limit: { kind: 'fixed', limit: 1 } }, 'cli:test');
    const repeatable = { 'x-api-key': key.key, 'idempotency-key': 'once' };
    const answers = [
      await decode(VIN, repeatable),
      await decode(VIN, repeatable),
      await decode('1HGCM82633A00435'),
      await decode('WVWZZZ1KZAW000001'),
      await service.app.inject({ url: '/api/usage', headers: { 'x-api-key': key.key } }),
    ];
    await revokeKey(deps(), key.id, 'cli:test');
    answers.push(await decode(VIN));
    const requests = (await written(6)).toReversed();
    expect(requests.map(({ status, route, keyId, reason }) => [status, route, keyId, reason])).toEqual([
      [200, 'POST /api/decode', key.id, null],
      [200, 'POST /api/decode', key.id, null],
      [400, 'POST /api/decode', key.id, 'A VIN has 17 characters; this one has 16.'],
      [429, 'POST /api/decode', key.id, expect.stringContaining('The monthly limit of 1 decodes is reached.')],
      [200, 'GET /api/usage', key.id, null],
      [401, 'POST /api/decode', key.id, 'The key is revoked.'],
    ]);
    const [first, second, third, fourth, , last] = requests.map(({ answeredId }) => answeredId);
    expect([first, second, third, fourth, last]).toEqual([
      ...[0, 0, 2, 3].map((place) => answers[place]).map((answer) => answer && idOf(answer)),
      answers[5] && idOf(answers[5]),
    ]);
    expect(JSON.stringify(requests)).not.toContain(VIN);
  });

  test('a refusal that repeats half of a surrogate pair is written down, and those after it', async () => {
    const expectedFields = { '\ud83d': 'x', [`${'a'.repeat(59)}\u{1f600}`]: 'x' };
    await service.app.inject({
      method: 'POST',
      url: '/api/report-decode-issue',
      headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
      payload: JSON.stringify({
        vin: VIN,
        expectedManufacturer: 'Honda',
        expectedModel: 'Accord',
        expectedBodyStyle: 'Coupe',
        expectedModelYear: '2003',
        note: 'x',
        expectedFields,
      }),
    });
    await decode('1HGCM82633A00435');
    expect((await written(2)).map(({ status }) => status)).toEqual([400, 400]);
  });

  test('a client that sends an unknown key gets the same answer as one with a revoked key', async () => {
    await revokeKey(deps(), key.id, 'cli:test');
    const { key: stranger } = await createKey(deps(), { workspaceId, name: 'gone' }, 'cli:test');
    await service.database.kysely.deleteFrom('api_keys').where('name', '=', 'gone').execute();
    expect(told(await decode(VIN, { 'x-api-key': stranger }))).toEqual(told(await decode(VIN)));
  });

  test('requests without a key are written down for nobody', async () => {
    await decode(VIN, {});
    await decode(VIN, { 'x-api-key': 'mq_live_nonsense' });
    await decode(VIN);
    expect(await written(1)).toHaveLength(1);
    expect(await service.database.kysely.selectFrom('requests').select('id').execute()).toHaveLength(1);
  });

  test('the page finds a refusal by its id, and leads from a decode to its page', async () => {
    const refused = await decode('nonsense');
    const decoded = await decode(VIN);
    await written(2);
    const all = await owner.get('/portal/ada-motors/requests');
    expect(all.body).toContain(`href="/portal/ada-motors/decodes/${idOf(decoded)}"`);
    expect(all.body).not.toContain(`/decodes/${idOf(refused)}`);
    const one = await owner.get(`/portal/ada-motors/requests?id=${idOf(refused).toUpperCase()}`);
    expect(one.body).toContain('A VIN has 17 characters; this one has 8.');
    expect(one.body).not.toContain(idOf(decoded));
    const nothing = await owner.get(`/portal/ada-motors/requests?status=5&from=2026-01-01`);
    expect(nothing.body).toContain('No request matches.');
    const stranger = await signUp(service, 'bob@example.com', 'bob-motors');
    expect((await stranger.get('/portal/bob-motors/requests')).body).toContain('No requests yet.');
    expect((await stranger.get('/portal/ada-motors/requests')).statusCode).toBe(404);
  });

  test('the list has filters and pages', async () => {
    const other = await createKey(deps(), { workspaceId, name: 'nightly' }, 'cli:test');
    const nowMs = Date.now();
    const rows = Array.from({ length: 120 }, (_, place) => ({
      workspace_id: workspaceId,
      id: newUuid7(nowMs - place * 3_600_000),
      key_id: place % 2 === 0 ? key.id : other.id,
      route: place % 3 === 0 ? 'POST /api/decode' : 'GET /api/usage',
      status: place % 10 === 0 ? 429 : 200,
      milliseconds: 3,
    }));
    await service.database.kysely.insertInto('requests').values(rows).execute();
    const ids = (keep: (row: (typeof rows)[number], place: number) => boolean) => rows.filter(keep).map(({ id }) => id);
    expect(await list({ statuses: [400, 499] })).toEqual(ids(({ status }) => status === 429));
    expect(await list({ statuses: [200, 299], keyId: other.id })).toEqual(
      ids(({ status, key_id: keyId }) => status === 200 && keyId === other.id),
    );
    expect(await list({ route: 'GET /api/usage' })).toEqual(ids(({ route }) => route === 'GET /api/usage'));
    const fromMs = nowMs - 30 * 3_600_000;
    expect(await list({ fromMs, untilMs: nowMs - 10 * 3_600_000 })).toEqual(
      ids((_, place) => place > 10 && place <= 30),
    );
    expect(await requestedRoutes(service.database, workspaceId)).toEqual(['GET /api/usage', 'POST /api/decode']);
    let path: string | undefined = `/portal/ada-motors/requests?status=2`;
    let shown = 0;
    while (path !== undefined) {
      const { body } = await owner.get(path);
      shown += body.match(/<tr>(?=<td)/g)?.length ?? 0;
      path = /href="([^"]+)">Older requests/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(shown).toBe(108);
  });

  test('a filter that few of many requests match finds them all', async () => {
    const nowMs = Date.now();
    const rare = [0, 5_000, 5_001, 10_500];
    const rows = Array.from({ length: 10_501 }, (_, place) => ({
      ...requestOf(workspaceId, nowMs - place * 10),
      route: rare.includes(place) ? 'POST /api/decode' : 'GET /api/usage',
      answered_id: rare.includes(place) ? `answer-${place}` : null,
    }));
    for (let from = 0; from < rows.length; from += 500)
      await service.database.kysely
        .insertInto('requests')
        .values(rows.slice(from, from + 500))
        .execute();
    const ids = (...places: number[]) => places.map((place) => rows[place]?.id);
    const route = 'POST /api/decode';
    expect(await list({ route })).toEqual(ids(...rare));
    expect(await list({ route, limit: 2 })).toEqual(ids(0, 5_000));
    expect(await list({ route, before: rows[5_000]?.id })).toEqual(ids(5_001, 10_500));
    expect(await list({ route, fromMs: nowMs - 60_000 })).toEqual(ids(0, 5_000, 5_001));
    expect(await list({ id: rows[10_500]?.id })).toEqual(ids(10_500));
    expect(await list({ id: 'answer-5001' })).toEqual(ids(5_001));
    // One that few match ends after so many rows, and goes on from there.
    const look = (before?: string) =>
      listRequests(service.database, workspaceId, { route, limit: 50, before }, { mostLooked: 5_000 });
    const first = await look();
    expect(first.requests.map(({ id }) => id)).toEqual(ids(0, 5_000));
    const second = await look(first.olderThan);
    expect(second.requests.map(({ id }) => id)).toEqual(ids(5_001));
    expect(await look(second.olderThan)).toMatchObject({ requests: [{ id: ids(10_500)[0] }], olderThan: undefined });
  });

  test('requests are gone after thirty days, and with their workspace', async () => {
    const nowMs = Date.now();
    const rows = [31, 29].map((days) => requestOf(workspaceId, nowMs - days * DAY_MS));
    await service.database.kysely.insertInto('requests').values(rows).execute();
    expect(await pruneRequests(service.database, nowMs)).toBe(1);
    expect((await written(1)).map(({ id }) => id)).toEqual([rows[1]?.id]);
    const io = { ...ioWith('', service.env), pause: () => sleep(FOLLOWED_MS) };
    expect(await runCli(['privacy', 'erase', '--workspace', 'ada-motors', '--yes'], io)).toBe(0);
    // Its key may still be sent. What comes later is written down later.
    expect((await decode(VIN)).statusCode).toBe(401);
    const made = await createWorkspace(deps(), { slug: 'erased-cars', plan: 'free' }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const { key: otherKey } = await createKey(deps(), { workspaceId: made.workspace.id, name: 'x' }, 'cli:test');
    const other = await decode(VIN, { 'x-api-key': otherKey });
    const all = () => service.database.kysely.selectFrom('requests').select('id').execute();
    await until(async () => (await all()).length > 0);
    expect(await all()).toEqual([{ id: idOf(other) }]);
  });
});
