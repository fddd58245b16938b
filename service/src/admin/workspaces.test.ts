import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { systemClock } from '../kernel/clock.ts';
import { insertPerson } from '../people/people.ts';
import { administrator, signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { createKey, findWorkspace, setPlan, setSuspended, systemRandom } from '../workspaces/index.ts';
import { serviceOn, type TestService } from '../testing/service.ts';

const VIN = '1HGCM82633A004352';

describe.each(ENGINES)('administration of workspaces on %s', (engine) => {
  let service: TestService;
  let admin: Reader;

  beforeAll(async () => {
    service = await serviceOn(engine);
    admin = await administrator(service, 'root@example.com');
    await signUp(service, 'ada@example.com', 'ada-motors');
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const decodeWith = (key: string) =>
    service.app.inject({ method: 'POST', url: '/api/decode', headers: { 'x-api-key': key }, payload: { vin: VIN } });

  test('the plan is dated by its own last change, and the history leads on to older entries and those of every key', async () => {
    await signUp(service, 'carl@example.com', 'carl-motors');
    const { database } = service;
    const act = (clock: () => number) => ({ database, clock });
    await setPlan(
      act(() => Date.UTC(2030, 0, 2)),
      'carl-motors',
      { plan: 'business' },
      'cli:test',
    );
    // The clock was set back since: the latest change counts.
    await setPlan(
      act(() => Date.UTC(2029, 5, 7)),
      'carl-motors',
      { plan: 'starter' },
      'cli:test',
    );
    for (let limit = 0; limit < 101; limit++) {
      await setPlan(
        act(() => Date.UTC(2031, 0, 1)),
        'carl-motors',
        { limit: { kind: 'fixed', limit } },
        'cli:test',
      );
    }
    const workspace = await findWorkspace(database, 'carl-motors');
    const made = { workspaceId: workspace?.id ?? '', name: 'last' };
    await createKey({ database, clock: Date.now, random: systemRandom }, made, 'cli:test');
    const page = (await admin.get('/admin/workspaces/carl-motors')).body;
    expect(page).toMatch(/since <time datetime="2029-06-07/);
    expect(page).toContain('key.created');
    const older = /href="(\/admin\/audit\?workspace=carl-motors[^"]+)">Older entries/.exec(page)?.[1] ?? '';
    const next = (await admin.get(older.replaceAll('&amp;', '&'))).body;
    expect(next).toContain('limit: fixed, limit 0');
    expect(next).not.toContain('ada-motors');
  });

  test('the page of a workspace lists its first members, and says that there are more', async () => {
    await signUp(service, 'dora@example.com', 'dora-motors');
    const { kysely } = service.database;
    const workspace = await findWorkspace(service.database, 'dora-motors');
    await kysely.transaction().execute(async (transaction) => {
      for (let index = 10; index < 40; index++) {
        const email = `dora${index}@example.com`;
        const person = await insertPerson(transaction, { email, name: `D${index}`, passwordHash: undefined }, index);
        if (person === undefined || workspace === undefined) throw new Error(email);
        const member = { workspace_id: workspace.id, user_id: person, role: 'member', created_at: index } as const;
        await transaction.insertInto('workspace_members').values(member).execute();
      }
    });
    const { body } = await admin.get('/admin/workspaces/dora-motors');
    const [members = ''] = body.split('<h2>History');
    const listed = [...members.matchAll(/<td[^>]*>(dora\d*@example\.com)</g)].map(([, email]) => email);
    expect([listed.length, listed[0], listed.at(-1)]).toEqual([25, 'dora@example.com', 'dora33@example.com']);
    expect(body).toContain('Only the first 25 are listed, owners first.');
  });

  test('an administrator finds and revokes any of many keys', async () => {
    await signUp(service, 'kim@example.com', 'kim-motors');
    const workspaceId = (await findWorkspace(service.database, 'kim-motors'))?.id ?? '';
    const deps = { database: service.database, clock: systemClock, random: systemRandom };
    const first = await createKey(deps, { workspaceId, name: 'first' }, 'cli:test');
    for (let made = 0; made < 30; made++) await createKey(deps, { workspaceId, name: 'other' }, 'cli:test');
    const { body } = await admin.get('/admin/workspaces/kim-motors');
    expect(body.match(/\/revoke"/g)).toHaveLength(25);
    const next = /href="([^"]+)">Further keys/.exec(body)?.[1] ?? '';
    const further = (await admin.get(next)).body;
    expect(further.match(/\/revoke"/g)).toHaveLength(6);
    expect(further).toContain(`/admin/workspaces/kim-motors/keys/${first.id}/revoke"`);
    // The page goes on where the one before it ended, also if its last key is revoked meanwhile.
    const [, last = ''] = /after=([\w-]+)/.exec(next) ?? [];
    await admin.submit(`/admin/workspaces/kim-motors/keys/${last}/revoke`);
    const later = (await admin.get(next)).body;
    expect([later.match(/\/revoke"/g)?.length, later.match(/>revoked</g)?.length]).toEqual([6, 1]);
    await admin.submit(`/admin/workspaces/kim-motors/keys/${first.id}/revoke`);
    expect((await decodeWith(first.key)).statusCode).toBe(401);
    // More than a statement may have values.
    const { kysely } = service.database;
    for (let from = 0; from < 70_000; from += 10_000) {
      await sql`INSERT INTO api_keys (id, workspace_id, name, hash, prefix, last4, created_at, revoked_at)
        WITH RECURSIVE numbers AS (SELECT ${sql.lit(from)} AS number UNION ALL SELECT number + 1 FROM numbers
          WHERE number < ${sql.lit(from + 9_999)})
        SELECT 'kim-' || number, ${workspaceId}, 'many', 'kim-' || number, 'mq_live_', 'last', 1, 2 FROM numbers`.execute(
        kysely,
      );
    }
    const page = await admin.get('/admin/workspaces/kim-motors');
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('key.revoked')]);
    const log = await admin.get('/admin/audit?workspace=kim-motors');
    expect([log.statusCode, log.body]).toEqual([200, expect.stringContaining('key.revoked')]);
  });

  test('plan, limit, suspension and keys of a workspace change at once and are in the audit log', async () => {
    const bob = await signUp(service, 'bob@example.com', 'bob-motors');
    const { body } = await bob.submit('/portal/bob-motors/keys', { name: 'website' });
    const key = /mq_live_\w{38}/.exec(body)?.[0] ?? '';
    const path = '/admin/workspaces/bob-motors';
    await admin.post(`${path}/plan`, { plan: 'business', 'limit-kind': 'fixed', limit: '7' });
    expect((await decodeWith(key)).json()).toMatchObject({ usage: { limit: 7 }, metadata: { plan: 'business' } });
    expect((await admin.post(`${path}/plan`, { plan: 'free', 'limit-kind': 'fixed', limit: 'x' })).statusCode).toBe(
      422,
    );
    expect((await admin.post(`${path}/plan`, { plan: 'free', limit: '9' })).statusCode).toBe(422);
    await admin.post(`${path}/suspend`, { suspended: 'yes' });
    expect((await decodeWith(key)).statusCode).toBe(401);
    for (const [form, fields] of [
      ['try', { vin: VIN }],
      ['keys', { name: 'more' }],
      ['members', { email: 'carol@example.com' }],
      ['webhooks', { url: 'https://example.com/hook', event: 'job.completed' }],
    ] as const) {
      const { statusCode, body: page } = await bob.post(`/portal/bob-motors/${form}`, fields);
      expect([form, statusCode, page.includes('This workspace is suspended.')]).toEqual([form, 403, true]);
    }
    expect((await admin.post(`${path}/suspend`)).statusCode).toBe(422);
    expect((await decodeWith(key)).statusCode).toBe(401);
    await admin.post(`${path}/suspend`, { suspended: 'no' });
    expect((await decodeWith(key)).statusCode).toBe(200);
    const id = /keys\/([0-9a-f-]{36})\/revoke/.exec((await admin.get(path)).body)?.[1] ?? '';
    await admin.post(`${path}/keys/${id}/revoke`);
    expect((await decodeWith(key)).statusCode).toBe(401);
    const page = (await admin.get(path)).body;
    expect(page).toMatch(/workspace\.resumed.*workspace\.suspended.*workspace\.plan/s);
    expect(page, 'the history has the events of its keys').toContain('key.revoked');
    expect(page).toContain('limit: fixed, limit 7');
    expect((await admin.get('/admin/workspaces?slug=bob')).body).toMatch(/bob-motors.*<\/td>/s);
    expect((await admin.get('/admin/workspaces/no-such-one')).statusCode).toBe(404);
  });

  test('a closed workspace stays closed: nothing offers to change it, and no form does', async () => {
    const dan = await signUp(service, 'dan@example.com', 'dan-motors');
    const path = '/admin/workspaces/dan-motors';
    expect((await admin.get(path)).body).toContain('Suspend the workspace');
    await dan.post('/portal/dan-motors/close', { slug: 'dan-motors' });
    const page = (await admin.get(path)).body;
    expect(page).toContain('<dd>Closed');
    const list = (await admin.get('/admin/workspaces?slug=dan-motors')).body;
    expect(list).toContain('closed');
    expect(list).not.toContain('suspended');
    expect(page).not.toMatch(/\/dan-motors\/(?:suspend|plan)"/);
    for (const [form, fields] of [
      ['suspend', { suspended: 'no' }],
      ['plan', { plan: 'business', 'limit-kind': 'plan' }],
    ] as const) {
      expect((await admin.post(`${path}/${form}`, fields)).statusCode).toBe(409);
    }
    // Nor what waited behind the closing.
    const deps = { database: service.database, clock: systemClock };
    const lifted = setSuspended(deps, 'dan-motors', false, 'admin:root@example.com');
    await expect(lifted).rejects.toMatchObject({ statusCode: 409 });
    const sold = setPlan(deps, 'dan-motors', { plan: 'business' }, 'admin:root@example.com');
    await expect(sold).rejects.toMatchObject({ statusCode: 409 });
    expect((await findWorkspace(service.database, 'dan-motors'))?.suspendedAtMs).not.toBeNull();
  });
});
