import { YEAR_CYCLE } from '../vin/year-codes.ts';
import { shortCode } from '../vin/characters.ts';
import { elementsWeight, patternCount } from './compare.ts';
import { CycleJudge } from './cycle.ts';
import { type Faults, FaultFinder } from './errors.ts';
import { ELEMENT } from '../vpic-elements.ts';
import {
  alternativeYear,
  isDigit,
  readModelYear,
  SECOND_CYCLE,
  tellsCycleAtPosition7,
  TYPE,
  YEARS_AHEAD,
} from './model-year.ts';
import { Matcher, type Pass } from './pass.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { VpicDecode } from './outcome.ts';
import { QueryDecoder } from './query.ts';
import type { VpicScratch } from './scratch.ts';
import { OPEN_YEAR, type VpicTables } from './tables.ts';

const FIRST_YEAR = 1980;

/** Characters in no key from which on a car counts as unfiled: one may be mistyped, or missing in NHTSA's keys. */
const UNFILED_OF_MEXICO = 2;

/**
 * NHTSA's schemas without a last year are trusted for so many years. Of 7,100 with one for WMIs outside North America
 * 99 in 100 were in use no longer; those of makers that left the market never got one. Builders of trailers file once.
 */
const YEARS_OPEN = 10;

/** Matches the WMI: a part of a VIN may lack it. */
const WMI = /^[A-HJ-NPR-Z0-9]{3}/;

/**
 * NHTSA's decoding procedures over the catalog (docs/vpic-procedures.md 1.3): which passes run, and which one counts.
 */
export class VpicDecoder {
  readonly tables: VpicTables;
  readonly #matcher: Matcher;
  readonly #faults: FaultFinder;
  readonly #query: QueryDecoder;
  readonly #cycles: CycleJudge;

  constructor(tables: VpicTables) {
    this.tables = tables;
    this.#matcher = new Matcher(tables);
    this.#faults = new FaultFinder(tables);
    this.#query = new QueryDecoder(tables, this.#matcher, this.#faults);
    this.#cycles = new CycleJudge(tables, this.#faults);
  }

  /**
   * Decodes 17 characters as NHTSA's procedures do. Of two years that position 10 may mean they take the one of which
   * more matches.
   */
  decode(vin: string, codes: VinCodes, currentYear: number, scratch: VpicScratch): VpicDecode {
    const wmi = this.#wmiOf(vin, codes, false);
    return (
      this.#decodeOneYear(vin, codes, wmi, currentYear, scratch) ??
      this.#better(vin, codes, scratch.first, scratch.second)
    );
  }

  /**
   * Decodes 17 characters, including WMIs that NHTSA has not published. Of two years that position 10 may mean, the
   * pass is that of the only one that evidence supports, or that the caller knows; `other` is there if both remain.
   *
   * @param known a model year, or the year of a registration; 0: not known.
   */
  settle(vin: string, codes: VinCodes, currentYear: number, scratch: VpicScratch, known = 0): VpicDecode {
    const wmi = this.#wmiOf(vin, codes, true);
    const decode = this.#decodeOneYear(vin, codes, wmi, currentYear, scratch);
    if (decode !== undefined) return decode;
    const { first, second } = scratch;
    const told = this.#cycles.judge(vin, codes, first, second);
    // No vehicle of the model year after the next is on the road: what speaks for it alone is that old schemas are
    // missing.
    const isToCome = told !== undefined && told.pass.year > currentYear + 1;
    if (told !== undefined && !isToCome) return { ...told, conclusive: false, faults: undefined };
    if (known !== 0) {
      const pass = Math.abs(first.year - known) <= Math.abs(second.year - known) ? first : second;
      return { pass, basis: 'caller', conclusive: false, faults: undefined };
    }
    const [pass, other] = first.matched > 0 ? [first, second] : [second, first];
    return { pass, other, basis: 'open', conclusive: false, faults: undefined };
  }

  /**
   * Finds the WMI of a VIN that is not in North American form, and matches nothing: its keys do not cover such a VIN.
   */
  identify(vin: string, codes: VinCodes, { first }: VpicScratch): VpicDecode {
    first.reset(this.#wmiOf(vin, codes, true), 0);
    return { pass: first, conclusive: false, faults: undefined };
  }

  /**
   * Decodes where position 10 means one year; otherwise leaves the later year in the first pass and the earlier one in
   * the second.
   */
  #decodeOneYear(
    vin: string,
    codes: VinCodes,
    wmi: number,
    currentYear: number,
    { first, second }: VpicScratch,
  ): VpicDecode | undefined {
    const fixed =
      this.tables.descriptorWmis[shortCode(codes.codes)] === 1
        ? this.tables.descriptors.get(descriptorOf(vin))
        : undefined;
    if (fixed !== undefined && fixed >= FIRST_YEAR && fixed <= currentYear + YEARS_AHEAD) {
      return { pass: this.#run(first, codes, wmi, fixed), basis: 'keys', conclusive: true, faults: undefined };
    }
    const carOrLightTruck =
      wmi >= 0 && tellsCycleAtPosition7(this.tables.wmiType[wmi] ?? 0, this.tables.wmiTruck[wmi] ?? 0);
    const reading = readModelYear(vin, carOrLightTruck, currentYear);
    if (reading.conclusive) {
      const year = this.#yearWithSchemas(wmi, reading.year, currentYear);
      const pass = this.#run(first, codes, wmi, year);
      const unfiled = (year !== reading.year || reading.contradicted === true) && !pass.has(ELEMENT.model);
      const contested = unfiled || this.#isForOtherMarkets(vin, codes, pass);
      const onlyYear = reading.year < SECOND_CYCLE && reading.year + YEAR_CYCLE > currentYear + YEARS_AHEAD;
      const byDigit = carOrLightTruck && isDigit(vin.charCodeAt(6));
      const basis = year !== reading.year ? 'schemas' : onlyYear && !byDigit ? 'window' : 'position-7';
      return { pass, basis, conclusive: true, contested, faults: undefined };
    }
    this.#run(first, codes, wmi, reading.year);
    // Without a WMI both passes end alike, and the later year wins.
    if (wmi < 0) return { pass: first, conclusive: false, faults: undefined };
    this.#run(second, codes, wmi, reading.year - YEAR_CYCLE);
    return undefined;
  }

  /**
   * Decodes as NHTSA's own service is asked: all of a VIN or its beginning, with `*` for each character that is not
   * known, and the model year where the caller knows it.
   */
  query(
    vin: string,
    codes: VinCodes,
    currentYear: number,
    modelYear: number | undefined,
    scratch: VpicScratch,
  ): VpicDecode {
    const wmi = WMI.test(vin) ? this.#wmiOf(vin, codes, false) : -1;
    const fixedYear = this.tables.descriptors.get(descriptorOf(vin));
    return this.#query.decode({ vin, codes, wmi, currentYear, modelYear, fixedYear }, scratch, (year) =>
      this.#yearWithSchemas(wmi, year, currentYear),
    );
  }

  /**
   * Decodes the same VIN 30 years apart, for a car whose position 7 gives a year in which nothing explains it: a
   * mistyped character may have moved it to the wrong cycle. The pass has year 0 if that year has no schemas either.
   */
  otherCycle(decode: VpicDecode, codes: VinCodes, currentYear: number, { second }: VpicScratch): Pass {
    const year = alternativeYear(decode.pass.year, currentYear);
    return this.#run(second, codes, year === 0 ? -1 : decode.pass.wmi, year);
  }

  /** Counts the positions at which the VIN has a character that NHTSA's keys rule out there. */
  illegalCount(codes: VinCodes, decode: VpicDecode): number {
    return this.#faults.illegalCount(codes, decode.pass);
  }

  /**
   * Returns true if all that NHTSA has for the WMI in the year of a pass began long before and has no last year: the
   * maker may have left North America since.
   */
  isOutdated({ wmi, year }: Pass): boolean {
    const { wmiLinks, linkFrom, linkTo, wmiType } = this.tables;
    if (wmiType[wmi] === TYPE.trailer) return false;
    for (let link = wmiLinks[wmi] ?? 0; link < (wmiLinks[wmi + 1] ?? 0); link++) {
      const [from, to] = [linkFrom[link] ?? 0, linkTo[link] ?? 0];
      if (year >= from && year <= (to === OPEN_YEAR ? from + YEARS_OPEN : to)) return false;
    }
    return true;
  }

  /** Returns the faults of a decode just made. */
  faultsOf(vin: string, codes: VinCodes, decode: VpicDecode): Faults {
    return decode.faults ?? this.#faults.find(vin, codes, decode.pass);
  }

  #wmiOf(vin: string, codes: VinCodes, includeUnpublished: boolean): number {
    const wmi = this.tables.wmiOf(vin, codes.codes);
    if (wmi < 0 || includeUnpublished) return wmi;
    return this.tables.wmiFlags[wmi] === 1 ? wmi : -1;
  }

  #run(pass: Pass, codes: VinCodes, wmi: number, year: number): Pass {
    if (wmi < 0) pass.reset(wmi, year);
    else this.#matcher.run(pass, codes, wmi, year);
    return pass;
  }

  /**
   * Returns true if a Mexican car of the first cycle has characters that no key of its year allows: for cars for
   * markets outside North America, which Mexico builds too, position 7 gives no cycle.
   */
  #isForOtherMarkets(vin: string, codes: VinCodes, pass: Pass): boolean {
    if (!vin.startsWith('3') || pass.year === 0 || pass.year >= SECOND_CYCLE) return false;
    return this.#faults.illegalCount(codes, pass, true) >= UNFILED_OF_MEXICO;
  }

  /** Returns the year itself, or the one 30 years apart when only that has schemas for this WMI. */
  #yearWithSchemas(wmi: number, year: number, currentYear: number): number {
    if (wmi < 0 || year === 0 || this.#hasSchemas(wmi, year)) return year;
    const other = alternativeYear(year, currentYear);
    return other !== 0 && this.#hasSchemas(wmi, other) ? other : year;
  }

  #hasSchemas(wmi: number, year: number): boolean {
    const { wmiLinks, linkFrom, linkTo } = this.tables;
    const end = wmiLinks[wmi + 1] ?? 0;
    for (let link = wmiLinks[wmi] ?? 0; link < end; link++) {
      if (year >= (linkFrom[link] ?? 0) && year <= (linkTo[link] ?? 0)) return true;
    }
    return false;
  }

  #better(vin: string, codes: VinCodes, a: Pass, b: Pass): VpicDecode {
    // Nothing matched in one year only: its code 8 outweighs everything in the other pass.
    if (a.matched > 0 && b.matched === 0) return { pass: a, conclusive: false, faults: undefined };
    if (b.matched > 0 && a.matched === 0) return { pass: b, conclusive: false, faults: undefined };
    const faultsA = this.#faults.find(vin, codes, a);
    const faultsB = this.#faults.find(vin, codes, b);
    const order =
      this.#faults.weight(faultsB.codes) - this.#faults.weight(faultsA.codes) ||
      elementsWeight(this.tables, b) - elementsWeight(this.tables, a) ||
      patternCount(this.tables, b) - patternCount(this.tables, a);
    return order > 0
      ? { pass: b, conclusive: false, faults: faultsB }
      : { pass: a, conclusive: false, faults: faultsA };
  }
}

/** Returns the vehicle descriptor (element 196): positions 1-11 with `*` at 9, to 14 for a maker of few vehicles. */
export function descriptorOf(vin: string): string {
  const length = vin.charAt(2) === '9' ? 14 : 11;
  return `${vin.slice(0, 8).padEnd(8, '*')}*${vin.slice(9, length)}`.padEnd(length, '*');
}
