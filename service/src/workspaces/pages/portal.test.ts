import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { setPlan } from '../index.ts';
import { systemClock } from '../../kernel/clock.ts';
import { ENGINES } from '../../testing/databases.ts';
import { insertPerson } from '../../people/people.ts';
import { PASSWORD, signUp } from '../../people/testing/people.ts';
import { lastLink, Reader } from '../../testing/reader.ts';
import { serviceOn, type TestService } from '../../testing/service.ts';

const VIN = '1HGCM82633A004352';

/** Returns the workspaces w-… that a page leads to. */
function slugsIn(body: string): string[] {
  return [...body.matchAll(/href="\/portal\/(w-\d+)"/g)].map(([, slug = '']) => slug);
}

describe.each(ENGINES)('the portal on %s', (engine) => {
  let service: TestService;
  let owner: Reader;

  beforeAll(async () => {
    service = await serviceOn(engine);
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const makeKey = async (name: string): Promise<{ key: string; id: string }> => {
    const { body } = await owner.submit('/portal/ada-motors/keys', { name });
    const key = /mq_live_\w{38}/.exec(body)?.[0] ?? '';
    const id = /keys\/([0-9a-f-]{36})\/revoke/.exec(body)?.[1] ?? '';
    return { key, id };
  };

  const decode = (key: string) =>
    service.app.inject({ method: 'POST', url: '/api/decode', headers: { 'x-api-key': key }, payload: { vin: VIN } });

  /** Reads this month's number of decodes from the overview. */
  const used = async (): Promise<number> => {
    const { body } = await owner.get('/portal/ada-motors');
    const shown = /Used in [^<]+<\/dt><dd>(\d+)<small>of 100 decodes/.exec(body)?.[1];
    if (shown === undefined) throw new Error(body);
    return Number(shown);
  };

  test('a key for which the box is ticked is a test key: it decodes, and the workspace is not charged', async () => {
    const usedBefore = await used();
    const { body } = await owner.submit('/portal/ada-motors/keys', { name: 'ci', test: 'yes' });
    const key = /mq_test_\w+/.exec(body)?.[0] ?? '';
    expect((await decode(key)).statusCode).toBe(200);
    expect(await used()).toBe(usedBefore);
  });

  test('a key is shown once, decodes, counts, and is refused once it is revoked', async () => {
    const usedBefore = await used();
    const { key, id } = await makeKey('website');
    expect((await owner.get('/portal/ada-motors/keys')).body).not.toContain(key);
    const decoded = await decode(key);
    expect(decoded.statusCode).toBe(200);
    expect(decoded.headers['x-service-client']).toBe('ada-motors');
    expect(await used()).toBe(usedBefore + 1);
    expect((await owner.get('/portal/ada-motors')).body).toContain('website');
    await owner.post(`/portal/ada-motors/keys/${id}/revoke`);
    expect((await decode(key)).statusCode).toBe(401);
  });

  test('the answer to a key form makes no second key when it is loaded again', async () => {
    const { body } = await owner.get('/portal/ada-motors/keys');
    const token =
      /action="\/portal\/ada-motors\/keys"><input type="hidden" name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const first = await owner.post('/portal/ada-motors/keys', { name: 'once', token });
    const page = String(first.headers.location);
    expect((await owner.get(page)).body).toMatch(/mq_live_\w{38}/);
    const loaded = (await owner.get(page)).body;
    expect(loaded).not.toMatch(/mq_live_\w{38}/);
    expect(loaded).toContain('was shown once and cannot be shown again');
    const again = await owner.post('/portal/ada-motors/keys', { name: 'once', token });
    expect(again.statusCode).toBe(422);
    expect(again.body).not.toMatch(/mq_live_\w{38}/);
    expect(again.body).toContain('a key is shown only once');
    expect(again.body.match(/>once /g)).toHaveLength(1);
  });

  test('an address that only takes a form leads people to its page', async () => {
    const { headers, statusCode } = await owner.get('/portal/ada-motors/keys/none/revoke', { accept: 'text/html' });
    expect([statusCode, headers.location]).toEqual([303, '/portal/ada-motors/keys']);
  });

  test('a rotated key works on beside the new one', async () => {
    const { key, id } = await makeKey('import');
    const { body } = await owner.submit(`/portal/ada-motors/keys/${id}/rotate`);
    const next = /mq_live_\w{38}/.exec(body)?.[0] ?? '';
    expect(next).not.toBe(key);
    expect((await decode(next)).statusCode).toBe(200);
    expect((await decode(key)).statusCode).toBe(200);
    const keys = (await owner.get('/portal/ada-motors/keys')).body;
    expect(keys).toContain('expires soon');
    // Both have one name: the row and the question before revoking say which is which.
    expect(keys.match(/>replaced</g)).toHaveLength(1);
    expect(keys).toMatch(new RegExp(`${key.slice(-4)}[^<]* stops working`));
    expect(keys.indexOf('>replaced<')).toBeLessThan(keys.indexOf(`…${key.slice(-4)}</span>`));
    expect(keys.indexOf('>replaced<')).toBeGreaterThan(keys.indexOf(`…${next.slice(-4)}</span>`));
  });

  test('a VIN that is tried counts for the workspace', async () => {
    const before = await service.charged();
    const tried = await owner.post('/portal/ada-motors/try', { vin: VIN.toLowerCase() });
    const page = String(tried.headers.location);
    expect([tried.statusCode, page]).toEqual([
      303,
      expect.stringMatching(/^\/portal\/ada-motors\/decodes\/[0-9a-f-]{36}$/),
    ]);
    for (let time = 0; time < 2; time++) expect((await owner.get(page)).body).toContain('2003 Honda Accord');
    expect(await service.charged()).toBe(before + 1);
  });

  test('a decode is found again by VIN, make and model, downloaded, cut to the plan, and nobody else sees it', async () => {
    const tried = await owner.post('/portal/ada-motors/try', { vin: VIN });
    const page = String(tried.headers.location);
    const find = async (search: string) => (await owner.get(`/portal/ada-motors/decodes?search=${search}`)).body;
    for (const search of ['', VIN, 'honda+accord', '4352']) expect(await find(search)).toContain(`href="${page}"`);
    expect(await find('volvo')).toContain('No decode matches.');
    const { body } = await owner.get(page);
    expect(body).not.toContain('Ohio');
    expect(body).toMatch(/A paid plan also shows: .*engine.*4 dimensions/);
    const csv = await owner.get(`${page}/csv`);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.body).toMatch(/^vin,manufacturer,model,.*\r\n1HGCM82633A004352,Honda,Accord,/);
    expect((await owner.get(`${page}/json`)).json()).toMatchObject({ report: { vin: VIN, model: 'Accord' } });
    const stranger = await signUp(service, 'mallory@example.com', 'mallory-motors');
    const id = page.split('/').at(-1);
    expect((await stranger.get(page)).statusCode).toBe(404);
    expect((await stranger.get(`/portal/mallory-motors/decodes/${id}`)).statusCode).toBe(404);
  });

  test('usage draws nothing before the first decode, warns from 80 % of the limit on, and reports when it is reached', async () => {
    const reader = await signUp(service, 'grace@example.com', 'grace-motors');
    const deps = { database: service.database, clock: systemClock };
    await setPlan(deps, 'grace-motors', { plan: 'free', limit: { kind: 'fixed', limit: 5 } }, 'cli:test');
    const shown = async () => (await reader.get('/portal/grace-motors')).body;
    expect(await shown()).not.toContain('class="chart"');
    for (let time = 0; time < 4; time++) {
      expect(await shown()).not.toContain('class="notice');
      await reader.post('/portal/grace-motors/try', { vin: VIN });
    }
    const warning = "80% of this month's 5 decodes are used.";
    expect(await shown()).toContain(warning);
    const paths = ['/try', '/decodes', '/files', '/keys', '/requests', '/webhooks', '/reports', '/members', '/plan'];
    const pages = await Promise.all(paths.map((path) => reader.get(`/portal/grace-motors${path}`)));
    expect(paths.filter((_, place) => pages[place]?.body.includes(warning) !== true)).toEqual([]);
    await reader.post('/portal/grace-motors/try', { vin: VIN });
    expect(await shown()).toContain('All 5 decodes of this month are used.');
  });

  test('the resources of others are answered as if they did not exist', async () => {
    const stranger = await signUp(service, 'eve@example.com', 'eve-motors');
    const { id } = await makeKey('mine');
    const bodyOf = async (url: string) => {
      const answer = await stranger.get(url);
      expect(answer.statusCode).toBe(404);
      return answer.body;
    };
    for (const page of ['', '/keys', '/try', '/members', '/plan']) {
      expect(await bodyOf(`/portal/ada-motors${page}`)).toBe(await bodyOf(`/portal/nobody-at-all${page}`));
    }
    const foreign = await stranger.post(`/portal/eve-motors/keys/${id}/revoke`);
    const missing = await stranger.post('/portal/eve-motors/keys/0190a0a0-0000-7000-8000-000000000000/revoke');
    expect(foreign.statusCode).toBe(404);
    expect(foreign.body).toBe(missing.body);
    expect((await stranger.post('/portal/ada-motors/members', { email: 'x@example.com' })).statusCode).toBe(404);
    expect((await stranger.get('/admin')).statusCode).toBe(404);
  });

  test('an invited member joins with a new account and may not do what an owner may', async () => {
    await owner.post('/portal/ada-motors/members', { email: 'bob@example.com', role: 'member' });
    const link = lastLink(service.logged(), '/invitations');
    const bob = new Reader(service.app);
    expect((await bob.post(link, { name: 'Bob', password: PASSWORD })).statusCode).toBe(303);
    expect((await bob.get('/portal/ada-motors/keys')).statusCode).toBe(200);
    expect((await bob.post('/portal/ada-motors/members', { email: 'x@example.com' })).statusCode).toBe(403);
    expect((await bob.post('/portal/ada-motors/close', { slug: 'ada-motors' })).statusCode).toBe(403);
    const used = await new Reader(service.app).get(link);
    expect([used.statusCode, used.body]).toEqual([404, expect.stringContaining('This invitation no longer works')]);
    const members = (await owner.get('/portal/ada-motors/members')).body;
    const bobId =
      /members\/([0-9a-f-]{36})" *><button class="small" name="role" value="owner"/.exec(members)?.[1] ?? '';
    await owner.post(`/portal/ada-motors/members/${bobId}`, { role: 'none' });
    expect((await bob.get('/portal/ada-motors')).statusCode).toBe(404);
  });

  test('many members are listed a page at a time, owners first', async () => {
    const crowd = await signUp(service, 'zoe@example.com', 'zoe-motors');
    const { kysely } = service.database;
    const { id } = await kysely
      .selectFrom('workspaces')
      .select('id')
      .where('slug', '=', 'zoe-motors')
      .executeTakeFirstOrThrow();
    const ids: string[] = [];
    await kysely.transaction().execute(async (transaction) => {
      for (let index = 100; index < 180; index++) {
        const email = `m${index}@example.com`;
        const person = await insertPerson(transaction, { email, name: `M${index}`, passwordHash: undefined }, index);
        if (person === undefined) throw new Error(email);
        ids.push(email);
        const member = { workspace_id: id, user_id: person, role: 'member', created_at: index } as const;
        await transaction.insertInto('workspace_members').values(member).execute();
      }
    });
    const pages: string[][] = [];
    let next: string | undefined = '/portal/zoe-motors/members';
    while (next !== undefined) {
      const { body }: { body: string } = await crowd.get(next);
      pages.push([...body.matchAll(/<td[^>]*>(m\d+@example\.com)</g)].map(([, email]) => email ?? ''));
      next = /href="([^"]+members\?after=[^"]+)"/.exec(body)?.[1];
    }
    expect(pages.map((page) => page.length)).toEqual([24, 25, 25, 6]);
    expect(pages.flat()).toEqual(ids);
  });

  test('many workspaces are listed a page at a time, by name', async () => {
    const { kysely } = service.database;
    const dora = await signUp(service, 'many@example.com', 'w-000');
    const user = kysely.selectFrom('auth_users').select('id').where('email', '=', 'many@example.com');
    const { id: userId } = await user.executeTakeFirstOrThrow();
    const one = await kysely.selectFrom('workspaces').selectAll().where('slug', '=', 'w-000').executeTakeFirstOrThrow();
    for (let place = 1; place <= 50; place += 1) {
      const id = `many-${place}`;
      const slug = `w-${String(place).padStart(3, '0')}`;
      await kysely
        .insertInto('workspaces')
        .values({ ...one, id, slug, name: null, founder: null })
        .execute();
      const member = { workspace_id: id, user_id: userId, role: 'member', created_at: 0 } as const;
      await kysely.insertInto('workspace_members').values(member).execute();
    }
    const first = (await dora.get('/portal/workspaces')).body;
    expect([slugsIn(first).length, slugsIn(first)[0], slugsIn(first).at(-1)]).toEqual([50, 'w-000', 'w-049']);
    expect(first).toContain('href="/portal/workspaces?after=w-049"');
    const next = (await dora.get('/portal/workspaces?after=w-049')).body;
    expect(slugsIn(next)).toEqual(['w-050']);
    expect(next).not.toContain('after=');
    expect((await dora.get('/portal')).headers['location']).toBe('/portal/w-000');
  });

  test('open invitations are shown with their roles, a few on a page', async () => {
    const owns = await signUp(service, 'ivy@example.com', 'ivy-motors');
    const guest = { email: 'guest0@example.com', role: 'owner' };
    const invited = (await owns.submit('/portal/ivy-motors/members', guest)).body;
    expect(invited).toMatch(/<caption>Open invitations<\/caption>.*guest0@example\.com.*>owner</s);
    const { kysely } = service.database;
    const link = await kysely
      .selectFrom('account_links')
      .selectAll()
      .where('email', '=', 'guest0@example.com')
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 10 }, (_, index) => ({ ...link, id: `ivy-${index}`, created_at: index }));
    await kysely.insertInto('account_links').values(more).execute();
    const { body } = await owns.get('/portal/ivy-motors/members');
    expect(body.match(/\/withdraw"/g)).toHaveLength(10);
    const next = (await owns.get('/portal/ivy-motors/members?invitation=ivy-1')).body;
    expect(body).toContain('/portal/ivy-motors/members?invitation=ivy-1"');
    expect(next.match(/invitations\/[\w-]+\/withdraw"/g)).toEqual(['invitations/ivy-0/withdraw"']);
    expect(next).not.toContain('Further invitations');
    await owns.post('/portal/ivy-motors/invitations/ivy-0/withdraw');
    expect((await owns.get('/portal/ivy-motors/members?invitation=ivy-1')).body).not.toContain('/withdraw"');
  });

  test('pages of keys stay small and lead on to every key, the revoked ones last', async () => {
    const owns = await signUp(service, 'kim@example.com', 'kim-motors');
    const { kysely } = service.database;
    await owns.submit('/portal/kim-motors/keys', { name: 'first' });
    const row = await kysely.selectFrom('api_keys').selectAll().where('name', '=', 'first').executeTakeFirstOrThrow();
    const others = Array.from({ length: 99 + 300 }, (_, index) => ({
      ...row,
      id: `kim-${index}`,
      hash: `kim-${index}`,
      created_at: row.created_at + index,
      revoked_at: index < 99 ? null : row.created_at + index,
      rotated_from: index === 98 ? row.id : null,
    }));
    for (let from = 0; from < others.length; from += 100)
      await kysely
        .insertInto('api_keys')
        .values(others.slice(from, from + 100))
        .execute();
    const pages: { inForce: number; revoked: number; replaced: number }[] = [];
    for (let next: string | undefined = '/portal/kim-motors/keys'; next !== undefined;) {
      const { body } = await owns.get(next);
      expect(body.length).toBeLessThan(100_000);
      const count = (part: RegExp): number => body.match(part)?.length ?? 0;
      pages.push({ inForce: count(/\/rotate"/g), revoked: count(/>revoked</g), replaced: count(/>replaced</g) });
      next = /href="([^"]+)">Further keys/.exec(body)?.[1];
    }
    const page = { inForce: 0, revoked: 0, replaced: 0 };
    const full = { ...page, inForce: 25 };
    expect(pages).toEqual([
      full,
      full,
      full,
      { ...full, replaced: 1 },
      ...Array.from({ length: 12 }, () => ({ ...page, revoked: 25 })),
    ]);
    for (const path of ['decodes', 'requests', 'webhooks', 'files', 'members', 'reports', '']) {
      const { body } = await owns.get(`/portal/kim-motors/${path}`);
      expect(body.length).toBeLessThan(100_000);
    }
  });

  test('the last owner cannot leave', async () => {
    const members = (await owner.get('/portal/ada-motors/members')).body;
    const id = /members\/([0-9a-f-]{36})/.exec(members)?.[1] ?? '';
    expect((await owner.post(`/portal/ada-motors/members/${id}`, { role: 'none' })).statusCode).toBe(422);
    expect((await owner.get('/portal/ada-motors')).statusCode).toBe(200);
  });

  test('a member whose role is none that exists is not removed', async () => {
    const { kysely } = service.database;
    const email = 'max@example.com';
    await signUp(service, email, 'max-motors');
    const people = kysely.selectFrom('auth_users').select('id').where('email', '=', email);
    const { id: userId } = await people.executeTakeFirstOrThrow();
    const { id } = await kysely
      .selectFrom('workspaces')
      .select('id')
      .where('slug', '=', 'ada-motors')
      .executeTakeFirstOrThrow();
    const member = { workspace_id: id, user_id: userId, role: 'member', created_at: 0 } as const;
    await kysely.insertInto('workspace_members').values(member).execute();
    const answer = await owner.post(`/portal/ada-motors/members/${userId}`, { role: 'admin' });
    expect([answer.statusCode, answer.body.includes('Choose a role.')]).toEqual([422, true]);
    expect((await owner.get('/portal/ada-motors/members')).body).toContain(email);
  });

  test('an address that does not exist leads a signed-in person back to the portal', async () => {
    const { statusCode, body } = await owner.get('/no/such/page', { accept: 'text/html' });
    expect(statusCode).toBe(404);
    expect(body).toContain('<a href="/portal">Go to the portal</a>');
    expect(body).not.toContain('/sign-in');
    const stranger = await new Reader(service.app).get('/no/such/page', { accept: 'text/html' });
    expect(stranger.body).toContain('<a href="/">Go to the start page</a>');
  });

  test('a visitor who is not signed in sees nothing, and returns to the page they wanted after signing in', async () => {
    const answer = await new Reader(service.app).get('/portal/ada-motors/keys');
    expect(answer.statusCode).toBe(303);
    expect(answer.headers['location']).toBe('/sign-in?next=%2Fportal%2Fada-motors%2Fkeys');
    const reader = new Reader(service.app);
    const fields = { email: 'ada@example.com', password: PASSWORD };
    const back = await reader.post('/sign-in', { ...fields, next: '/portal/ada-motors/keys' });
    expect(back.headers['location']).toBe('/portal/ada-motors/keys');
    for (const next of ['https://example.com', '//example.com', '/\\example.com', 'javascript:alert(1)']) {
      expect((await reader.post('/sign-in', { ...fields, next })).headers['location']).toBe('/portal');
    }
  });
});
