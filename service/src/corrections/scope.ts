import { parsePattern, type PositionSet, readVin } from '@marque/decoder';

import type { PatternScope, Scope } from './types.ts';

/** The characters allowed at each of the 17 positions. */
export type PositionSets = readonly PositionSet[];

/** Positions 1-8 describe the vehicle. */
const KIND_LENGTH = 8;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

/** A pattern for fewer is about vehicles, whose VINs no erasure would find in it. */
const FEWEST_SERIALS = 10;
const TOO_NARROW = `Positions 12 to 17 of the pattern leave fewer than ${FEWEST_SERIALS} serial numbers: leave them more open, or correct the VIN alone.`;

/**
 * Returns the characters that a pattern scope allows at each position of the VIN, including the WMI.
 *
 * @throws SyntaxError that names the fault of WMI or pattern.
 */
export function positionsOf({ wmi, pattern }: PatternScope): PositionSets {
  if (!/^(?:[A-HJ-NPR-Z0-9]{2}[A-HJ-NPR-Z0-8]|[A-HJ-NPR-Z0-9]{2}9[A-HJ-NPR-Z0-9]{3})$/.test(wmi)) {
    throw new SyntaxError('A WMI has three characters, or six (positions 1-3 and 12-14) if the third is 9.');
  }
  const rest = parsePattern(pattern);
  if (rest.length > 14) throw new SyntaxError('A pattern covers positions 4 to 17, so it has at most 14 characters.');
  const sets: (string | undefined)[] = [...wmi.slice(0, 3), ...rest];
  while (sets.length < 17) sets.push(undefined);
  for (let index = 3; index < wmi.length; index++) {
    const character = wmi.charAt(index);
    const place = 8 + index;
    if (sets[place] !== undefined && sets[place] !== character) {
      throw new SyntaxError(`Position ${place + 1} belongs to the WMI: leave it open in the pattern.`);
    }
    sets[place] = character;
  }
  return sets;
}

/** Returns true if some VIN of a scope meets a condition, which is written as a pattern from position 1 on. */
export function mayMeet(scope: PatternScope, condition: string): boolean {
  const allowed = positionsOf(scope);
  return parsePattern(condition).every((set, index) => {
    const own = allowed[index];
    return set === undefined || own === undefined || [...set].some((character) => own.includes(character));
  });
}

/** Returns true if a scope is for every VIN of a WMI. */
export function isWholeWmi(scope: Scope): scope is PatternScope {
  if (scope.kind === 'vin' || scope.years.some((year) => year !== null)) return false;
  return parsePattern(scope.pattern).every((set) => set === undefined);
}

/** Returns true if a model year is in range; an unknown one is in an open range only. */
export function withinYears(from: number | null, to: number | null, modelYear: string | undefined): boolean {
  if (from === null && to === null) return true;
  if (modelYear === undefined) return false;
  const year = Number(modelYear);
  return year >= (from ?? FIRST_YEAR) && year <= (to ?? LAST_YEAR);
}

/** Returns the faults of a scope, one sentence each. */
export function faultsInScope(scope: Scope): string[] {
  if (scope.kind === 'vin') {
    const form = readVin(scope.vin);
    return form.kind === 'vin' && form.vin === scope.vin ? [] : ['The VIN of the override is not a VIN.'];
  }
  const faults: string[] = [];
  try {
    if (serialsOf(positionsOf(scope)) < FEWEST_SERIALS) faults.push(TOO_NARROW);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  const [from, to] = scope.years;
  const isYear = (year: number | null): boolean =>
    year === null || (Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR);
  if (!isYear(from) || !isYear(to)) faults.push(`Years go from ${FIRST_YEAR} to ${LAST_YEAR}.`);
  else if (from !== null && to !== null && from > to) faults.push('The first year is after the last.');
  return faults;
}

/** Returns how many serial numbers, as positions 12-17 have them, a pattern is for; counted to the fewest allowed. */
function serialsOf(positions: PositionSets): number {
  const sizes = positions.slice(11).map((set) => set?.length ?? FEWEST_SERIALS);
  return sizes.reduce((product, size) => Math.min(product * size, FEWEST_SERIALS), 1);
}

/** Returns positions 1-8 of a VIN as sent: the same for VINs of the same kind of vehicle. */
export function kindOf(vin: string): string {
  return vin
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, KIND_LENGTH);
}

/**
 * Returns the scope of all VINs with the same vehicle descriptor: positions 4-8, and the same model year if one is
 * known.
 */
export function alikeScope(vin: string, modelYear: string | undefined): PatternScope {
  const wmi = vin.charAt(2) === '9' ? vin.slice(0, 3) + vin.slice(11, 14) : vin.slice(0, 3);
  const year = modelYear === undefined ? null : Number(modelYear);
  return { kind: 'pattern', wmi, pattern: vin.slice(3, 8), years: [year, year] };
}

/** Returns a scope as text, for evidence and lists. */
export function scopeText(scope: Scope): string {
  if (scope.kind === 'vin') return `VIN ${scope.vin}`;
  const [from, to] = scope.years;
  const years = from === null && to === null ? '' : from === to ? ` ${from}` : ` ${from ?? ''}-${to ?? ''}`;
  return `${scope.wmi} ${scope.pattern === '' ? 'every VIN' : `4-${3 + parsePattern(scope.pattern).length}=${scope.pattern}`}${years}`;
}
