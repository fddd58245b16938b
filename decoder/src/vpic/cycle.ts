import { hasValidCheckDigit } from '../vin/check-digit.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { ELEMENT } from '../vpic-elements.ts';
import type { FaultFinder } from './errors.ts';
import { isDigit, SECOND_CYCLE, TYPE } from './model-year.ts';
import type { Pass } from './pass.ts';
import type { VpicTables } from './tables.ts';

/**
 * The evidence for one of the two years, 30 apart, that position 10 may mean: `position-7` (49 CFR 565.15, for cars and
 * light trucks only), `window` (the other year is still to come), `schemas` (NHTSA has none of the WMI for the other
 * year, of a car), `wmi` (assigned later or given up before), `light-truck` (the model is one of up to 10,000 lb, whose
 * cycle position 7 gives), `keys` (the maker filed the VIN's characters for one year alone), `caller` (the caller knows
 * it), `open` (none).
 */
export type CycleBasis = 'position-7' | 'window' | 'schemas' | 'wmi' | 'light-truck' | 'keys' | 'caller' | 'open';

/** A WMI that NHTSA has schemas of for a year was in use so many years before and after. */
const YEARS_UNFILED = 5;

/**
 * A WMI may be in use for so many years after the last for which NHTSA has schemas: makers go on without filing (4S7
 * has schemas up to 2020, and Spartan builds with it).
 */
const YEARS_AFTER_LAST = 10;

/** Later than every year. */
const END = 9999;

/** VINs of 17 characters begin with model year 1981; of 1980 are those alone that NHTSA has schemas for. */
const FIRST_YEAR_OF_ALL = 1981;

/**
 * The number of characters that no key of the later year allows and that rule it out for a truck of up to 10,000 lb.
 * For other vehicles none do: schemas of late years lack codes of trailers and heavy trucks, so that the VIN of a
 * trailer of 2020 may fit the keys of 1990 and none of its own year.
 */
const RULES_OUT_LATER = 3;

/** NHTSA's weight classes up to 10,000 lb, by how their names begin. */
const LIGHTER_CLASS = /^Class [12]/;

/**
 * NHTSA's weight classes up to 9,000 lb, by how their names begin. Some makers count those up to 10,000 lb as heavy
 * trucks.
 */
const LIGHT_CLASS = /^Class (?:1|2[EFG])/;

/** The findings of a pass about its year. */
interface Finding {
  hasModel: boolean;
  /** The number of characters that no key of the year allows; undefined if NHTSA has no schemas for it. */
  foreign: number | undefined;
  /** 1: it names a light truck, and position 7 is that of a light truck of this cycle; -1: of the other cycle. */
  seventh: number;
  /** True if it names a truck of up to 10,000 lb. */
  isLighter: boolean;
}

/** Decides between the two years of position 10 if position 7 does not. */
export class CycleJudge {
  readonly #tables: VpicTables;
  readonly #faults: FaultFinder;

  constructor(tables: VpicTables, faults: FaultFinder) {
    this.#tables = tables;
    this.#faults = faults;
  }

  /** Returns the only pass that evidence supports, and the evidence; undefined if it supports both or none. */
  judge(vin: string, codes: VinCodes, later: Pass, earlier: Pass): { pass: Pass; basis: CycleBasis } | undefined {
    const inUse = [later, earlier].filter((pass) => this.#wasInUse(pass));
    const [only] = inUse;
    if (inUse.length === 1 && only !== undefined) return { pass: only, basis: 'wmi' };
    const [late, early] = [this.#look(vin, codes, later), this.#look(vin, codes, earlier)];
    if (isLightTruckOf(late, early)) return { pass: later, basis: 'light-truck' };
    if (!hasValidCheckDigit(vin)) {
      return isLaterAlone(late, early, 1) ? { pass: later, basis: 'keys' } : undefined;
    }
    if (isLightTruckOf(early, late)) return { pass: earlier, basis: 'light-truck' };
    if (isLaterAlone(late, early, 0)) return { pass: later, basis: 'keys' };
    return isEarlierAlone(late, early) ? { pass: earlier, basis: 'keys' } : undefined;
  }

  /** Returns true if vehicles of the WMI may have been built for the year, by the years for which NHTSA has schemas. */
  #wasInUse({ wmi, year }: Pass): boolean {
    if (year < FIRST_YEAR_OF_ALL) return this.#hasSchemas(wmi, year, year);
    if (this.#hasSchemas(wmi, year - YEARS_UNFILED, year + YEARS_UNFILED)) return true;
    return !this.#hasSchemas(wmi, year, END) && this.#hasSchemas(wmi, year - YEARS_AFTER_LAST, year);
  }

  #look(vin: string, codes: VinCodes, pass: Pass): Finding {
    const { wmi, year } = pass;
    const foreign = this.#hasSchemas(wmi, year, year) ? this.#faults.illegalCount(codes, pass, true) : undefined;
    const isOfCycle = isDigit(vin.charCodeAt(6)) === year < SECOND_CYCLE;
    const weight = this.#weightOfTruck(pass);
    const seventh = LIGHT_CLASS.test(weight) ? (isOfCycle ? 1 : -1) : 0;
    return { hasModel: pass.has(ELEMENT.model), foreign, seventh, isLighter: LIGHTER_CLASS.test(weight) };
  }

  /** Returns the weight class of a truck; empty if it is not one, or the class is not known. */
  #weightOfTruck(pass: Pass): string {
    if (this.#tables.wmiType[pass.wmi] !== TYPE.truck || !pass.has(ELEMENT.weightClass)) return '';
    return this.#tables.text(ELEMENT.weightClass, pass.value[ELEMENT.weightClass] ?? 0);
  }

  #hasSchemas(wmi: number, from: number, to: number): boolean {
    const { wmiLinks, linkFrom, linkTo } = this.#tables;
    for (let link = wmiLinks[wmi] ?? 0; link < (wmiLinks[wmi + 1] ?? 0); link++) {
      if (to >= (linkFrom[link] ?? 0) && from <= (linkTo[link] ?? 0)) return true;
    }
    return false;
  }
}

/**
 * Returns true if one year names a light truck of its cycle, with at most one character that is not filed, and not
 * every character is filed for the other: the weight classes of single rows are wrong, so that they do not decide
 * between two that fit.
 */
function isLightTruckOf(one: Finding, other: Finding): boolean {
  if (!one.hasModel || one.seventh !== 1 || one.foreign === undefined || one.foreign > 1) return false;
  return other.foreign !== 0;
}

/**
 * Returns true if only the later year fits. @param mistyped the number of characters that may be mistyped: so many more
 * must contradict the earlier year.
 */
function isLaterAlone(late: Finding, early: Finding, mistyped: number): boolean {
  if (!late.hasModel || late.seventh < 0 || late.foreign === undefined || early.foreign === undefined) return false;
  const least = late.foreign === 0 || !early.hasModel ? 1 : 2;
  return late.foreign <= 1 && early.foreign >= late.foreign + least + mistyped;
}

function isEarlierAlone(late: Finding, early: Finding): boolean {
  if (!early.hasModel || !early.isLighter || early.seventh < 0 || early.foreign !== 0) return false;
  return late.foreign !== undefined && late.foreign >= RULES_OUT_LATER;
}
