import { expect, onTestFinished, test, vi } from 'vitest';

import { newUuid7 } from '../../kernel/db/uuid7.ts';
import { LoopTurns } from '../../kernel/limits/loop-turns.ts';
import { administrator, signUp } from '../../people/testing/people.ts';
import { testService, type TestService } from '../../testing/service.ts';

/** The network of injected requests. */
const NETWORK = '127.0.0.1';

const TABS = ['', '/start', '/decodes', '/files', '/keys', '/requests', '/reports', '/webhooks', '/members', '/plan'];

const NEXT: unknown = Reflect.get(LoopTurns.prototype, 'next');

/** Lets a test give the turns of one service until it ends; work that other services left under way gets its own. */
async function giveTurns({ database: { kysely } }: TestService, next: LoopTurns['next']): Promise<void> {
  const people = await kysely.selectFrom('auth_users').select('id').execute();
  const workspaces = await kysely.selectFrom('workspaces').select('id').execute();
  const own = new Set([NETWORK, ...[...people, ...workspaces].map(({ id }) => id)]);
  if (typeof NEXT !== 'function') throw new Error('No turn is given.');
  const others = NEXT;
  const spy = vi.spyOn(LoopTurns.prototype, 'next').mockImplementation(async function give(this: LoopTurns, ...of) {
    const [{ id }] = of;
    await (own.has(id) ? next(...of) : Reflect.apply(others, this, of));
  });
  onTestFinished(() => spy.mockRestore());
}

test('each page of a workspace is read and made in turns that it shares, so that many leave time to others', async () => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const { id: workspaceId } = await service.database.kysely
    .selectFrom('workspaces')
    .select('id')
    .executeTakeFirstOrThrow();
  const taken = vi.spyOn(LoopTurns.prototype, 'next');
  /** Returns what gave the turns that the workspace took. */
  const ownCalls = () =>
    taken.mock.contexts.filter((_, at) => {
      const [tenant] = taken.mock.calls[at] ?? [];
      return tenant?.id === workspaceId && !tenant.isPaid;
    });
  for (const tab of TABS) {
    taken.mockClear();
    expect([tab, (await owner.get(`/portal/ada-motors${tab}`)).statusCode]).toEqual([tab, 200]);
    expect([tab, ownCalls().length >= 2]).toEqual([tab, true]);
  }
  const row = { workspace_id: workspaceId, key_id: '', route: 'GET /api/usage', status: 200, milliseconds: 1 };
  const rows = Array.from({ length: 10_500 }, () => ({ ...row, id: newUuid7(Date.now()) }));
  for (let from = 0; from < rows.length; from += 500) {
    const some = rows.slice(from, from + 500);
    await service.database.kysely.insertInto('requests').values(some).execute();
  }
  taken.mockClear();
  await owner.get('/portal/ada-motors/requests?route=none');
  // Three ranges of rows beside the page.
  expect(ownCalls().length).toBeGreaterThanOrEqual(5);
  const [ofPage] = ownCalls();
  const headers = { 'x-api-key': await service.keyFor('starter'), 'content-type': 'text/csv' };
  const payload = 'vin\n1HGCM82633A004352\n';
  await service.app.inject({ method: 'POST', url: '/api/jobs?dryRun=1', headers, payload });
  const ofFile = taken.mock.contexts[taken.mock.calls.findIndex(([{ isPaid }]) => isPaid)];
  // Pieces of files are in these turns, too.
  expect(ofFile).toBeInstanceOf(LoopTurns);
  expect(ofFile).toBe(ofPage);
  taken.mockRestore();
});

test('pages of people and visitors, searches, lists, decodes without a key, batches and tools of free plans share these turns', async () => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const taken = vi.spyOn(LoopTurns.prototype, 'next');
  try {
    const { kysely } = service.database;
    const { id: personId } = await kysely.selectFrom('auth_users').select('id').executeTakeFirstOrThrow();
    const given = new Set<unknown>();
    const takenBy = (id: string): number => {
      const own = taken.mock.calls.flatMap(([tenant], at) => (tenant.id === id && !tenant.isPaid ? [at] : []));
      for (const at of own) given.add(taken.mock.contexts[at]);
      taken.mockClear();
      return own.length;
    };
    for (const path of ['/', '/docs', '/docs/guides/sources', '/changelog', '/portal/workspaces', '/account']) {
      taken.mockClear();
      expect([path, (await owner.get(path)).statusCode]).toEqual([path, 200]);
      expect([path, takenBy(personId) >= 1]).toEqual([path, true]);
    }
    const admin = await administrator(service, 'root@example.com');
    const { id: adminId } = await kysely
      .selectFrom('auth_users')
      .select('id')
      .where('email', '=', 'root@example.com')
      .executeTakeFirstOrThrow();
    taken.mockClear();
    expect((await admin.get('/admin')).statusCode).toBe(200);
    const ofAdmin = taken.mock.calls.flatMap(([{ id, isPaid }], at) => (id === adminId ? [{ at, isPaid }] : []));
    expect(new Set(ofAdmin.map(({ isPaid }) => isPaid))).toEqual(new Set([true]));
    for (const { at } of ofAdmin) given.add(taken.mock.contexts[at]);
    const remoteAddress = '203.0.113.9';
    const payload = new URLSearchParams({ vin: '1HGCM82633A004352' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:80' };
    for (const [url, turns, options] of [
      ['/docs', 1, {}],
      ['/docs/search?q=webhook', 3, {}],
      ['/api/vehicles/GetModelsForMake/honda?format=json', 1, {}],
      ['/decode', 2, { method: 'POST', headers, payload }],
    ] as const) {
      taken.mockClear();
      const { statusCode } = await service.app.inject({ url, remoteAddress, ...options });
      expect([url, statusCode]).toEqual([url, 200]);
      expect([url, takenBy(remoteAddress) >= turns]).toEqual([url, true]);
    }
    const idsOf = async () => (await kysely.selectFrom('workspaces').select('id').execute()).map(({ id }) => id);
    const others = await idsOf();
    const key = { authorization: `Bearer ${await service.keyFor('free')}` };
    const freeId = (await idsOf()).find((id) => !others.includes(id)) ?? '';
    const accept = 'application/json, text/event-stream';
    const call = { method: 'tools/call', params: { name: 'check_vin', arguments: { vin: '1HGCM82633A004352' } } };
    for (const [url, turns, payload] of [
      ['/api/decode/batch', 2, { vins: Array.from({ length: 250 }, () => 'odd') }],
      ['/mcp', 1, { jsonrpc: '2.0', id: 1, ...call }],
    ] as const) {
      taken.mockClear();
      const sent = await service.app.inject({ method: 'POST', url, headers: { ...key, accept }, payload });
      expect([url, sent.statusCode]).toEqual([url, 200]);
      expect([url, takenBy(freeId) >= turns]).toEqual([url, true]);
    }
    expect(given.size).toBe(1);
  } finally {
    taken.mockRestore();
  }
});

test.each([
  ['/portal/ada-motors/keys', {}],
  ['/account', {}],
  ['/account', { 'hx-request': 'true' }],
  ['/?vin=1HGCM82633A004352', { 'accept-encoding': 'br' }],
])('%s that waits too long for a turn is refused, before its connection is closed', async (path, asked) => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  for (const before of [0, 1]) {
    let count = 0;
    await giveTurns(service, async (_tenant, signal) => {
      count += 1;
      if (count <= before) return;
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason));
      await promise;
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const isPublic = path.startsWith('/?');
      const sent = isPublic ? service.app.inject({ url: path, headers: asked }) : owner.get(path, asked);
      await vi.waitFor(() => expect(count).toBeGreaterThan(before));
      await vi.advanceTimersByTimeAsync(20_000);
      const { statusCode, headers, body } = await sent;
      expect([statusCode, headers['retry-after']]).toEqual([503, '2']);
      expect(headers['content-type']).toContain('text/html');
      expect(headers['content-encoding']).toBeUndefined();
      expect(body).toContain('Try again');
    } finally {
      vi.useRealTimers();
    }
  }
});

test.each(['/portal/ada-motors/keys', '/account'])(
  'a person waits for twenty pages such as %s at once, and for more after them',
  async (path) => {
    await using service = await testService();
    const owner = await signUp(service, 'ada@example.com', 'ada-motors');
    const colleague = await signUp(service, 'kim@example.com', 'kim-motors');
    const { kysely } = service.database;
    const { id: workspace_id } = await kysely
      .selectFrom('workspaces')
      .select('id')
      .where('slug', '=', 'ada-motors')
      .executeTakeFirstOrThrow();
    await kysely
      .updateTable('workspace_members')
      .set({ workspace_id })
      .where('workspace_id', '!=', workspace_id)
      .execute();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let waiting = 0;
    await giveTurns(service, () => {
      waiting += 1;
      return held;
    });
    const statuses: number[] = [];
    const sent = Array.from({ length: 25 }, async () => statuses.push((await owner.get(path)).statusCode));
    await vi.waitFor(() => expect([waiting, statuses]).toEqual([20, Array(5).fill(503)]));
    // A member takes no page from others.
    const others = colleague.get(path);
    await vi.waitFor(() => expect(waiting).toBe(21));
    release();
    await Promise.all(sent);
    expect((await others).statusCode).toBe(200);
    expect(statuses.slice(5)).toEqual(Array(20).fill(200));
    expect((await owner.get(path)).statusCode).toBe(200);
  },
);

test('a page that waited for its turn is not shown to someone who may no longer see it', async () => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const { kysely } = service.database;
  const clock = performance.now.bind(performance);
  const now = vi.spyOn(performance, 'now');
  let atNext: (() => Promise<void>) | undefined;
  await giveTurns(service, async () => {
    const act = atNext;
    atNext = undefined;
    await act?.();
  });
  try {
    for (const [path, table, status] of [
      ['/portal/ada-motors/keys', 'workspace_members', 404],
      ['/account', 'auth_sessions', 303],
    ] as const) {
      now.mockImplementation(clock);
      expect((await owner.get(path)).statusCode).toBe(200);
      atNext = async () => {
        await kysely.deleteFrom(table).execute();
        now.mockImplementation(() => clock() + 2_000);
      };
      expect([path, (await owner.get(path)).statusCode]).toEqual([path, status]);
      await owner.get('/');
    }
  } finally {
    now.mockRestore();
  }
});
