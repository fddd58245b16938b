import { createRequire } from 'node:module';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OWN_WORDS, passwordChecker } from './guessable.ts';
import { lengthFault } from './pages/passwords.tsx';
import { PASSWORD, resetLink, signUp } from './testing/people.ts';
import { lastLink, Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';

const ABOUT = ['ada@example.com', 'Ada Lovelace', 'ada-motors'];
describe('a new password', () => {
  test.each([
    'password1234',
    'Password1234!',
    'P@ssw0rd1234',
    '123456789012',
    'qwertyuiop12',
    'aaaaaaaaaaaa',
    'iloveyou1234',
    'letmeinletmein',
    'december2026!',
    'ada-motors-2026',
    'adalovelace12',
    'ada@example.com',
    'marque-decoder',
  ])('%s is refused: guessers begin with such', async (password) => {
    expect(await passwordChecker.isGuessable(password, ABOUT)).toBe(true);
  });

  test.each([
    ['words alone', 'correct horse battery'],
    ['small letters alone', 'grenadierkolibriwanne'],
    ['digits alone', '80917465329104857263'],
    ['any script', 'Пёстрая сойка на мосту'],
    ['blanks and signs', '  ~ {tapir} && <lathe>  '],
    ['128 characters', 'tapir lathe 71 - '.repeat(8).slice(0, 96) + 'k7Gm2Qz-wave-turtle-0918-quilt-x'],
  ])('may be made of %s', async (_what, password) => {
    expect(lengthFault(password)).toBeUndefined();
    expect(await passwordChecker.isGuessable(password, ABOUT)).toBe(false);
  });

  test('has 12 to 128 characters, counted as people count them', () => {
    expect(lengthFault('short words')).toMatch(/at least 12/);
    expect(lengthFault('🚗'.repeat(11))).toMatch(/at least 12/);
    expect(lengthFault('x'.repeat(129))).toMatch(/at most 128/);
  });
});

test('the 3,000 most used passwords are refused with any suffix that makes them long enough', async () => {
  const require = createRequire(import.meta.url);
  const { dictionary }: { dictionary: Record<string, string[]> } = require('@zxcvbn-ts/language-common');
  const known = dictionary['passwords-common'] ?? [];
  expect(known.length).toBeGreaterThan(3_000);
  // A few of them through the whole check.
  for (const password of [0, 99, 999, 2_999].map((rank) => known[rank] ?? '')) {
    expect(await passwordChecker.isGuessable(password.padEnd(12, '1'), [])).toBe(true);
  }
});

test('words of the service make no password', async () => {
  for (const word of OWN_WORDS)
    expect(await passwordChecker.isGuessable(`${word}${word}12`.padEnd(12, '!'), [])).toBe(true);
});

/** Sends the same form again and again, from a network each. @returns how each was answered. */
const tries = (reader: Reader, path: string, fields: Record<string, string>) =>
  Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const headers = { 'x-forwarded-for': `198.51.100.${index}` };
      return (await reader.post(path, fields, headers)).statusCode;
    }),
  );

const looked = (statuses: readonly number[]) => statuses.filter((status) => status === 422).length;

describe('however many choose a password at once', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await testService({ TRUST_PROXY: 'loopback' });
  });

  afterAll(() => service[Symbol.asyncDispose]());

  test('one worker checks them, those beyond a short queue learn when to try again, and none is lost', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => passwordChecker.isGuessable(`tapir lathe quilt ${index}`, [])),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(answers.length - refused.length).toBe(20);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ statusCode: 503, headers: { 'retry-after': expect.any(String) } });
    }
    expect(await passwordChecker.isGuessable('tapir lathe quilt wave', [])).toBe(false);
  });

  test('one link has ten tries, those of sign-up, reset and invitation alike, and so has a person', async () => {
    await new Reader(service.app).post('/sign-up', { email: 'bob@example.com', slug: 'bob-motors' });
    const signUpLink = lastLink(service.logged(), '/sign-up');
    const owner = await signUp(service, 'ada@example.com', 'ada-motors');
    await owner.post('/portal/ada-motors/members', { email: 'eve@example.com' });
    const stranger = new Reader(service.app);
    const guessable = { name: 'Bob', slug: 'bob-motors', password: 'password1234', current: PASSWORD };
    for (const [reader, path] of [
      [stranger, signUpLink],
      [stranger, lastLink(service.logged(), '/invitations')],
      [stranger, await resetLink(service, 'ada@example.com')],
      [owner, '/account/password'],
    ] as const) {
      const statuses = await tries(reader, path, guessable);
      expect({ path, looked: looked(statuses) }).toEqual({ path, looked: 10 });
      expect(new Set(statuses)).toEqual(new Set([422, 429]));
    }
  });
});
