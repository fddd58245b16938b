import type { Draft } from '../report/draft.ts';
import type { SpecMarket } from '../specs/table.ts';
import { agreesWithHint, HINT_NAMES, type HintName, type Hints } from './hints.ts';
import type { EngineVariant } from './candidates.ts';
import { hasSize } from './engines.ts';
import type { OpenName, Possibilities } from './possibilities.ts';

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

/** The years by which a model year may be ahead of the calendar. */
export const MOST_YEARS_AHEAD = 2;

/** The earliest model year taken: VINs have 17 characters since model year 1981, and some cars were dated back. */
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

/**
 * Returns the names of hints that contradict what is settled, or each of the cases that remain: VINs that a masked one
 * may be, or two years.
 */
export function contradictedByAll(settled: Draft, cases: readonly Draft[], hints: Hints, latest: number): HintName[] {
  const own = contradicted(settled, hints, latest);
  const all = cases.map((draft) => contradicted(draft, hints, latest));
  return HINT_NAMES.filter(
    (name) => own.includes(name) || (all.length > 0 && all.every((names) => names.includes(name))),
  );
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

/** Keeps the values of a field that agree with a hint. @returns false if there are values and none agrees. */
export function narrowRanking(
  possible: Possibilities['fields'],
  target: OpenName,
  name: HintName,
  hint: string | number,
): boolean {
  const ranking = possible[target];
  // If the exact word is listed, near matches are other vehicles.
  if (typeof hint === 'string' && ranking.values().includes(hint)) return ranking.narrow((value) => value === hint);
  return ranking.narrow((value) => agreesWithHint(name, hint, value));
}

/** Returns the values of a hint's field that agree with it, of the engines that name the field. */
export function ofEngines(
  engines: readonly EngineVariant[],
  name: HintName,
  hint: string | number,
): (string | number)[] {
  if (name !== 'fuelType' && name !== 'displacementCc' && name !== 'powerKw') return [];
  const values = new Set(engines.flatMap((engine): (string | number)[] => [engine[name] ?? []].flat()));
  return [...values].filter((value) => agreesWithHint(name, hint, value));
}

/** Returns the size of the only engine that is left; 0 where several are, or none. */
export function sizeOf(engines: readonly EngineVariant[]): number {
  const [only, ...others] = engines;
  return others.length > 0 ? 0 : (only?.displacementCc ?? 0);
}
