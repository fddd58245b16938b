import { userInfo } from 'node:os';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listAudit, verifyAudit } from '../kernel/audit/index.ts';
import { ENGINES } from '../testing/databases.ts';
import { type CommandResult, runMarque } from '../testing/run-marque.ts';
import { administrator, signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';

/** Tables that acts change; sessions besides, which a page may change by itself. */
const TABLES = [
  'workspaces',
  'api_keys',
  'workspace_members',
  'account_links',
  'administrators',
  'usage_alerts',
] as const;

const ADA = 'person:ada@example.com';
const ROOT = 'admin:root@example.com';
const OPERATOR = `cli:${userInfo().username}`;

describe.each(ENGINES)('on %s', (engine) => {
  let service: TestService;
  let owner: Reader;
  let admin: Reader;

  beforeAll(async () => {
    service = await serviceOn(engine);
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    admin = await administrator(service, 'root@example.com');
  }, 180_000);

  afterAll(async () => service[Symbol.asyncDispose]());

  const marque = (command: string): Promise<CommandResult> => runMarque(command, service.env);

  const everything = async (): Promise<unknown> =>
    Promise.all(TABLES.map((table) => service.database.kysely.selectFrom(table).selectAll().execute()));

  async function newestKey(): Promise<string> {
    const keys = service.database.kysely.selectFrom('api_keys').select('id').where('revoked_at', 'is', null);
    return (await keys.orderBy('created_at', 'desc').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;
  }

  async function invitation(): Promise<string> {
    const links = service.database.kysely.selectFrom('account_links').select('id');
    return (await links.where('purpose', '=', 'invitation').executeTakeFirstOrThrow()).id;
  }

  const portal = '/portal/ada-motors';
  const administration = '/admin/workspaces/ada-motors';

  /** Acts in their order: one prepares the next. */
  const ACTS: readonly (readonly [what: string, actor: string, action: string, act: () => Promise<unknown>])[] = [
    ['a key made in the portal', ADA, 'key.created', () => owner.post(`${portal}/keys`, { name: 'main' })],
    ['rotated there', ADA, 'key.rotated', async () => owner.post(`${portal}/keys/${await newestKey()}/rotate`)],
    ['revoked there', ADA, 'key.revoked', async () => owner.post(`${portal}/keys/${await newestKey()}/revoke`)],
    [
      'revoked by an administrator',
      ROOT,
      'key.revoked',
      async () => admin.post(`${administration}/keys/${await newestKey()}/revoke`),
    ],
    [
      'a plan given by an administrator',
      ROOT,
      'workspace.plan',
      () => admin.post(`${administration}/plan`, { plan: 'starter', 'limit-kind': 'plan' }),
    ],
    ['suspended', ROOT, 'workspace.suspended', () => admin.post(`${administration}/suspend`, { suspended: 'yes' })],
    ['resumed', ROOT, 'workspace.resumed', () => admin.post(`${administration}/suspend`, { suspended: 'no' })],
    [
      'an invitation',
      ADA,
      'member.invited',
      () => owner.post(`${portal}/members`, { email: 'eve@example.com', role: 'member' }),
    ],
    [
      'withdrawn',
      ADA,
      'invitation.withdrawn',
      async () => owner.post(`${portal}/invitations/${await invitation()}/withdraw`),
    ],
    ['usage alerts', ADA, 'workspace.alerts-set', () => owner.post(`${portal}/alerts`, { percents: '80' })],
    ['a workspace made', ADA, 'workspace.created', () => owner.post('/portal/workspaces', { slug: 'ada-second' })],
    [
      'a workspace made on the command line',
      OPERATOR,
      'workspace.created',
      () => marque('workspace create acme --plan free'),
    ],
    ['its plan', OPERATOR, 'workspace.plan', () => marque('workspace set-plan acme --plan business')],
    ['its key', OPERATOR, 'key.created', () => marque('key create --workspace acme --name main')],
    ['that rotated', OPERATOR, 'key.rotated', async () => marque(`key rotate ${await newestKey()}`)],
    ['that revoked', OPERATOR, 'key.revoked', async () => marque(`key revoke ${await newestKey()}`)],
    ['a workspace closed', ADA, 'workspace.closed', () => owner.post(`${portal}/close`, { slug: 'ada-motors' })],
  ];

  test.each(ACTS)('%s: the act and its entry are there together, or neither is', async (_what, actor, action, act) => {
    const { kysely } = service.database;
    const before = await everything();
    await sql`ALTER TABLE audit_log RENAME TO audit_elsewhere`.execute(kysely);
    // The command line shows a fault that it does not know with its stack: here it is meant to.
    await act();
    await sql`ALTER TABLE audit_elsewhere RENAME TO audit_log`.execute(kysely);
    expect(await everything()).toEqual(before);

    const [last] = await listAudit(service.database, { limit: 1 });
    await act();
    expect(await everything()).not.toEqual(before);
    const entries = (await listAudit(service.database)).filter(({ seq }) => seq > (last?.seq ?? 0));
    expect(entries.map((entry) => [entry.actor, entry.action])).toEqual([[actor, action]]);
    expect(await verifyAudit(service.database)).toMatchObject({ kind: 'whole' });
  });
});
