import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that a piece of a long removal takes: few enough that charges beside it wait a few milliseconds only. */
export const ROWS_A_PIECE = 500;

/**
 * Runs a piece of work until there is none left, letting others in between.
 *
 * @param piece gives how much it did.
 * @returns how much was done in all.
 */
export async function inPieces(piece: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const done = await piece();
    if (done === 0) return all;
    all += done;
    await nextTurn();
  }
}
