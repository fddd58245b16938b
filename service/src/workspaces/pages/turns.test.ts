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
  for (const tab of TABS) {
    taken.mockClear();
    expect([tab, (await owner.get(`/portal/ada-motors${tab}`)).statusCode]).toEqual([tab, 200]);
    expect([tab, taken.mock.calls.length >= 2]).toEqual([tab, true]);
    for (const [tenant] of taken.mock.calls) expect(tenant).toEqual({ id: workspaceId, isPaid: false });
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
  expect(taken.mock.calls.length).toBeGreaterThanOrEqual(5);
  taken.mockRestore();
});
