import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';

import { RecentFailure } from './recent-failure.ts';
import { DatabaseUnavailableError, StorageUnwritableError } from './refusal.ts';

const FULL = new StorageUnwritableError('The disk is full.');

function unavailable(code: string): Error {
  const cause = Object.assign(new DatabaseError('refused', 7, 'error'), { code });
  return new DatabaseUnavailableError('refused', { cause });
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
