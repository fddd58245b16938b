import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { addSecondFactor, PASSWORD, resetLink, signUp } from './testing/people.ts';
import { codeAt, lastLink, Reader } from '../testing/reader.ts';
import { serviceOn, type TestService, testService } from '../testing/service.ts';

describe.each(ENGINES)('accounts on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn(engine);
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const signIn = async (email: string, password = PASSWORD) => {
    const reader = new Reader(service.app);
    return { reader, answer: await reader.post('/sign-in', { email, password }) };
  };

  /** Returns the answers that two people get, one with an account and one without. */
  const bodies = async (path: string, fields: (email: string) => Record<string, string>) => {
    const answers = [];
    for (const email of ['known@example.com', 'bob@example.com']) {
      const answer = await new Reader(service.app).submit(path, fields(email));
      answers.push([answer.statusCode, answer.body.replaceAll(email, 'X').replace(/[0-9a-f]{64}/g, 'TOKEN')]);
    }
    return answers;
  };

  test('sign-up proves the address, makes the workspace and signs in', async () => {
    const reader = await signUp(service, 'ada@example.com', 'ada-motors');
    expect((await reader.get('/account')).body).toContain('ada@example.com');
    const { answer } = await signIn('ADA@example.com ');
    expect(answer.statusCode).toBe(303);
    expect(answer.headers['location']).toBe('/portal');
  });

  test.each(["o'brien+vin@example.com", 'a_b-c.d@xn--bcher-kva.example', 'x@a.museum'])(
    'an account has the address %s, and signs in with it',
    async (email) => {
      await signUp(service, email, `${email.slice(0, 1)}-${email.length}-motors`);
      const reader = new Reader(service.app);
      expect((await reader.post('/sign-in', { email, password: PASSWORD })).statusCode).toBe(303);
    },
  );

  test.each([
    'r&d@example.com',
    'a/b@example.com',
    'a*b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    "a'@example.com",
    'a@-example.com',
    'a@example.xn--p1ai',
    `${'a'.repeat(65)}@example.com`,
  ])('no account has the address %s, with which the library signs nobody in', async (email) => {
    const { statusCode, body } = await new Reader(service.app).post('/sign-up', { email, slug: 'odd-motors' });
    expect([statusCode, body.includes('an account can have')]).toEqual([422, true]);
  });

  test('a sign-up link is good once', async () => {
    await signUp(service, 'once@example.com', 'once-motors');
    const link = lastLink(service.logged(), '/sign-up');
    const answer = await new Reader(service.app).post(link, { name: 'Eve', password: PASSWORD });
    expect(answer.statusCode).toBe(404);
  });

  test('gives the same answer to known and unknown addresses', async () => {
    await signUp(service, 'known@example.com', 'known-motors');
    for (const answers of [
      await bodies('/sign-in', (email) => ({ email, password: 'wrong wrong wrong' })),
      await bodies('/forgot', (email) => ({ email })),
      await bodies('/sign-up', (email) => ({ email, slug: 'another-one' })),
    ]) {
      expect(answers[0]).toEqual(answers[1]);
    }
  });

  test('a reset sets a new password and ends every session', async () => {
    const reader = await signUp(service, 'reset@example.com', 'reset-motors');
    const link = await resetLink(service, 'reset@example.com');
    expect((await reader.post(link, { password: 'short' })).statusCode).toBe(422);
    expect((await reader.post(link, { password: 'reset@example.com' })).statusCode).toBe(422);
    expect((await reader.submit(link, { password: 'another long password' })).body).toContain(
      'The new password is set.',
    );
    expect((await reader.get('/account')).statusCode).toBe(303);
    expect((await signIn('reset@example.com')).answer.statusCode).toBe(401);
    expect((await signIn('reset@example.com', 'another long password')).answer.statusCode).toBe(303);
    expect((await reader.post(link, { password: 'yet another password' })).statusCode).toBe(404);
  });

  test('links to set a new password end when one of them is used, and when the password is changed', async () => {
    const reader = await signUp(service, 'links@example.com', 'links-motors');
    const [first, second] = [
      await resetLink(service, 'links@example.com'),
      await resetLink(service, 'links@example.com'),
    ];
    const password = 'another long password';
    const set = async (link: string, next: string) =>
      (await new Reader(service.app).post(link, { password: next })).statusCode;
    const at = await Promise.all([set(first, password), set(second, password)]);
    expect(at.toSorted((a, b) => a - b)).toEqual([303, 404]);
    await reader.post('/sign-in', { email: 'links@example.com', password });
    const third = await resetLink(service, 'links@example.com');
    await reader.post('/account/password', { current: password, password: PASSWORD });
    expect(await set(third, 'yet another password')).toBe(404);
    expect((await signIn('links@example.com')).answer.statusCode).toBe(303);
  });

  test('no link and no step of a sign-in is in the database as it is sent', async () => {
    const reader = await signUp(service, 'clear@example.com', 'clear-motors');
    const link = await resetLink(service, 'clear@example.com');
    await addSecondFactor(reader);
    const { reader: half } = await signIn('clear@example.com');
    const step = /two_factor=([^.;]+)/.exec(half.cookie)?.[1] ?? '';
    expect(step).not.toBe('');
    const { kysely } = service.database;
    const stored = [
      await kysely.selectFrom('account_links').selectAll().execute(),
      await kysely.selectFrom('auth_verifications').selectAll().execute(),
    ];
    expect(JSON.stringify(stored)).not.toContain(step);
    expect(JSON.stringify(stored)).not.toContain(link.slice('/reset/'.length));
  });

  test('a second factor that waits for its code ends with the password that it began with', async () => {
    const owner = await signUp(service, 'begun@example.com', 'begun-motors');
    const { secret } = await addSecondFactor(owner);
    const { reader } = await signIn('begun@example.com');
    const link = await resetLink(service, 'begun@example.com');
    await new Reader(service.app).post(link, { password: 'another long password' });
    const code = codeAt(secret, Date.now() + 30_000);
    expect((await reader.submit('/sign-in/code', { code })).body).toContain('Enter your password first');
    expect((await reader.get('/account')).statusCode).toBe(303);
  });

  test('every field for a password hides it, and lets managers fill it in', async () => {
    const reader = await signUp(service, 'fields@example.com', 'fields-motors');
    const link = await resetLink(service, 'fields@example.com');
    await new Reader(service.app).post('/sign-up', { email: 'later@example.com', slug: 'later-motors' });
    const first = lastLink(service.logged(), '/sign-up');
    const stranger = new Reader(service.app);
    const pages = await Promise.all([
      ...['/account', '/account/second-factor'].map((path) => reader.get(path)),
      ...['/sign-in', link, first].map((path) => stranger.get(path)),
    ]);
    for (const { body } of pages) {
      const fields = [...body.matchAll(/<input[^>]*name="(?:password|current)"[^>]*>/g)].map(([field]) => field);
      expect(fields.length).toBeGreaterThan(0);
      for (const field of fields) {
        expect(field).toContain('type="password"');
        expect(field).toMatch(/autocomplete="(?:current|new)-password"/);
        expect(field).not.toMatch(/onpaste|readonly|pattern=/);
      }
    }
  });

  test('every try to sign in is logged, with how it went and without the address', async () => {
    await signUp(service, 'logged@example.com', 'logged-motors');
    const before = service.logged().length;
    const { reader } = await signIn('logged@example.com');
    await signIn('logged@example.com', 'wrong wrong wrong');
    await reader.get('/portal/ada-motors');
    await reader.get('/admin');
    await reader.post('/sign-out');
    const text = service.logged().slice(before);
    const lines: { event?: string; outcome?: string; area?: string; person?: string; time?: string }[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const events = lines.filter(({ event }) => event !== undefined);
    expect(events).toMatchObject([
      { event: 'sign-in', outcome: 'signed-in', person: expect.any(String), time: expect.stringMatching(/Z$/) },
      { event: 'sign-in', outcome: 'refused' },
      { event: 'refused', area: 'workspace' },
      { event: 'refused', area: 'administration' },
      { event: 'sign-out', person: expect.any(String) },
    ]);
    expect(text).not.toContain('logged@example.com');
  });

  test('a closed account is gone, and its workspace with it', async () => {
    const reader = await signUp(service, 'gone@example.com', 'gone-motors');
    expect((await reader.post('/account/close', { password: 'wrong' })).statusCode).toBe(422);
    const closed = await reader.submit('/account/close', { password: PASSWORD });
    expect(closed.body).toMatch(/The account of \S+@example\.com is closed\./);
    expect((await signIn('gone@example.com')).answer.statusCode).toBe(401);
    await new Reader(service.app).post('/sign-up', { email: 'new@example.com', slug: 'gone-motors' });
    const link = lastLink(service.logged(), '/sign-up');
    const taken = await new Reader(service.app).post(link, { name: 'New', password: PASSWORD });
    expect(taken.body).toContain('This name is taken');
  });

  test('wrong passwords for one account stop a network after ten, whether there is one or not', async () => {
    const tries = [];
    for (let index = 0; index < 11; index++) tries.push((await signIn('nobody@example.com', 'x')).answer.statusCode);
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  test.each(['a--b', '-ab', 'ab', 'Admin', 'admin', 'api', 'billing', 'ä-motors', 'x'.repeat(41)])(
    'the workspace name %s is refused',
    async (slug) => {
      const answer = await new Reader(service.app).post('/sign-up', { email: 'slug@example.com', slug });
      expect(answer.statusCode).toBe(422);
    },
  );
});

describe('cookies', () => {
  test('are bound to host and https where people come by https', async () => {
    await using service = await testService({ BASE_URL: 'https://vin.example.com' });
    const reader = await signUp(service, 'ada@example.com', 'ada-motors');
    const answer = await reader.post('/sign-in', { email: 'ada@example.com', password: PASSWORD });
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-marque\.session_token=/);
    expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax/);
    expect(cookie).not.toContain('Domain');
  });

  test('are not sent along by other sites and not read by scripts over plain http', async () => {
    await using service = await testService();
    const reader = await signUp(service, 'ada@example.com', 'ada-motors');
    const answer = await reader.post('/sign-in', { email: 'ada@example.com', password: PASSWORD });
    expect(String(answer.headers['set-cookie'])).toMatch(/^marque\.session_token=.*HttpOnly; SameSite=Lax/);
  });
});
