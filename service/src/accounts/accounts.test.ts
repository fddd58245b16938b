import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { addSecondFactor, PASSWORD, signUp } from '../testing/people.ts';
import { codeAt, lastLink, Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';

describe.each(ENGINES)('accounts on %s', (engine) => {
  let fresh: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    const { databaseUrl } = fresh.location;
    service = await testService(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl });
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await fresh.remove();
  });

  const signIn = async (email: string, password = PASSWORD) => {
    const reader = new Reader(service.app);
    return { reader, answer: await reader.post('/sign-in', { email, password }) };
  };

  /** What two people get, one with an account and one without. */
  const bodies = async (path: string, fields: (email: string) => Record<string, string>) => {
    const answers = [];
    for (const email of ['ada@example.com', 'bob@example.com']) {
      const answer = await new Reader(service.app).post(path, fields(email));
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

  test('a sign-up link is good once', async () => {
    const link = lastLink(service.logged(), '/sign-up');
    const answer = await new Reader(service.app).post(link, { name: 'Eve', password: PASSWORD });
    expect(answer.statusCode).toBe(404);
  });

  test('says the same to known and unknown addresses', async () => {
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
    await reader.post('/forgot', { email: 'reset@example.com' });
    const link = lastLink(service.logged(), '/reset');
    expect((await reader.post(link, { password: 'short' })).statusCode).toBe(422);
    expect((await reader.post(link, { password: 'another long password' })).statusCode).toBe(200);
    expect((await reader.get('/account')).statusCode).toBe(303);
    expect((await signIn('reset@example.com')).answer.statusCode).toBe(401);
    expect((await signIn('reset@example.com', 'another long password')).answer.statusCode).toBe(303);
    expect((await reader.post(link, { password: 'yet another password' })).statusCode).toBe(404);
  });

  test('with a second factor the password alone opens nothing; the code or a recovery code does', async () => {
    const owner = await signUp(service, 'two@example.com', 'two-motors');
    const { secret, recoveryCodes } = await addSecondFactor(owner);
    expect(recoveryCodes.length).toBeGreaterThan(7);
    const { reader, answer } = await signIn('two@example.com');
    expect(answer.headers['location']).toMatch(/^\/sign-in\/code/);
    expect((await reader.get('/account')).statusCode).toBe(303);
    expect((await reader.post('/sign-in/code', { code: '000000' })).statusCode).toBe(401);
    expect((await reader.post('/sign-in/code', { code: codeAt(secret, Date.now()) })).statusCode).toBe(303);
    expect((await reader.get('/account')).body).toContain('two@example.com');
    const lost = await signIn('two@example.com');
    expect((await lost.reader.post('/sign-in/code', { code: recoveryCodes[0] ?? '' })).statusCode).toBe(303);
    const again = await signIn('two@example.com');
    expect((await again.reader.post('/sign-in/code', { code: recoveryCodes[0] ?? '' })).statusCode).toBe(401);
  });

  test('sessions are listed and ended one by one, and foreign ones are not', async () => {
    const first = await signUp(service, 'many@example.com', 'many-motors');
    const { reader: second } = await signIn('many@example.com');
    const ids = [...(await first.get('/account')).body.matchAll(/sessions\/([0-9a-f-]{36})\/end/g)].map(([, id]) => id);
    expect(ids).toHaveLength(1);
    const { reader: stranger } = await signIn('ada@example.com');
    await stranger.post(`/account/sessions/${ids[0]}/end`);
    expect((await second.get('/account')).statusCode).toBe(200);
    await first.post(`/account/sessions/${ids[0]}/end`);
    expect((await second.get('/account')).statusCode).toBe(303);
    expect((await first.get('/account')).statusCode).toBe(200);
  });

  test('a closed account is gone, and its workspace with it', async () => {
    const reader = await signUp(service, 'gone@example.com', 'gone-motors');
    expect((await reader.post('/account/close', { password: 'wrong' })).statusCode).toBe(422);
    expect((await reader.post('/account/close', { password: PASSWORD })).statusCode).toBe(303);
    expect((await signIn('gone@example.com')).answer.statusCode).toBe(401);
    const taken = await new Reader(service.app).post('/sign-up', { email: 'new@example.com', slug: 'gone-motors' });
    expect(taken.body).toContain('This name is taken');
  });

  test('wrong passwords stop an account after ten, whoever asks, and say when to try again', async () => {
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
