import { symmetricEncrypt } from 'better-auth/crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { addSecondFactor, hiddenIn, PASSWORD, resetLink, secretIn, signUp } from './testing/people.ts';
import { codeAt, Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';

/** The time for which an app shows a code, in milliseconds. The one before and the one after are accepted, too. */
const STEP_MS = 30_000;

describe.each(ENGINES)('the second factor on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn(engine);
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  /** Someone with a second factor. */
  async function withFactor(name: string) {
    const email = `${name}@example.com`;
    const owner = await signUp(service, email, `${name}-motors`);
    return { email, ...(await addSecondFactor(owner)) };
  }

  /** Gives the password. @returns the cookies of the sign-in that waits for a code. */
  async function challengeOf(email: string): Promise<string> {
    const reader = new Reader(service.app);
    await reader.post('/sign-in', { email, password: PASSWORD });
    return reader.cookie;
  }

  /** Gives the password and then a code. */
  async function signIn(email: string, code: string, password = PASSWORD) {
    const reader = new Reader(service.app);
    const { location } = (await reader.post('/sign-in', { email, password })).headers;
    expect(location).toMatch(/^\/sign-in\/code/);
    const { statusCode } = await reader.post('/sign-in/code', { code });
    return { reader, statusCode };
  }

  test('the password alone opens nothing; the code or a recovery code does, each recovery code once', async () => {
    const { email, secret, recoveryCodes } = await withFactor('two');
    expect(recoveryCodes).toHaveLength(10);
    const wrong = await signIn(email, '000000');
    expect(wrong.statusCode).toBe(401);
    expect((await wrong.reader.get('/account')).statusCode).toBe(303);
    const right = await signIn(email, codeAt(secret, Date.now() + STEP_MS));
    expect(right.statusCode).toBe(303);
    expect((await right.reader.get('/account')).body).toContain(email);
    const [first = '', second = ''] = recoveryCodes;
    expect((await signIn(email, first)).statusCode).toBe(303);
    expect((await signIn(email, first)).statusCode).toBe(401);
    expect((await signIn(email, second.replaceAll('-', ' ').toUpperCase())).statusCode).toBe(303);
  });

  test('who is signed in signs in again in the same browser with password and code', async () => {
    const { email, recoveryCodes } = await withFactor('again');
    const [first = '', second = ''] = recoveryCodes;
    const { reader } = await signIn(email, first);
    await reader.post('/sign-in', { email, password: PASSWORD });
    expect((await reader.get('/account')).statusCode).toBe(303);
    expect((await reader.post('/sign-in/code', { code: second })).statusCode).toBe(303);
    expect((await reader.get('/account')).body).toContain(email);
  });

  test('a code of the app opens the account once, and the one that set it up not at all', async () => {
    const { email, secret, usedCode } = await withFactor('once');
    const code = codeAt(secret, Date.now() + STEP_MS);
    const first = await signIn(email, code);
    expect(first.statusCode).toBe(303);
    for (const used of [code, usedCode]) {
      const { reader, statusCode } = await signIn(email, used);
      expect(statusCode).toBe(401);
      expect((await reader.get('/account')).statusCode).toBe(303);
    }
    expect((await first.reader.get('/account')).statusCode).toBe(200);
  });

  test('a code that was used opens no account by a second cookie, which says that another person signs in', async () => {
    const { email, secret } = await withFactor('seen');
    const { email: ownEmail } = await withFactor('own');
    const code = codeAt(secret, Date.now() + STEP_MS);
    expect((await signIn(email, code)).statusCode).toBe(303);
    const [theirs, own] = [await challengeOf(email), await challengeOf(ownEmail)];
    for (const cookie of [theirs, `${theirs.replace('=', ' =')}; ${own}`, `${own}; ${theirs}`]) {
      const { statusCode, headers } = await new Reader(service.app).post('/sign-in/code', { code }, { cookie });
      expect([cookie, statusCode, headers['set-cookie']]).toEqual([cookie, 401, undefined]);
    }
  });

  test('after ten wrong codes in a row the page says that none is taken, and a code that came then is good later', async () => {
    const { email, secret, recoveryCodes } = await withFactor('locked');
    const { kysely } = service.database;
    await kysely.updateTable('auth_two_factors').set({ failed_verification_count: 9 }).execute();
    expect((await signIn(email, '000000')).statusCode).toBe(401);
    const code = codeAt(secret, Date.now() + STEP_MS);
    const reader = new Reader(service.app);
    await reader.post('/sign-in', { email, password: PASSWORD });
    for (const right of [code, recoveryCodes[0] ?? '']) {
      const { statusCode, body } = await reader.post('/sign-in/code', { code: right });
      expect([statusCode, body.includes('somebody knows your password')]).toEqual([429, true]);
    }
    await kysely.updateTable('auth_two_factors').set({ locked_until: null }).execute();
    expect((await reader.post('/sign-in/code', { code })).statusCode).toBe(303);
  });

  test('a code that several send at once opens the account for one of them', async () => {
    const { email, secret } = await withFactor('race');
    const code = codeAt(secret, Date.now() + STEP_MS);
    const tries = await Promise.all(Array.from({ length: 4 }, () => signIn(email, code)));
    expect(tries.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([303, 401, 401, 401]);
    const accounts = await Promise.all(tries.map(({ reader }) => reader.get('/account')));
    expect(accounts.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('a new password by mail does not go round it', async () => {
    const { email } = await withFactor('both');
    const password = 'another long password';
    const link = await resetLink(service, email);
    expect((await new Reader(service.app).post(link, { password })).statusCode).toBe(303);
    const { reader, statusCode } = await signIn(email, '000000', password);
    expect(statusCode).toBe(401);
    expect((await reader.get('/account')).statusCode).toBe(303);
  });

  test('once the secret that encrypts keys was replaced, a code of the app is wrong, and a recovery code opens the account', async () => {
    const { email, secret, recoveryCodes } = await withFactor('replaced');
    const { kysely } = service.database;
    const { id } = await kysely
      .selectFrom('auth_users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const other = await symmetricEncrypt({ key: 'another secret', data: secret });
    await kysely.updateTable('auth_two_factors').set({ secret: other }).where('user_id', '=', id).execute();
    expect((await signIn(email, codeAt(secret, Date.now() + STEP_MS))).statusCode).toBe(401);
    const { reader, statusCode } = await signIn(email, recoveryCodes[0] ?? '');
    expect(statusCode).toBe(303);
    await reader.submit('/account/second-factor/end', { password: PASSWORD });
    expect((await addSecondFactor(reader)).recoveryCodes).toHaveLength(10);
  });

  test('a second factor that was begun again is turned on with its own key and recovery codes alone', async () => {
    const email = 'tabs@example.com';
    const owner = await signUp(service, email, 'tabs-motors');
    const begin = () => owner.submit('/account/second-factor', { password: PASSWORD });
    const [one, other] = [await begin(), await begin()];
    const turnOn = (page: typeof one) => {
      const code = codeAt(secretIn(other.body), Date.now());
      return owner.submit('/account/second-factor/confirm', { ...hiddenIn(page.body), code });
    };
    const refused = await turnOn(one);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('It was set up again in another window.');
    const { body } = await turnOn(other);
    expect(body).toContain('The second factor is on.');
    const [, first = ''] = /<li>([^<]+)<\/li>/.exec(body) ?? [];
    expect((await signIn(email, first)).statusCode).toBe(303);
  });

  test('recovery codes are stored as hashes of 140 random bits each', async () => {
    const { recoveryCodes } = await withFactor('hashed');
    const { rows } = await sql<{ backup_codes: string }>`SELECT backup_codes FROM auth_two_factors`.execute(
      service.database.kysely,
    );
    const stored = rows.map((row) => row.backup_codes);
    expect(stored).toContain(JSON.stringify(recoveryCodes.map(hashOfRecoveryCode)));
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[a-km-np-z2-9]{4}-){6}[a-km-np-z2-9]{4}$/);
  });
});
