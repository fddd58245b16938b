import { matchesPattern, parsePattern, type PositionSet } from '@marque/decoder';

import type { WorldRow } from './model.ts';
import { weightOf } from './weight.ts';

/** Returns true if a VIN has a row's characters, and its serial number. */
export function holds(row: WorldRow, vin: string): boolean {
  if (!matchesPattern(positionsOf(row.pattern), vin)) return false;
  const serial = vin.slice(12);
  return row.serial === undefined || (serial >= row.serial[0] && serial <= row.serial[1]);
}

/** Returns the weight of the positions that a row fixes. */
export function fixedOf(row: WorldRow): number {
  return weightOf(row, positionsOf(row.pattern));
}

const parsed = new Map<string, PositionSet[]>();

/** Returns a pattern by position, read once. */
export function positionsOf(pattern: string): PositionSet[] {
  let positions = parsed.get(pattern);
  if (positions === undefined) parsed.set(pattern, (positions = parsePattern(pattern)));
  return positions;
}
