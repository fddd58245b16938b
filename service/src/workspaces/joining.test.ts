import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { listAudit } from '../kernel/audit/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { SignInNeededError } from '../kernel/ui/sign-in-needed.ts';
import { membershipIn } from './membership.ts';
import { actingIn } from './pages/index.ts';
import { renameWorkspace } from './workspaces.ts';
import { changePassword } from '../people/people.ts';
import { PASSWORD, resetLink, signUp } from '../people/testing/people.ts';
import { lastLink, Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';

describe.each(ENGINES)('joining on %s', (engine) => {
  let service: TestService;
  let owner: Reader;

  beforeAll(async () => {
    service = await serviceOn(engine, { TRUST_PROXY: 'loopback' });
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const invite = (email: string, headers = {}) => owner.post('/portal/ada-motors/members', { email }, headers);
  const counts = async () => {
    const { kysely } = service.database;
    const tables = [
      'auth_users',
      'auth_accounts',
      'workspaces',
      'workspace_members',
      'account_links',
      'audit_log',
    ] as const;
    const rows = await Promise.all(
      tables.map((table) =>
        kysely
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      ),
    );
    return rows.map(({ count }) => count);
  };

  test('an invitation that is sent four times at once makes one account, and no bug', async () => {
    await invite('bob@example.com');
    const link = lastLink(service.logged(), '/invitations');
    const fields = { name: 'Bob', password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 4 }, () => new Reader(service.app).post(link, fields)));
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses[0]).toBeLessThan(400);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.at(-1)).toBeLessThan(500);
  });

  test('a sign-up that is sent four times at once makes one account with its workspace', async () => {
    await new Reader(service.app).post('/sign-up', { email: 'eve@example.com', slug: 'eve-motors' });
    const link = lastLink(service.logged(), '/sign-up');
    const before = await counts();
    const fields = { name: 'Eve', slug: 'eve-motors', password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 4 }, () => new Reader(service.app).post(link, fields)));
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
    const after = await counts();
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1, 1, -1, 1]);
  });

  test('a sign-up that is refused leaves link, account and workspace as they were', async () => {
    await new Reader(service.app).post('/sign-up', { email: 'kim@example.com', slug: 'kim-motors' });
    const link = lastLink(service.logged(), '/sign-up');
    const before = await counts();
    const fields = { name: 'Kim', slug: 'ada-motors', password: PASSWORD };
    expect((await new Reader(service.app).post(link, fields)).statusCode).toBe(422);
    expect(await counts()).toEqual(before);
  });

  test.for(['ended', 'been given another token by a new password'])(
    'what waits until its session has %s is refused',
    async (how) => {
      const [name, slug] = how === 'ended' ? ['pam', 'pam-motors'] : ['tom', 'tom-motors'];
      await signUp(service, `${name}@example.com`, slug);
      const { database } = service;
      const session = await database.kysely
        .selectFrom('auth_sessions')
        .innerJoin('auth_users', 'auth_users.id', 'user_id')
        .select([
          'auth_sessions.id as sessionId',
          'auth_sessions.token as sessionToken',
          'user_id as id',
          'email',
          'name',
        ])
        .where('email', '=', `${name}@example.com`)
        .executeTakeFirstOrThrow();
      const own = await membershipIn(database, session.id, slug);
      if (own === undefined) throw new Error('Nobody signed up.');
      const person = { ...session, hasSecondFactor: false, isAdministrator: false };
      const context = { ...own, person, home: '', limit: null, used: 0, resetAtMs: 0 };
      const deps = actingIn({ database, clock: systemClock }, context);
      const rename = () => renameWorkspace(deps, own.workspace, name, `person:${name}@example.com`);
      await rename();
      if (how === 'ended')
        await database.kysely.deleteFrom('auth_sessions').where('id', '=', session.sessionId).execute();
      else await changePassword(database, session, 'another hash', Date.now());
      await expect(rename()).rejects.toThrow(SignInNeededError);
    },
  );

  test('what a member sent before they were removed is refused if its turn comes afterwards', async () => {
    await invite('gus@example.com');
    const member = new Reader(service.app);
    const link = lastLink(service.logged(), '/invitations');
    expect((await member.post(link, { name: 'Gus', password: PASSWORD })).statusCode).toBe(303);
    const users = service.database.kysely.selectFrom('auth_users').select('id').where('email', '=', 'gus@example.com');
    const { id } = await users.executeTakeFirstOrThrow();
    const home = '/portal/ada-motors';
    const sent = [
      owner.post(`${home}/members/${id}`, { role: 'none' }),
      ...Array.from({ length: 12 }, (_, index) => member.post(`${home}/keys`, { name: `key ${index}` })),
      ...Array.from({ length: 4 }, (_, index) =>
        member.post(`${home}/webhooks`, { url: `https://example.com/${index}`, events: 'decode.completed' }),
      ),
    ];
    const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const entries = (await listAudit(service.database, { limit: 40 })).map(({ action }) => action);
    // The newest first.
    expect(entries.slice(0, entries.indexOf('member.removed'))).toEqual([]);
  });

  test('without a mail server the link of an invitation is in the log alone: it makes the account of any address', async () => {
    const sent = await invite('carol@example.com');
    const link = lastLink(service.logged(), '/invitations');
    const pages = [sent, await owner.get(String(sent.headers.location)), await owner.get('/portal/ada-motors/members')];
    const token = link.split('/').at(-1) ?? '';
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    for (const { body, headers } of pages) expect(JSON.stringify([body, headers])).not.toContain(token);
    expect(decodeURIComponent(owner.cookie)).not.toContain(token);
    expect(pages[1]?.body).toContain('no SMTP_URL');
    expect(pages[2]?.body).toContain('all members lose access.');
  });

  test.each(['none', 'member'])(
    'an owner who becomes %s does not come back by an invitation that they sent',
    async (role) => {
      const helper = `helper-${role}@example.com`;
      await invite('unrelated@example.com', { 'x-forwarded-for': '198.51.100.88' });
      const kept = lastLink(service.logged(), '/invitations');
      await owner.post('/portal/ada-motors/members', { email: helper, role: 'owner' });
      const helping = new Reader(service.app);
      await helping.post(lastLink(service.logged(), '/invitations'), { name: 'Helper', password: PASSWORD });
      await helping.post('/portal/ada-motors/members', { email: `spare-${role}@example.com`, role: 'owner' });
      const spare = lastLink(service.logged(), '/invitations');
      expect((await new Reader(service.app).get(spare)).statusCode).toBe(200);

      const users = service.database.kysely.selectFrom('auth_users').select('id');
      const { id } = await users.where('email', '=', helper).executeTakeFirstOrThrow();
      expect((await owner.post(`/portal/ada-motors/members/${id}`, { role })).statusCode).toBe(303);
      const back = await new Reader(service.app).post(spare, { name: 'Spare', password: PASSWORD });
      expect(back.statusCode).toBe(404);
      expect((await new Reader(service.app).get(kept)).statusCode).toBe(200);
    },
  );

  test('who was invited twice joins once', async () => {
    const twice = { email: 'twice@example.com', role: 'owner' };
    const networks = ['198.51.100.91', '198.51.100.92'];
    const links = [];
    for (const network of networks) {
      await owner.post('/portal/ada-motors/members', twice, { 'x-forwarded-for': network });
      links.push(lastLink(service.logged(), '/invitations'));
    }
    const [first = '', second = ''] = links;
    expect(second).not.toBe(first);
    const joined = new Reader(service.app);
    expect((await joined.post(first, { name: 'Twice', password: PASSWORD })).statusCode).toBe(303);
    expect((await joined.post(second, {})).statusCode).toBe(404);
  });

  test('an invitation does not outlive the password of the account that sent it', async () => {
    const network = { 'x-forwarded-for': '198.51.100.93' };
    const ivy = await signUp(service, 'ivy@example.com', 'ivy-motors');
    await ivy.post('/portal/ivy-motors/members', { email: 'stranger@example.com', role: 'owner' }, network);
    const link = lastLink(service.logged(), '/invitations');
    const reset = await resetLink(service, 'ivy@example.com');
    expect((await new Reader(service.app).get(link)).statusCode).toBe(200);
    expect((await new Reader(service.app).post(reset, { password: `${PASSWORD} again` })).statusCode).toBe(303);
    const joining = await new Reader(service.app).post(link, { name: 'Stranger', password: PASSWORD });
    expect(joining.statusCode).toBe(404);
  });

  test('one person sends one address two invitations a day, and twenty an hour in all, across all workspaces', async () => {
    for (let index = 0; index < 10; index++)
      await invite('victim@example.com', { 'x-forwarded-for': `198.51.100.${index}` });
    expect(service.logged().split('"to":"victim@example.com"')).toHaveLength(3);
    const statuses = [];
    for (let index = 0; index < 25; index++) {
      const answer = await invite(`guest${index}@example.com`, { 'x-forwarded-for': `198.51.100.${index}` });
      statuses.push(answer.statusCode);
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(20);
    expect(statuses.at(-1)).toBe(422);
  });

  test.each(['Ada https://evil.example', 'URGENT: sign in', 'ada@evil.example', 'evil.example', 'www evil'])(
    '%s is refused as a name, since messages quote names',
    async (name) => {
      const network = { 'x-forwarded-for': '198.51.100.77' };
      const email = `name${Math.abs(name.length)}${engine}@example.com`;
      await new Reader(service.app).post('/sign-up', { email, slug: 'name-motors' }, network);
      const link = lastLink(service.logged(), '/sign-up');
      const answer = await new Reader(service.app).post(link, { name, slug: 'name-motors', password: PASSWORD });
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toContain('no address');
    },
  );

  test.each(['J.R.R. Tolkien', 'Zoë O’Neill-Müller (workshop 3)', '山田 太郎', 'Dr. Ada & Daughters'])(
    '%s is a name',
    async (name) => {
      await new Reader(service.app).post('/sign-up', {
        email: `ok${name.length}@example.com`,
        slug: `ok-${name.length}`,
      });
      const link = lastLink(service.logged(), '/sign-up');
      const fields = { name, slug: `ok-${name.length}`, password: PASSWORD };
      expect((await new Reader(service.app).post(link, fields)).statusCode).toBe(303);
    },
  );
});
