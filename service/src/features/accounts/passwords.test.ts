import { createRequire } from 'node:module';

import { describe, expect, test } from 'vitest';

import { isGuessable, OWN_WORDS } from './guessable.ts';
import { passwordFault } from '../../pages/account/passwords.tsx';

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
    expect(await passwordFault(password, ABOUT)).toMatch(/easy to guess/);
  });

  test.each([
    ['words alone', 'correct horse battery'],
    ['small letters alone', 'grenadierkolibriwanne'],
    ['digits alone', '80917465329104857263'],
    ['any script', 'Пёстрая сойка на мосту'],
    ['blanks and signs', '  ~ {tapir} && <lathe>  '],
    ['128 characters', 'tapir lathe 71 - '.repeat(8).slice(0, 96) + 'k7Gm2Qz-wave-turtle-0918-quilt-x'],
  ])('may be made of %s', async (_what, password) => {
    expect(await passwordFault(password, ABOUT)).toBeUndefined();
  });

  test('has 12 to 128 characters, counted as people count them', async () => {
    expect(await passwordFault('short words', ABOUT)).toMatch(/at least 12/);
    expect(await passwordFault('🚗'.repeat(11), ABOUT)).toMatch(/at least 12/);
    expect(await passwordFault('x'.repeat(129), ABOUT)).toMatch(/at most 128/);
  });
});

test('the 3,000 most used passwords are refused whatever is put behind them to make them long enough', async () => {
  const require = createRequire(import.meta.url);
  const { dictionary }: { dictionary: Record<string, string[]> } = require('@zxcvbn-ts/language-common');
  const known = dictionary['passwords-common'] ?? [];
  expect(known.length).toBeGreaterThan(3_000);
  // A few of them through the whole check: one thread each.
  for (const password of [0, 99, 999, 2_999].map((rank) => known[rank] ?? '')) {
    expect(await isGuessable(password.padEnd(12, '1'), [])).toBe(true);
  }
});

test('words of the service make no password', async () => {
  for (const word of OWN_WORDS) expect(await isGuessable(`${word}${word}12`.padEnd(12, '!'), [])).toBe(true);
});
