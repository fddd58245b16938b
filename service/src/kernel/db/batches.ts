import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows in one batch of a long removal: few enough that charges wait only a few milliseconds for it. */
export const BATCH_ROWS = 500;

/**
 * Runs batches until there is nothing left to do, and lets other work run between them.
 *
 * @param batch does one batch and returns how many rows it took.
 * @returns the rows of all batches.
 */
export async function inBatches(batch: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const done = await batch();
    if (done === 0) return all;
    all += done;
    await nextTurn();
  }
}
