import { DatabaseError } from 'pg';

/**
 * SQLSTATE classes and codes that say nothing about the statement: the connection or the server failed, or had to give
 * up on it.
 */
const PASSING = /^(?:08|53|57P|58)|^(?:40001|40P01|55P03|57014|25P03)$/;

/**
 * Whether a fault on PostgreSQL passes by itself, so that the same statement may do later: the connection broke, the
 * server restarts, a time limit ran out, or two transactions were in each other's way.
 */
export function isPassingFault(error: unknown): boolean {
  if (error instanceof DatabaseError) return PASSING.test(error.code ?? '');
  // Whatever the server did not say was said by the connection or the pool.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
}
