import type { Draft } from '../report/draft.ts';
import type { SpecMarket } from '../specs/table.ts';
import { agreesWithHint, HINT_NAMES, type HintName, type Hints } from './hints.ts';
import { hasSize } from './engines.ts';
import type { OpenName } from './possibilities.ts';

/** The draft's field for each hint. */
export const DRAFT_OF: Readonly<Record<HintName, OpenName | 'market'>> = {
  modelYear: 'modelYear',
  registrationYear: 'modelYear',
  fuelType: 'fuelType',
  displacementCc: 'displacementCc',
  powerKw: 'powerKw',
  bodyStyleNormalized: 'body',
  driveType: 'driveType',
  transmission: 'transmission',
  market: 'market',
};

/** The first year in which makers gave VINs of 17 characters, with room for those that date back. */
const FIRST_YEAR = 1970;

/**
 * Returns the names of hints that contradict decoded values, or any VIN.
 *
 * @param latest the last model year that a VIN can have.
 */
export function contradicted(draft: Draft, hints: Hints, latest: number): HintName[] {
  return HINT_NAMES.filter((name) => {
    const hint = hints[name];
    const value = draft[DRAFT_OF[name]];
    if (hint === undefined) return false;
    if (DRAFT_OF[name] === 'modelYear' && (Number(hint) > latest || Number(hint) < FIRST_YEAR)) return true;
    if (name === 'displacementCc' && !hasSize(draft)) return true;
    if (name === 'fuelType' && draft.displacementCc !== 0 && !hasSize({ fuelType: String(hint) })) return true;
    if (value === '' || value === 0 || value === 'unknown' || value === 'other') return false;
    return !agreesWithHint(name, hint, value);
  });
}

/** Returns the hints without those named. */
export function without(hints: Hints, names: readonly string[]): Hints {
  return Object.fromEntries(Object.entries(hints).filter(([name]) => !names.includes(name)));
}

/** Returns the market whose specifications apply by the hints; undefined if they do not decide. */
export function marketOf({ market }: Hints): SpecMarket | undefined {
  if (market === 'North America') return 'north-america';
  return market === 'Europe' ? 'europe' : undefined;
}
