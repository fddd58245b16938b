import crypto, { webcrypto } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { ENGINES } from '../testing/databases.ts';
import { codeAt, Reader } from '../testing/reader.ts';
import { serviceOn, type TestService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import {
  addSecondFactor,
  createAdministrator,
  hiddenIn,
  PASSWORD,
  resetLink,
  secretIn,
  signUp,
} from './testing/people.ts';

const NEXT = 'another long password';

/** Something that is held until it is let go. */
interface Held {
  reached: Promise<void>;
  letGo: () => void;
}

function holding(): Held & { arrive: () => Promise<void> } {
  const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const arrive = (): Promise<void> => {
    reached.resolve();
    return gone.promise;
  };
  return { reached: reached.promise, letGo: () => gone.resolve(), arrive };
}

function replaceHash(replacement: unknown): void {
  Reflect.set(crypto, 'scrypt', replacement);
  syncBuiltinESMExports();
}

/** Holds one of the next passwords that are compared or hashed: the first, the second and so on. */
function holdHash(nth = 1): Held {
  const { scrypt } = crypto;
  const held = holding();
  let left = nth;
  replaceHash((...given: Parameters<typeof scrypt>) => {
    left -= 1;
    if (left > 0) return scrypt(...given);
    replaceHash(scrypt);
    void held.arrive().then(() => scrypt(...given));
  });
  return held;
}

/** Holds the next code before its key is decrypted. */
function holdCode(): Held {
  const { subtle } = webcrypto;
  const held = holding();
  const digest = vi.spyOn(subtle, 'digest').mockImplementationOnce(async (...given) => {
    digest.mockRestore();
    await held.arrive();
    return subtle.digest(...given);
  });
  return held;
}

describe.each(ENGINES)('what is under way on %s while a mailed link sets another password', (engine) => {
  let service: TestService;
  let count = 0;

  beforeAll(async () => {
    service = await serviceOn(engine);
  });

  afterAll(() => service[Symbol.asyncDispose]());

  /** Signs a person up, and begins something that is held; the person sets another password, and it goes on. */
  async function overtake(
    begin: (owner: Reader, email: string) => Promise<{ held: Held; answer: PromiseLike<{ statusCode: number }> }>,
    replace: (email: string, owner: Reader) => Promise<unknown> = reset,
  ) {
    const name = `owner${(count += 1)}`;
    const email = `${name}@example.com`;
    const owner = await signUp(service, email, `${name}-motors`);
    const { held, answer } = await begin(owner, email);
    await held.reached;
    await replace(email, owner);
    held.letGo();
    const { statusCode } = await answer;
    const { kysely } = service.database;
    const { id } = await kysely
      .selectFrom('auth_users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const [sessions, waiting] = await Promise.all([
      kysely.selectFrom('auth_sessions').select('id').where('user_id', '=', id).execute(),
      kysely.selectFrom('auth_verifications').select('id').where('value', '=', id).execute(),
    ]);
    return { email, owner, statusCode, left: sessions.length + waiting.length };
  }

  async function reset(email: string): Promise<void> {
    const answer = await new Reader(service.app).post(await resetLink(service, email), { password: NEXT });
    expect(answer.statusCode).toBe(303);
  }

  const signIn = (email: string, password: string) => new Reader(service.app).post('/sign-in', { email, password });

  test('a sign-in with the one before is refused', async () => {
    const { email, statusCode, left } = await overtake(async (_owner, its) => {
      const held = holdHash();
      return { held, answer: signIn(its, PASSWORD) };
    });
    expect({ statusCode, left }).toEqual({ statusCode: 401, left: 0 });
    expect((await signIn(email, NEXT)).statusCode).toBe(303);
  });

  test('a sign-in that waits for a code next is refused', async () => {
    const { statusCode, left } = await overtake(async (owner, its) => {
      await addSecondFactor(owner);
      const held = holdHash();
      return { held, answer: signIn(its, PASSWORD) };
    });
    expect({ statusCode, left }).toEqual({ statusCode: 401, left: 0 });
  });

  test.each([false, true])(
    'a sign-in is refused if its account is closed meanwhile; with a code: %s',
    async (withCode) => {
      const email = `closed-${withCode}@example.com`;
      const owner = await signUp(service, email, `closed-${withCode}`);
      if (withCode) await addSecondFactor(owner);
      const held = holdHash();
      const answer = signIn(email, PASSWORD);
      await held.reached;
      await service.database.kysely.deleteFrom('auth_users').where('email', '=', email).execute();
      held.letGo();
      expect((await answer).statusCode).toBe(401);
    },
  );

  test('a sign-in to an account that becomes an administrator’s is refused', async () => {
    const { statusCode, left } = await overtake(
      async (_owner, its) => {
        const held = holdHash();
        return { held, answer: signIn(its, PASSWORD) };
      },
      (its) => createAdministrator(service, its),
    );
    expect({ statusCode, left }).toEqual({ statusCode: 401, left: 0 });
  });

  test.each([1, 2])('a change of the password is refused, held at its hash %i', async (nth) => {
    const { email, owner, left } = await overtake(async (reader) => {
      const held = holdHash(nth);
      return {
        held,
        answer: reader.post('/account/password', { current: PASSWORD, password: "the thief's password" }),
      };
    });
    expect(left).toBe(0);
    expect((await signIn(email, "the thief's password")).statusCode).toBe(401);
    expect((await signIn(email, NEXT)).statusCode).toBe(303);
    expect((await owner.get('/account')).statusCode).toBe(303);
  });

  test('a change of the address is refused', async () => {
    const { left } = await overtake(async (reader) => {
      const held = holdHash();
      const fields = { email: `thief${count}@example.com`, password: PASSWORD };
      return { held, answer: reader.post('/account/address', fields) };
    });
    expect(left).toBe(0);
    expect(service.logged()).not.toContain(`"to":"thief${count}@example.com"`);
  });

  test('a second factor is not turned on', async () => {
    const { email, left } = await overtake(async (reader) => {
      const { body } = await reader.submit('/account/second-factor', { password: PASSWORD });
      const fields = { ...hiddenIn(body), code: codeAt(secretIn(body), Date.now()) };
      const held = holdCode();
      return { held, answer: reader.post('/account/second-factor/confirm', fields) };
    });
    expect(left).toBe(0);
    expect((await signIn(email, NEXT)).headers.location).toBe('/portal');
  });

  test('recovery codes stay those that their owner keeps', async () => {
    let codes: readonly string[] = [];
    const { email } = await overtake(async (reader) => {
      codes = (await addSecondFactor(reader)).recoveryCodes;
      const held = holdHash();
      return { held, answer: reader.post('/account/second-factor/codes', { password: PASSWORD }) };
    });
    const owner = new Reader(service.app);
    expect((await owner.post('/sign-in', { email, password: NEXT })).headers.location).toContain('/sign-in/code');
    expect((await owner.post('/sign-in/code', { code: codes[0] ?? '' })).headers.location).toBe('/portal');
  });

  test('the end of a second factor begins no other session, and does not end it', async () => {
    const { email, left } = await overtake(async (reader) => {
      await addSecondFactor(reader);
      const held = holdHash();
      return { held, answer: reader.post('/account/second-factor/end', { password: PASSWORD }) };
    });
    expect(left).toBe(0);
    expect((await signIn(email, NEXT)).headers.location).toContain('/sign-in/code');
  });

  test('an account is not closed', async () => {
    const { email } = await overtake(async (reader) => {
      const held = holdHash();
      return { held, answer: reader.post('/account/close', { password: PASSWORD }) };
    });
    expect((await signIn(email, NEXT)).statusCode).toBe(303);
  });

  /** Signs a person up; a stranger who knows the password asks for another address. @returns whether its link works after. */
  async function askedByStranger(defend: (owner: Reader) => Promise<unknown>): Promise<boolean> {
    const name = `owner${(count += 1)}`;
    const email = `${name}@example.com`;
    const owner = await signUp(service, email, `${name}-motors`);
    const stranger = new Reader(service.app);
    await stranger.post('/sign-in', { email, password: PASSWORD });
    const to = `stranger${count}@example.com`;
    await stranger.post('/account/address', { email: to, password: PASSWORD });
    await until(async () => service.logged().includes(`"to":"${to}"`));
    const token = /new-address\?token=([0-9a-f]+)/.exec(
      service
        .logged()
        .split('\n')
        .find((line) => line.includes(`"to":"${to}"`)) ?? '',
    )?.[1];
    await defend(owner);
    await new Reader(service.app).post('/new-address', { token: token ?? '' });
    const person = service.database.kysely.selectFrom('auth_users').select('id').where('email', '=', to);
    return token === undefined || (await person.executeTakeFirst()) !== undefined;
  }

  test('a link to another address ends with the session of a stranger who asked for it', async () => {
    expect(await askedByStranger(async () => {})).toBe(true);
    expect(await askedByStranger((owner) => owner.post('/account/sessions/others/end'))).toBe(false);
  });

  test('a link to another address that was asked for by password alone ends once there is a second factor', async () => {
    expect(await askedByStranger((owner) => addSecondFactor(owner))).toBe(false);
  });

  test('the end of a second factor does nothing once its session has ended', async () => {
    const stranger = new Reader(service.app);
    const { email, owner } = await overtake(
      async (reader, its) => {
        await addSecondFactor(reader);
        await service.database.kysely.updateTable('auth_users').set({ two_factor_enabled: false }).execute();
        await stranger.post('/sign-in', { email: its, password: PASSWORD });
        await service.database.kysely.updateTable('auth_users').set({ two_factor_enabled: true }).execute();
        const held = holdHash();
        return { held, answer: stranger.post('/account/second-factor/end', { password: PASSWORD }) };
      },
      (_its, reader) => reader.post('/account/sessions/others/end'),
    );
    expect((await stranger.get('/account')).statusCode).toBe(303);
    expect((await owner.get('/account')).statusCode).toBe(200);
    expect((await signIn(email, PASSWORD)).headers.location).toContain('/sign-in/code');
  });

  test('a second factor ends the sessions that no code has begun, also one that is beginning', async () => {
    const stranger = new Reader(service.app);
    const { owner, statusCode, email } = await overtake(
      async (_reader, its) => {
        await stranger.post('/sign-in', { email: its, password: PASSWORD });
        const held = holdHash();
        return { held, answer: signIn(its, PASSWORD) };
      },
      (_its, reader) => addSecondFactor(reader),
    );
    expect(statusCode).toBe(401);
    expect((await stranger.get('/account')).statusCode).toBe(303);
    expect((await owner.get('/account')).statusCode).toBe(200);
    expect((await signIn(email, PASSWORD)).headers.location).toContain('/sign-in/code');
  });
});
