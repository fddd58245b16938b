import { Readable } from 'node:stream';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { runMarque } from '../testing/run-marque.ts';
import { administrator, PASSWORD, signUp } from './testing/people.ts';
import { Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const isSignedIn = async (reader: Reader) => (await reader.get('/account')).statusCode === 200;

describe.each(ENGINES)('sessions on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn(engine);
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  async function signIn(email: string): Promise<Reader> {
    const reader = new Reader(service.app);
    expect((await reader.post('/sign-in', { email, password: PASSWORD })).statusCode).toBe(303);
    return reader;
  }

  /** Moves a time of all sessions of a person. */
  async function setTime(email: string, column: 'created_at' | 'expires_at', atMs: number): Promise<void> {
    const at = new Date(atMs);
    await sql`UPDATE auth_sessions SET ${sql.ref(column)} = ${engine === 'sqlite' ? at.toISOString() : at}
      WHERE user_id = (SELECT id FROM auth_users WHERE email = ${email})`.execute(service.database.kysely);
  }

  test('are listed and ended one by one, and foreign ones are not', async () => {
    const first = await signUp(service, 'many@example.com', 'many-motors');
    const second = await signIn('many@example.com');
    const ids = [...(await first.get('/account')).body.matchAll(/sessions\/([0-9a-f-]{36})\/end/g)].map(([, id]) => id);
    expect(ids).toHaveLength(1);
    const stranger = await signUp(service, 'ada@example.com', 'ada-motors');
    await stranger.post(`/account/sessions/${ids[0]}/end`);
    expect(await isSignedIn(second)).toBe(true);
    await first.post(`/account/sessions/${ids[0]}/end`);
    expect(await isSignedIn(second)).toBe(false);
    expect(await isSignedIn(first)).toBe(true);
  });

  test('that a new password ends do nothing more, not even by a form whose body is still on its way', async () => {
    const owner = await signUp(service, 'slow@example.com', 'slow-motors');
    const other = await signIn('slow@example.com');
    const { promise: isReading, resolve } = Promise.withResolvers<undefined>();
    const payload = new Readable({ read: () => resolve(undefined) });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const sent = Promise.resolve(
      service.app.inject({
        method: 'POST',
        url: '/portal/slow-motors/members',
        headers: { ...headers, cookie: other.cookie },
        payload,
      }),
    );
    await isReading;
    const next = `${PASSWORD} again`;
    expect((await owner.post('/account/password', { current: PASSWORD, password: next })).statusCode).toBe(303);
    payload.push('email=thief@example.com&role=owner');
    payload.push(null);
    expect((await sent).headers.location).toMatch(/^\/sign-in/);
    expect((await owner.get('/portal/slow-motors/members')).body).not.toContain('thief@example.com');
  });

  test('of thousands, the own one and those used last are listed, and all others end at once', async () => {
    const { kysely } = service.database;
    const reader = await signUp(service, 'crowd@example.com', 'crowd-motors');
    const own = await kysely
      .selectFrom('auth_sessions')
      .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
      .selectAll('auth_sessions')
      .where('email', '=', 'crowd@example.com')
      .executeTakeFirstOrThrow();
    for (let index = 0; index < 3_000; index += 500) {
      const rows = Array.from({ length: 500 }, (_, place) => {
        const at = new Date(Date.now() + 3_600_000 - (index + place + 1) * 1_000);
        const updated = engine === 'sqlite' ? at.toISOString() : at;
        return { ...own, id: `crowd-${index + place}`, token: `crowd-${index + place}`, updated_at: updated };
      });
      await kysely.insertInto('auth_sessions').values(rows).execute();
    }
    // A session's last use is not written at each request: others may seem to be used later.
    await kysely.updateTable('auth_sessions').set({ updated_at: own.created_at }).where('id', '=', own.id).execute();
    const { body } = await reader.get('/account');
    expect(body).toContain('this one');
    expect(body).toContain('These are the 20 used last.');
    const listed = [...body.matchAll(/sessions\/crowd-(\d+)\/end/g)].map(([, place]) => Number(place));
    expect(listed).toEqual(Array.from({ length: 19 }, (_, place) => place));
    await reader.post('/account/sessions/others/end');
    const left = await kysely.selectFrom('auth_sessions').select('id').where('user_id', '=', own.user_id).execute();
    expect(left).toEqual([{ id: own.id }]);
  });

  test('can be ended from every page', async () => {
    const reader = await signUp(service, 'every@example.com', 'every-motors');
    for (const path of [
      '/account',
      '/account/second-factor',
      '/portal/every-motors',
      '/portal/every-motors/keys',
      '/',
    ]) {
      expect((await reader.get(path)).body).toContain('action="/sign-out"');
    }
  });

  test('end when the person signs out, and their cookie is worth nothing from then on', async () => {
    const reader = await signUp(service, 'out@example.com', 'out-motors');
    const { cookie } = reader;
    const answer = await reader.post('/sign-out');
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"');
    expect((await new Reader(service.app).get('/account', { cookie })).statusCode).toBe(303);
  });

  test('end in a browser where somebody else signs in', async () => {
    const reader = await signUp(service, 'one@example.com', 'one-motors');
    await signUp(service, 'other@example.com', 'other-motors');
    const { cookie } = reader;
    await reader.post('/sign-in', { email: 'other@example.com', password: PASSWORD });
    expect((await reader.get('/account')).body).toContain('other@example.com');
    expect((await new Reader(service.app).get('/account', { cookie })).statusCode).toBe(303);
  });

  test('end all but the own one when the password is changed', async () => {
    const reader = await signUp(service, 'change@example.com', 'change-motors');
    const other = await signIn('change@example.com');
    const { cookie } = reader;
    const wanted = { current: PASSWORD, password: 'another long password' };
    expect((await reader.post('/account/password', { ...wanted, current: 'wrong' })).statusCode).toBe(422);
    expect((await reader.submit('/account/password', wanted)).body).toContain('The new password is set.');
    expect([await isSignedIn(reader), await isSignedIn(other)]).toEqual([true, false]);
    // The own one goes on under a new token.
    expect((await new Reader(service.app).get('/account', { cookie })).statusCode).toBe(303);
  });

  test('end when they are not used, and after 30 days however much they are used', async () => {
    const unused = await signUp(service, 'unused@example.com', 'unused-motors');
    await setTime('unused@example.com', 'expires_at', Date.now() - 1);
    expect(await isSignedIn(unused)).toBe(false);
    const used = await signUp(service, 'used@example.com', 'used-motors');
    await setTime('used@example.com', 'created_at', Date.now() - 29 * DAY_MS);
    expect(await isSignedIn(used)).toBe(true);
    await setTime('used@example.com', 'created_at', Date.now() - 31 * DAY_MS);
    expect(await isSignedIn(used)).toBe(false);
    // Gone, not merely too old.
    await setTime('used@example.com', 'created_at', Date.now());
    expect(await isSignedIn(used)).toBe(false);
  });

  test("an administrator's end twelve hours after signing in", async () => {
    const admin = await administrator(service, 'root@example.com');
    await setTime('root@example.com', 'created_at', Date.now() - 11 * HOUR_MS);
    expect((await admin.get('/admin')).statusCode).toBe(200);
    await setTime('root@example.com', 'created_at', Date.now() - 13 * HOUR_MS);
    expect((await admin.get('/admin')).headers['location']).toMatch(/^\/sign-in/);
  });

  test('are ended by the operator, for one person or for everyone', async () => {
    const one = await signUp(service, 'end1@example.com', 'end1-motors');
    const two = await signUp(service, 'end2@example.com', 'end2-motors');
    const run = async (...words: string[]) => {
      const { status, out } = await runMarque(['admin', 'sign-out', '--json', ...words], service.env);
      return { status, said: status === 0 ? JSON.parse(out) : undefined };
    };
    expect(await run('--email', 'end1@example.com')).toEqual({ status: 0, said: { ended: 1 } });
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, true]);
    expect((await run('--everyone')).status).toBe(0);
    expect(await isSignedIn(two)).toBe(false);
    expect((await run()).status).toBe(1);
    expect((await run('--email', 'nobody@example.com')).status).toBe(1);
  });
});
