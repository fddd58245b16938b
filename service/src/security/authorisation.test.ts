import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKey, findWorkspace, systemRandom } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { contractOf } from '../testing/contract/description.ts';
import { claimOn } from '../corrections/testing/corrections.ts';
import { administrator, signUp } from '../people/testing/people.ts';
import { lastLink, type Reader } from '../testing/reader.ts';
import { type Route, routesOf } from '../testing/routes.ts';
import { type TestService, testService } from '../testing/service.ts';
import { endpointAt } from '../webhooks/testing/webhooks.ts';
import { until } from '../testing/until.ts';

const ACCORD = '1HGCM82633A004352';

/** Paths that anyone may open. A route that is neither here nor under an address below is a mistake. */
const FOR_EVERYONE = [
  /^\/$/,
  /^\/(?:openapi\.json|healthz|readyz|docs(?:\/(?:search|guides|collection\.json))?|llms\.txt|decode|theme|(?:status|changelog)(?:\.atom)?|robots\.txt|privacy|terms)$/,
  /^\/docs\/(?:guides\/:file|:section)$/,
  /^\/assets\/:file$/,
  // A visitor's own decode: anyone with its id received it.
  /^\/decode\/d\/:id(?:\/(?:csv|json|report))?$/,
  /^\/(?:sign-up|sign-in|sign-out|forgot|new-address)(?:\/.*)?$/,
  /^\/(?:reset|invitations)\/:token$/,
  // Proven by a signature of the body.
  /^\/billing\/stripe$/,
];
const FOR_SOMEONE = /^\/(?:api|mcp|account|portal|admin)(?:\/|$)/;

let service: TestService;
let ada: Reader;
let bob: Reader;
let adaKey: string;
let bobKey: string;
/** Ids of Ada's resources, by the segment of a path that precedes them. */
let adas: Record<string, string>;

async function keyOf(slug: string): Promise<{ id: string; key: string }> {
  const workspace = await findWorkspace(service.database, slug);
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  return createKey(deps, { workspaceId: workspace?.id ?? '', name: slug }, 'cli:test');
}

beforeAll(async () => {
  service = await testService();
  ada = await signUp(service, 'ada@example.com', 'ada-motors');
  bob = await signUp(service, 'bob@example.com', 'bob-motors');
  const key = await keyOf('ada-motors');
  adaKey = key.key;
  bobKey = (await keyOf('bob-motors')).key;
  await ada.post('/portal/ada-motors/members', { email: 'eve@example.com', role: 'member' });
  lastLink(service.logged(), '/invitations');
  const headers = { 'x-api-key': adaKey, 'idempotency-key': 'adas' };
  await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: ACCORD } });
  const payload = claimOn(ACCORD, { note: 'Seen by Ada herself.' });
  await service.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers, payload });
  await sendFile(ada);
  const { kysely } = service.database;
  const workspace = await findWorkspace(service.database, 'ada-motors');
  const { endpoint } = await endpointAt(service.database, workspace?.id ?? '', 'https://ada-motors.example.com/hook');
  const first = async (table: 'vin_files' | 'account_links' | 'correction_reports' | 'auth_users' | 'auth_sessions') =>
    (await kysely.selectFrom(table).select('id').orderBy('id').executeTakeFirst())?.id ?? 'nothing';
  adas = {
    keys: key.id,
    members: await first('auth_users'),
    invitations: await first('account_links'),
    files: await first('vin_files'),
    reports: await first('correction_reports'),
    sessions: await first('auth_sessions'),
    webhooks: endpoint.id,
  };
});

/** Puts a file of VINs into Ada's workspace. */
async function sendFile(reader: Reader): Promise<void> {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  const headers = {
    cookie: reader.cookie,
    'sec-fetch-site': 'same-origin',
    'content-type': 'multipart/form-data; boundary=x',
  };
  const payload = `--x\r\n${disposition}\r\n\r\nvin\r\n${ACCORD}\r\n--x--\r\n`;
  await service.app.inject({ method: 'POST', url: '/portal/ada-motors/files', headers, payload });
  const { kysely } = service.database;
  const undone = kysely.selectFrom('vin_files').select('id').where('finished_at', 'is', null);
  await until(async () => (await undone.execute()).length === 0);
}

afterAll(() => service[Symbol.asyncDispose]());

/** Returns a route's path about a workspace and Ada's things. */
function pathAt({ path }: Route, slug: string): string {
  return path
    .replace(':slug', slug)
    .replace(/([^/]+)\/:id/, (_whole, before: string) => `${before}/${adas[before] ?? 'nothing'}`);
}

const ask = (reader: Reader, { method }: Route, path: string) =>
  method === 'GET' ? reader.get(path) : reader.post(path, { name: 'x', slug: 'ada-motors', role: 'owner' });

/** Reads all stored data of Ada, except for data that reading changes by itself. */
async function adasThings(): Promise<unknown> {
  const { kysely } = service.database;
  const workspace = await findWorkspace(service.database, 'ada-motors');
  const id = workspace?.id ?? '';
  return {
    workspace,
    keys: await kysely
      .selectFrom('api_keys')
      .select(['id', 'name', 'revoked_at'])
      .where('workspace_id', '=', id)
      .execute(),
    members: await kysely.selectFrom('workspace_members').selectAll().where('workspace_id', '=', id).execute(),
    invitations: await kysely.selectFrom('account_links').selectAll().where('workspace_id', '=', id).execute(),
    webhooks: await kysely.selectFrom('webhook_endpoints').selectAll().where('workspace_id', '=', id).execute(),
    deliveries: await kysely.selectFrom('webhook_deliveries').selectAll().execute(),
    sessions: await kysely
      .selectFrom('auth_sessions')
      .select('id')
      .where('id', '=', adas['sessions'] ?? '')
      .execute(),
    files: await kysely.selectFrom('vin_files').selectAll().where('workspace_id', '=', id).execute(),
    reports: await kysely.selectFrom('correction_reports').selectAll().execute(),
  };
}

const isFor = (area: string) => (route: Route) => route.path === area || route.path.startsWith(`${area}/`);

test('every resource of Ada that others try to reach exists: a missing one would prove nothing', () => {
  expect(Object.entries(adas).filter(([, id]) => id === 'nothing')).toEqual([]);
});

test('every route is for everyone by name, or asks who it is', () => {
  const routes = routesOf(service.app);
  expect(routes.length).toBeGreaterThan(50);
  const unknown = routes.filter(({ path }) => !FOR_SOMEONE.test(path) && !FOR_EVERYONE.some((rule) => rule.test(path)));
  expect(unknown).toEqual([]);
});

test("another workspace's pages and forms answer as if there were no such workspace", async () => {
  const before = await adasThings();
  const routes = routesOf(service.app).filter(({ path }) => path.startsWith('/portal/:slug'));
  expect(routes.length).toBeGreaterThan(15);
  for (const route of routes) {
    const foreign = await ask(bob, route, pathAt(route, 'ada-motors'));
    const nothing = await ask(bob, route, pathAt(route, 'not-motors'));
    expect({ ...route, status: foreign.statusCode }).toEqual({ ...route, status: 404 });
    expect(foreign.body).toBe(nothing.body);
    expect(Object.keys(foreign.headers)).toEqual(Object.keys(nothing.headers));
  }
  expect(await adasThings()).toEqual(before);
});

test("things of another workspace cannot be reached through one's own", async () => {
  const before = await adasThings();
  const routes = routesOf(service.app).filter(({ path }) => /^\/(?:portal\/:slug|account)\/.*:id/.test(path));
  expect(routes.length).toBeGreaterThan(8);
  for (const route of routes) {
    const { statusCode, body } = await ask(bob, route, pathAt(route, 'bob-motors'));
    expect({ ...route, isRefused: [303, 404, 409, 422].includes(statusCode) }).toEqual({ ...route, isRefused: true });
    expect(body).not.toMatch(/ada@|ada-motors|eve@/);
  }
  expect(await adasThings()).toEqual(before);
});

test('administration is not there for people who do not administrate', async () => {
  const before = await adasThings();
  const routes = routesOf(service.app).filter(isFor('/admin'));
  expect(routes.length).toBeGreaterThan(10);
  for (const route of routes) {
    const { statusCode } = await ask(bob, route, pathAt(route, 'ada-motors'));
    expect({ ...route, statusCode }).toEqual({ ...route, statusCode: 404 });
  }
  expect(await adasThings()).toEqual(before);
  const admin = await administrator(service, 'root@example.com');
  expect((await admin.get('/admin')).statusCode).toBe(200);
});

test('a visitor who has not signed in is sent to sign in, or sees nothing', async () => {
  const before = await adasThings();
  for (const route of routesOf(service.app)) {
    if (!/^\/(?:account|portal|admin)/.test(route.path)) continue;
    const url = pathAt(route, 'ada-motors');
    const answer = await service.app.inject({
      method: route.method,
      url,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect({ url, isRefused: [303, 401, 403, 404, 415].includes(answer.statusCode) }).toEqual({ url, isRefused: true });
    expect(answer.headers.location ?? '/sign-in').toMatch(/^\/sign-in/);
  }
  expect(await adasThings()).toEqual(before);
});

test("the API gives a key nothing of another workspace's, and nothing without a key if one is needed", async () => {
  const { operations } = await contractOf(service.app);
  const secrets = new RegExp(
    `ada@|ada-motors|Ada herself|${Object.values(adas)
      .filter((id) => id !== 'nothing')
      .join('|')}`,
  );
  for (const { path, method, security = [], operationId } of operations) {
    const url = `${path.replace('{vin}', ACCORD)}${operationId === 'listReports' ? `?after=${adas['reports']}` : ''}`;
    const payload = method === 'POST' ? { payload: { ...claimOn(ACCORD), vins: [ACCORD] } } : {};
    const headers = { 'x-api-key': bobKey, ...(method === 'POST' ? { 'idempotency-key': 'adas' } : {}) };
    const answer = await service.app.inject({ method, url, headers, ...payload });
    expect({ operationId, isFault: answer.statusCode >= 500 }).toEqual({ operationId, isFault: false });
    expect(answer.body).not.toMatch(secrets);
    const needsKey = security.length > 0 && !security.some((one) => Object.keys(one).length === 0);
    const bare = await service.app.inject({ method, url, ...payload });
    expect(!needsKey || bare.statusCode === 401).toBe(true);
    for (const key of ['x', `${adaKey.slice(0, -1)}${adaKey.endsWith('0') ? 1 : 0}`, adaKey.toUpperCase()]) {
      const wrong = await service.app.inject({ method, url, headers: { 'x-api-key': key }, ...payload });
      const isRefused = security.length === 0 || wrong.statusCode === 401;
      expect({ operationId, isRefused }).toEqual({ operationId, isRefused: true });
    }
  }
});
