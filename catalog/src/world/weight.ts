import { fixedPositions, type PositionSet } from '@marque/decoder';

import type { WorldRow } from './model.ts';

/** More than any row can fix: 17 positions and a range of serial numbers. */
const ABOVE_LEARNED = 20;

/**
 * Returns the weight of a row against others that match: the number of positions it fixes. Learned rows add to facts
 * and replace none, so every other row weighs more than any of them.
 *
 * @param positions the row's pattern
 */
export function weightOf({ serial, learned }: WorldRow, positions: readonly PositionSet[]): number {
  return fixedPositions(positions).length + (serial === undefined ? 0 : 1) + (learned === true ? 0 : ABOVE_LEARNED);
}
