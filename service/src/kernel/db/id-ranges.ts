import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Database } from './open.ts';

/** Rows of one range: SQLite looks at them in a few milliseconds. */
const RANGE_ROWS = 5_000;

/** The ids from one, if it is given, to below another, if it is given. */
export interface IdRange {
  from?: string | undefined;
  below?: string | undefined;
}

/**
 * Yields ranges of ids, newest first, to search one after the other. SQLite answers within a turn of the event loop,
 * and where few rows match a filter it would look at all of them in one turn. On PostgreSQL everything is one range.
 *
 * @param nthBelow finds the id that is so many rows below another one, or below the newest, by an index.
 */
export async function* idRanges(
  { engine }: Pick<Database, 'engine'>,
  nthBelow: (rows: number, below: string | undefined) => Promise<string | undefined>,
  below?: string,
): AsyncGenerator<IdRange> {
  if (engine !== 'sqlite') {
    yield { below };
    return;
  }
  for (let next = below; ;) {
    await nextTurn();
    const from = await nthBelow(RANGE_ROWS, next);
    yield { from, below: next };
    if (from === undefined) return;
    next = from;
  }
}
