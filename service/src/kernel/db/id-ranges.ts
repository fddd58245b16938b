/** Rows of one range: either database looks at them in a few milliseconds. */
export const RANGE_ROWS = 5_000;

/** The ids from one, if it is given, to below another, if it is given. */
export interface IdRange {
  from?: string | undefined;
  below?: string | undefined;
}

/**
 * Yields ranges of ids, newest first, to search one after the other. Where few rows match a filter, SQLite would look at
 * all of them in one turn of the event loop, and PostgreSQL in a statement that keeps a connection from others.
 *
 * @param turn waits for the turn of each range.
 * @param nthBelow finds the id that is so many rows below another one, or below the newest, by an index.
 */
export async function* idRanges(
  nthBelow: (rows: number, below: string | undefined) => Promise<string | undefined>,
  below: string | undefined,
  turn: () => Promise<void>,
): AsyncGenerator<IdRange> {
  for (let next = below; ;) {
    await turn();
    const from = await nthBelow(RANGE_ROWS, next);
    yield { from, below: next };
    if (from === undefined) return;
    next = from;
  }
}
