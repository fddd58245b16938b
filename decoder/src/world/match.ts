import { CODES } from '../vin/characters.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { CHECK_DIGIT_CONDITIONS } from '../report/world-fields.ts';
import type { WorldTables } from './tables.ts';

const ANY = CHECK_DIGIT_CONDITIONS.indexOf('any');
const VALID = CHECK_DIGIT_CONDITIONS.indexOf('valid');

/**
 * Returns the number of positions fixed by the layout's condition that this VIN meets (0 for a layout without
 * conditions), or -1 when the VIN meets none.
 */
export function layoutFit(tables: WorldTables, layout: number, codes: VinCodes, hasCheckDigit: () => boolean): number {
  const condition = tables.layoutCondition[layout] as number;
  if (condition !== ANY && hasCheckDigit() !== (condition === VALID)) return -1;
  const end = tables.layoutWhens[layout + 1] as number;
  const start = tables.layoutWhens[layout] as number;
  if (start === end) return 0;
  let best = -1;
  for (let when = start; when < end; when++) {
    const from = tables.whenTokens[when] as number;
    const to = tables.whenTokens[when + 1] as number;
    if (to - from <= best) continue;
    if (tokensHold(tables, tables.whenPosition, tables.whenSet, from, to, codes)) best = to - from;
  }
  return best;
}

/**
 * Collects the facts of a layout whose pattern this VIN matches: one binary search for each set of positions that
 * the layout's codes occupy, however many codes there are.
 *
 * @returns the number of facts written to `into` in the order of the files. The compiler rules out that a catalog's do
 *   not fit; those of an overlay come last, and are left out first.
 */
export function matchFacts(tables: WorldTables, layout: number, codes: VinCodes, into: Uint32Array): number {
  let count = 0;
  const last = tables.layoutGroups[layout + 1] as number;
  for (let index = tables.layoutGroups[layout] as number; index < last; index++) {
    const group = tables.layoutGroup[index] as number;
    const key = keyOf(tables, group, codes);
    if (key < 0) continue;
    const end = tables.groupEntries[group + 1] as number;
    for (
      let entry = firstAtLeast(tables.entryKey, tables.groupEntries[group] as number, end, key);
      entry < end;
      entry++
    ) {
      if (tables.entryKey[entry] !== key) break;
      const from = tables.entryRest[entry] as number;
      const to = tables.entryRest[entry + 1] as number;
      if (from < to && !tokensHold(tables, tables.entryPosition, tables.entrySet, from, to, codes)) continue;
      const fact = tables.entryFact[entry] as number;
      if (!serialHolds(tables, fact, codes)) continue;
      if (count < into.length) insert(into, count++, fact);
    }
  }
  return count;
}

/**
 * Puts a fact in its place among `count` sorted ones: a VIN matches a few, for which a general sort takes longer than
 * the search.
 */
function insert(into: Uint32Array, count: number, fact: number): void {
  let at = count;
  for (; at > 0 && (into[at - 1] as number) > fact; at--) into[at] = into[at - 1] as number;
  into[at] = fact;
}

/** Returns the characters at a group's positions as one number; -1 where one of them is not known. */
function keyOf(tables: WorldTables, group: number, vin: VinCodes): number {
  const { codes } = vin;
  let key = 0;
  const end = tables.groupPositions[group + 1] as number;
  for (let at = tables.groupPositions[group] as number; at < end; at++) {
    const position = tables.groupPosition[at] as number;
    const code = codes[position] as number;
    if (code >= CODES) return -1;
    key = key * CODES + code;
  }
  return key;
}

/** Returns the characters of a group's key. */
export function codesOfKey(key: number, count: number): number[] {
  const codes: number[] = [];
  for (let rest = key; codes.length < count; rest = Math.floor(rest / CODES)) codes.unshift(rest % CODES);
  return codes;
}

/** Returns the first of some sorted keys that is not below. */
export function firstAtLeast(keys: Float64Array, start: number, end: number, key: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function tokensHold(
  tables: WorldTables,
  positions: Uint8Array,
  sets: Uint16Array,
  from: number,
  to: number,
  vin: VinCodes,
): boolean {
  for (let token = from; token < to; token++) {
    const position = positions[token] as number;
    if (!tables.holds(sets[token] as number, vin.codes[position] as number)) return false;
  }
  return true;
}

/** Returns true if the serial number is in the fact's range, if it has one. */
function serialHolds(tables: WorldTables, fact: number, vin: VinCodes): boolean {
  const to = tables.factSerialTo[fact] as number;
  return to === 0 || vin.isSerialIn(tables.factSerialFrom[fact] as number, to);
}
