import { DatabaseError } from 'pg';
import { expect, test, vi } from 'vitest';

import { RecentFailure } from './recent-failure.ts';
import { DatabaseUnavailableError, StorageUnwritableError } from './refusal.ts';

const FULL = new StorageUnwritableError('The disk is full.');

function unavailable(code: string, text = 'refused'): Error {
  const cause = Object.assign(new DatabaseError(text, 7, 'error'), { code });
  return new DatabaseUnavailableError(text, { cause });
}

test('a full disk goes on while the database does not answer, and not when it refuses a statement', () => {
  const failure = new RecentFailure();
  expect(failure.goesOn(unavailable('57P03'))).toBe(false);
  failure.note(FULL);
  expect(failure.goesOn(new DatabaseUnavailableError('connection refused', { cause: new Error('ECONNREFUSED') }))).toBe(
    true,
  );
  expect(failure.goesOn(unavailable('57P03'))).toBe(true);
  for (const code of ['40P01', '55P03', '57014', '40001']) expect(failure.goesOn(unavailable(code))).toBe(false);
  expect(failure.error).toBe(FULL);
});

test('after a crash a server that starts is waited for, and one that crashes as it starts, or gives up, is not', () => {
  const failure = new RecentFailure();
  let nowMs = 0;
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const refused = unavailable('ECONNREFUSED');
  expect(failure.goesOn(refused)).toBe(false);
  failure.noteCrash();
  const goesOn = ['recovery', 'recovery', 'not yet', 'not yet'].map((step) =>
    failure.goesOn(unavailable('57P03', step)),
  );
  expect(goesOn).toEqual([false, false, false, false]);
  // An answer that was late.
  expect(failure.goesOn(unavailable('57P03', 'recovery'))).toBe(false);
  nowMs += 1_000;
  expect(failure.goesOn(unavailable('57P03', 'not yet'))).toBe(false);
  expect(failure.goesOn(unavailable('57P03', 'recovery'))).toBe(true);
  expect(failure.goesOn(unavailable('57P03', 'not yet'))).toBe(true);
  failure.noteConnection();
  expect(failure.goesOn(unavailable('57P03', 'not yet'))).toBe(false);
  expect(failure.goesOn(refused)).toBe(false);
  // The server was back, and crashed again.
  failure.noteCrash();
  expect(failure.goesOn(unavailable('57P03', 'recovery'))).toBe(true);
  expect(failure.goesOn(refused)).toBe(true);
  nowMs += 100_000;
  expect(failure.goesOn(refused)).toBe(false);
});
