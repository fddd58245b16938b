import { DatabaseError } from 'pg';

import { DatabaseUnavailableError } from './refusal.ts';

/** What a server says that takes no writes: it is a standby, or was set to read only. */
export const READ_ONLY = '25006';

/**
 * SQLSTATE classes and codes that say nothing about the statement: the connection or the server failed, had to give up
 * on it, or is not the one that writes.
 */
const PASSING = new RegExp(`^(?:08|53|57P|58)|^(?:40001|40P01|55P03|57014|25P03|${READ_ONLY})$`);

/**
 * Whether a fault on PostgreSQL passes by itself, so that the same statement may do later: the connection broke, the
 * server restarts or is a standby, a time limit ran out, or two transactions were in each other's way.
 */
function isPassingFault(error: unknown): boolean {
  if (error instanceof DatabaseError) return PASSING.test(error.code ?? '');
  // Anything that the server did not report comes from the connection or the pool.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
}

/**
 * Does something on PostgreSQL.
 * @throws DatabaseUnavailableError when it failed for a reason that passes by itself.
 */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isPassingFault(error)) throw error;
    throw new DatabaseUnavailableError('PostgreSQL did not answer.', { cause: error });
  }
}
