import { expect, test, vi } from 'vitest';

import { newUuid7 } from '../../kernel/db/uuid7.ts';
import { LoopTurns } from '../../kernel/limits/loop-turns.ts';
import { signUp } from '../../people/testing/people.ts';
import { testService } from '../../testing/service.ts';

const TABS = ['', '/start', '/decodes', '/files', '/keys', '/requests', '/reports', '/webhooks', '/members', '/plan'];

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

test('a page that waits too long for its turns is refused, before its connection is closed', async () => {
  await using service = await testService();
  const owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const next = vi.spyOn(LoopTurns.prototype, 'next').mockImplementation((_tenant, signal) => {
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const sent = owner.get('/portal/ada-motors/keys');
    await vi.waitFor(() => expect(next).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(20_000);
    const { statusCode, headers } = await sent;
    expect([statusCode, headers['retry-after']]).toEqual([503, '2']);
  } finally {
    vi.useRealTimers();
    next.mockRestore();
  }
});
