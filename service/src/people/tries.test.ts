import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { listAudit } from '../kernel/audit/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { addSecondFactor, PASSWORD, signUp } from './testing/people.ts';
import { codeAt, Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';
import { type Allowance, ALLOWANCES, Throttle } from '../kernel/limits/throttle.ts';

const from = (network: string) => ({ 'x-forwarded-for': network });

/** Tries passwords at once, and counts those that are hashed at the same time. */
async function hashedAtOnce(tries: readonly (() => Promise<number>)[]): Promise<{ statuses: number[]; most: number }> {
  let [atOnce, most] = [0, 0];
  const { scrypt } = crypto;
  const hashing = vi.spyOn(crypto, 'scrypt').mockImplementation((...[password, salt, length, options, done]) => {
    most = Math.max(most, (atOnce += 1));
    scrypt(password, salt, length, options, (error, key) => {
      atOnce -= 1;
      done(error, key);
    });
  });
  syncBuiltinESMExports();
  const statuses = await Promise.all(tries.map((attempt) => attempt()));
  expect(hashing).toHaveBeenCalledTimes(tries.length);
  hashing.mockRestore();
  syncBuiltinESMExports();
  return { statuses, most };
}

/** Types a wrong password while signed in. */
const confirm = async (reader: Reader) => (await reader.post('/account/second-factor', { password: 'x' })).statusCode;

describe.each(ENGINES)('tries on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn(engine, { TRUST_PROXY: 'loopback' });
  });

  afterAll(async () => service[Symbol.asyncDispose]());

  const tryPassword = async (email: string, network: string, reader = new Reader(service.app), password = 'x') =>
    (await reader.post('/sign-in', { email, password }, from(network))).statusCode;

  /** Uses up a name's attempts, also those of a window that may begin meanwhile. */
  async function useUp(allowance: Allowance, name: string): Promise<void> {
    for (const clock of [systemClock, () => systemClock() + allowance.withinMs]) {
      const throttle = new Throttle(service.database, clock);
      for (let index = 0; index < allowance.tries; index++) await throttle.count(allowance, name);
    }
  }

  const scopes = () => service.database.kysely.selectFrom('auth_tries').select('scope').execute();

  test('one network locks no one out of their account, however often it tries', async () => {
    await signUp(service, 'ada@example.com', 'ada-motors');
    await useUp(ALLOWANCES.signInFromNetworkToAccount, '198.51.100.1 ada@example.com');
    for (let index = 0; index < 40; index++) {
      expect(await tryPassword('ada@example.com', '198.51.100.1')).toBe(429);
    }
    expect(await tryPassword('ada@example.com', '198.51.100.2', new Reader(service.app), PASSWORD)).toBe(303);
  });

  test('a network that is over its own limit counts against no account', async () => {
    await useUp(ALLOWANCES.signInFromNetwork, '198.51.100.3');
    const before = (await scopes()).length;
    for (let index = 0; index < 12; index++) expect(await tryPassword('late@example.com', '198.51.100.3')).toBe(429);
    expect((await scopes()).length).toBe(before);
  });

  test('what a network tries beyond its limit is written nowhere, and other tries one in a turn', async () => {
    const written = vi.spyOn(Kysely.prototype, 'insertInto');
    const tries = () => written.mock.calls.filter(([table]) => table === 'auth_tries').length;
    const throttle = new Throttle(service.database, systemClock);
    await useUp(ALLOWANCES.codeFromNetwork, '198.51.100.30');
    const once = () => throttle.count(ALLOWANCES.codeFromNetwork, '198.51.100.30');
    const first = await once();
    const before = tries();
    const waits = await Promise.all(Array.from({ length: 50 }, once));
    expect(waits.every((wait) => wait !== undefined && Math.abs(wait - (first ?? 0)) < 60)).toBe(true);
    expect(tries()).toBe(before);
    await useUp(ALLOWANCES.password, 'person');
    await throttle.count(ALLOWANCES.password, 'person');
    const after = tries();
    await throttle.count(ALLOWANCES.password, 'person');
    expect(tries()).toBe(after);
    const others = Array.from({ length: 50 }, (_, index) => throttle.count(ALLOWANCES.codeFromNetwork, `${index}`));
    await nextTurn();
    expect(tries() - after).toBeLessThan(4);
    await Promise.all(others);
    expect(tries() - after).toBe(50);
    written.mockRestore();
  });

  test('passwords of all clients are tried one at a time', async () => {
    const tries = await hashedAtOnce(
      Array.from({ length: 12 }, (_, index) => () => tryPassword(`crowd${index}@example.com`, `203.0.113.${index}`)),
    );
    expect(tries).toEqual({ statuses: Array.from({ length: 12 }, () => 401), most: 1 });
  });

  test('the passwords that one person types while signed in are tried one at a time, those of several two', async () => {
    const people = [];
    for (let index = 0; index < 4; index++) {
      people.push(await signUp(service, `signed-in${index}@example.com`, `signed-in-${index}`));
    }
    const ofOne = people.slice(0, 1).flatMap((reader) => Array.from({ length: 8 }, () => () => confirm(reader)));
    expect(await hashedAtOnce(ofOne)).toEqual({ statuses: Array.from({ length: 8 }, () => 422), most: 1 });
    const ofAll = await hashedAtOnce(people.map((reader) => () => confirm(reader)));
    expect(ofAll).toEqual({ statuses: [422, 422, 422, 422], most: expect.toSatisfy((most: number) => most <= 2) });
  });

  test('one IPv6 network takes few of the places of those who wait to sign in', async () => {
    const gate = Promise.withResolvers<void>();
    const { scrypt } = crypto;
    const hashing = vi.spyOn(crypto, 'scrypt').mockImplementation((...parameters) => {
      void gate.promise.then(() => scrypt(...parameters));
    });
    syncBuiltinESMExports();
    const before = (await scopes()).length;
    const answers: number[] = [];
    const tries = Array.from({ length: 30 }, async (_, index) => {
      answers.push(await tryPassword(`wide${index}@example.com`, `2001:db8:2:${index}::1`));
    });
    // One is tried, and ten wait.
    await expect.poll(() => answers.length).toBe(19);
    expect(new Set(answers)).toEqual(new Set([503]));
    const form = { email: 'wide@example.com', password: 'x' };
    const refused = await new Reader(service.app).post('/sign-in', form, from('2001:db8:2:30::1'));
    expect(refused.body).toContain('who comes with the mailed link goes first.');
    gate.resolve();
    await Promise.all(tries);
    expect(answers.filter((status) => status === 401)).toHaveLength(11);
    // For network, network with account, and account; those who were refused have tried nothing.
    expect((await scopes()).length - before).toBe(11 * 3);
    hashing.mockRestore();
    syncBuiltinESMExports();
  });

  test('sign-up links wait with the strangers of their network, one whose name is taken for nothing, and a reset makes the browser known', async () => {
    await signUp(service, 'roy@example.com', 'roy-motors');
    const mailed = async (email: string, path: 'sign-up' | 'reset', ask: () => Promise<unknown>) => {
      await ask();
      const link = new RegExp(`"to":"${email}"[^\\n]*(/${path}/[\\w-]+)`);
      await expect.poll(() => service.logged()).toMatch(link);
      return link.exec(service.logged())?.[1] ?? '';
    };
    const asked = (email: string, slug: string) =>
      mailed(email, 'sign-up', () => new Reader(service.app).post('/sign-up', { email, slug }, from('203.0.113.50')));
    const taken = await asked('una@example.com', 'roy-motors');
    const links = [await asked('val@example.com', 'val-motors'), await asked('wim@example.com', 'wim-motors')];
    const reset = await mailed('roy@example.com', 'reset', () =>
      new Reader(service.app).post('/forgot', { email: 'roy@example.com' }, from('203.0.113.51')),
    );
    const gate = Promise.withResolvers<void>();
    const { scrypt } = crypto;
    const hashing = vi.spyOn(crypto, 'scrypt').mockImplementation((...parameters) => {
      void gate.promise.then(() => scrypt(...parameters));
    });
    syncBuiltinESMExports();
    const finish = (link: string, network: string, reader = new Reader(service.app)) =>
      reader.post(link, { name: 'Somebody', password: PASSWORD }, from(network));
    expect((await finish(taken, '203.0.113.52')).body).toContain('This name is taken');
    const finished = Promise.all(links.map((link) => finish(link, '203.0.113.53')));
    await expect.poll(() => hashing.mock.calls.length).toBe(1);
    const owner = new Reader(service.app);
    const set = finish(reset, '203.0.113.53', owner);
    await expect.poll(() => hashing.mock.calls.length).toBe(2);
    gate.resolve();
    expect((await finished).map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    expect((await set).statusCode).toBe(303);
    hashing.mockRestore();
    syncBuiltinESMExports();
    await useUp(ALLOWANCES.signInFromNetwork, '203.0.113.54');
    expect(await tryPassword('roy@example.com', '203.0.113.54', owner, PASSWORD)).toBe(303);
  });

  test('a browser that has signed in before gets through when others have used up an account and a network', async () => {
    const owner = await signUp(service, 'eve@example.com', 'eve-motors');
    await owner.post('/sign-out');
    const network = '198.51.100.4';
    await useUp(ALLOWANCES.signInFromNetwork, network);
    await useUp(ALLOWANCES.signInToAccount, 'eve@example.com');
    expect(await tryPassword('eve@example.com', '198.51.100.9', new Reader(service.app), PASSWORD)).toBe(429);
    expect(await tryPassword('eve@example.com', network, owner, PASSWORD)).toBe(303);
  });

  test('the cookie of such a browser is bound to its account, cannot be made up, and has tries of its own', async () => {
    const owner = await signUp(service, 'kim@example.com', 'kim-motors');
    expect(owner.cookie).not.toMatch(/kim(?:@|%40|-motors)/);
    const device = /marque\.device=([^;]+)/.exec(owner.cookie)?.[1] ?? '';
    expect(device).not.toBe('');
    const network = '198.51.100.10';
    await useUp(ALLOWANCES.signInFromNetwork, network);
    const send = async (email: string, value: string) => {
      const headers = { ...from(network), cookie: `marque.device=${value}` };
      return (await new Reader(service.app).post('/sign-in', { email, password: 'x' }, headers)).statusCode;
    };
    expect(await send('ada@example.com', device)).toBe(429);
    expect(
      await send(
        'kim@example.com',
        device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      ),
    ).toBe(429);
    expect(await send('kim@example.com', device.replace(/^.{32}/, '0'.repeat(32)))).toBe(429);
    expect(await send('kim@example.com', device)).toBe(401);
    await useUp(ALLOWANCES.signInFromDevice, device.slice(0, 32));
    expect(await send('kim@example.com', device)).toBe(429);
  });

  test('a network asks for no more accounts in a day than it may, and still gets its resets', async () => {
    await signUp(service, 'max@example.com', 'max-motors');
    const network = '198.51.100.21';
    await useUp(ALLOWANCES.signUpFromNetwork, network);
    await new Reader(service.app).post('/sign-up', { email: 'new@example.com', slug: 'new-motors' }, from(network));
    await new Reader(service.app).post('/forgot', { email: 'max@example.com' }, from(network));
    await expect.poll(() => service.logged()).toMatch(/"to":"max@example.com"[^\n]*\/reset\//);
    expect(service.logged()).not.toContain('"to":"new@example.com"');
    await useUp(ALLOWANCES.signUpFromWideNetwork, '2001:0db8:0007');
    const wide = { email: 'wide@example.com', slug: 'wide-motors' };
    await new Reader(service.app).post('/sign-up', wide, from('2001:db8:7:1::1'));
    await new Reader(service.app).post('/sign-up', { ...wide, email: 'far@example.com' }, from('2001:db8:8:1::1'));
    await expect.poll(() => service.logged()).toContain('"to":"far@example.com"');
    expect(service.logged()).not.toContain('"to":"wide@example.com"');
  });

  test("messages that a throttled network asks for, and messages to sign up, use up no one else's resets", async () => {
    await signUp(service, 'lee@example.com', 'lee-motors');
    const network = '198.51.100.11';
    await useUp(ALLOWANCES.mailFromNetwork, network);
    for (let index = 0; index < 5; index++) {
      await new Reader(service.app).post('/forgot', { email: 'lee@example.com' }, from(network));
      const fields = { email: 'lee@example.com', slug: 'more-motors' };
      await new Reader(service.app).post('/sign-up', fields, from('198.51.100.12'));
    }
    await new Reader(service.app).post('/forgot', { email: 'lee@example.com' }, from('198.51.100.13'));
    await expect.poll(() => service.logged()).toMatch(/"to":"lee@example.com"[^\n]*\/reset\//);
  });

  test('a code that is refused leaves the next good one good', async () => {
    const owner = await signUp(service, 'sam@example.com', 'sam-motors');
    const { secret, usedCode } = await addSecondFactor(owner);
    const reader = new Reader(service.app);
    await reader.post('/sign-in', { email: 'sam@example.com', password: PASSWORD });
    for (const code of [usedCode, '000000', 'aaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaa']) {
      expect((await reader.post('/sign-in/code', { code })).statusCode).toBe(401);
    }
    const code = codeAt(secret, Date.now() + 30_000);
    expect((await reader.post('/sign-in/code', { code })).statusCode).toBe(303);
  });

  test('one session appends no more than so much to the audit log, and still ends what it began', async () => {
    const owner = await signUp(service, 'flo@example.com', 'flo-motors');
    const portal = '/portal/flo-motors';
    await owner.post(`${portal}/keys`, { name: 'main' });
    const actor = 'person:flo@example.com';
    const keys = service.database.kysely.selectFrom('api_keys').select(['id', 'name', 'revoked_at']);
    const [key] = await keys.where('name', '=', 'main').execute();
    await useUp(ALLOWANCES.auditedByPerson, actor);
    const before = await listAudit(service.database, { actor });
    const answers = [
      await owner.post(`${portal}/keys`, { name: 'refused' }),
      await owner.post(`${portal}/name`, { name: 'Refused' }),
      await owner.post(`${portal}/alerts`, { percents: '80' }),
      await owner.post(`${portal}/members`, { email: 'gus@example.com', role: 'member' }),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.body).toMatch(/You made too many changes\. Try again in \d+ minutes?\./);
    }
    expect(await listAudit(service.database, { actor })).toEqual(before);
    expect(await keys.where('name', '=', 'refused').execute()).toEqual([]);
    // A thief with the session cannot keep the owner from replacing a key without an interruption.
    expect((await owner.post(`${portal}/keys/${key?.id}/rotate`)).statusCode).toBeLessThan(400);
    expect(await keys.where('name', '=', 'main').execute()).toHaveLength(2);
    expect((await owner.post(`${portal}/keys/${key?.id}/revoke`)).statusCode).toBe(303);
    expect((await keys.where('id', '=', key?.id ?? '').executeTakeFirstOrThrow()).revoked_at).not.toBeNull();
    // No one else is kept from anything, an owner not from a new password.
    const other = await signUp(service, 'hal@example.com', 'hal-motors');
    expect((await other.post('/portal/hal-motors/keys', { name: 'main' })).statusCode).toBeLessThan(400);
    const changed = await owner.post('/account/password', { current: PASSWORD, password: `${PASSWORD} new` });
    expect(changed.statusCode).toBe(303);
    const [last] = await listAudit(service.database, { limit: 1 });
    expect(last).toMatchObject({ actor, action: 'password.changed' });
  });
});
