import { YEAR_CYCLE } from '../vin/year-codes.ts';
import { elementsWeight, patternCount } from './compare.ts';
import type { Faults, FaultFinder } from './errors.ts';
import type { VpicDecode } from './outcome.ts';
import { readModelYear, tellsCycleAtPosition7, YEARS_AHEAD } from './model-year.ts';
import type { Matcher, Pass } from './pass.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import type { VpicScratch } from './scratch.ts';
import type { VpicTables } from './tables.ts';

const FIRST_YEAR = 1980;
const NO_PATTERN = 8;

/** A caller's query of NHTSA's decoder. */
export interface VpicQuery {
  /** All of a VIN or its beginning, with `*` for each character that is not known. */
  vin: string;
  codes: VinCodes;
  /** Number of its WMI; -1: not on record. */
  wmi: number;
  currentYear: number;
  /** The model year as the caller knows it. */
  modelYear: number | undefined;
  /** The year that NHTSA fixed for this descriptor by hand. */
  fixedYear: number | undefined;
}

interface Attempt {
  pass: Pass;
  faults: Faults;
}

/**
 * The passes that NHTSA's procedures make when characters are missing or the caller knows the model year
 * (docs/vpic-procedures.md 1.3). Slower than the decode of a whole VIN, which needs only some of this.
 */
export class QueryDecoder {
  readonly #tables: VpicTables;
  readonly #matcher: Matcher;
  readonly #faults: FaultFinder;

  constructor(tables: VpicTables, matcher: Matcher, faults: FaultFinder) {
    this.#tables = tables;
    this.#matcher = matcher;
    this.#faults = faults;
  }

  /**
   * Decodes a query.
   * @param settle returns the year itself, or the one 30 years apart if only that has schemas.
   * @returns valid until the scratch is used again.
   */
  decode(query: VpicQuery, scratch: VpicScratch, settle: (year: number) => number): VpicDecode {
    const { wmi, vin, currentYear, fixedYear } = query;
    const latest = currentYear + YEARS_AHEAD;
    const known = withinYears(query.modelYear, latest);
    const { first, second, third } = scratch;
    const fixed = withinYears(fixedYear, latest);
    if (fixed !== undefined) return { ...this.#try(first, query, fixed, known), conclusive: true };
    const carOrLightTruck =
      wmi >= 0 && tellsCycleAtPosition7(this.#tables.wmiType[wmi] ?? 0, this.#tables.wmiTruck[wmi] ?? 0);
    const reading = readModelYear(vin, carOrLightTruck, currentYear);
    const year = reading.conclusive ? settle(reading.year) : reading.year;
    const other = reading.conclusive ? undefined : year - YEAR_CYCLE;
    const conclusive = reading.conclusive || known !== undefined;
    const attempts: Attempt[] = [];
    if (known !== undefined && known !== year && known !== other) {
      const attempt = this.#try(third, query, known, year === 0 ? known : year);
      if (year === 0 || !attempt.faults.codes.includes(NO_PATTERN)) return { ...attempt, conclusive };
      attempts.push(attempt);
    }
    // The caller's year decides between the two, however many faults either has.
    if (known === undefined || known !== other) attempts.push(this.#try(first, query, year, known));
    if (other !== undefined && (known === undefined || known !== year)) {
      attempts.push(this.#try(second, query, other, known));
    }
    return { ...this.#best(attempts, known), conclusive };
  }

  /** Decodes in one pass. It is contradicted if the year is another than the expected one. */
  #try(pass: Pass, { vin, codes, wmi }: VpicQuery, year: number, expected: number | undefined): Attempt {
    if (wmi < 0) pass.reset(wmi, year);
    else this.#matcher.run(pass, codes, wmi, year);
    const contradicted = expected !== undefined && expected !== year;
    return { pass, faults: this.#faults.find(vin, codes, pass, contradicted) };
  }

  /**
   * Returns the best attempt: the fewest faults, then the most values, then the year that the caller knows, then the
   * later one.
   */
  #best(attempts: readonly Attempt[], known: number | undefined): Attempt {
    const tables = this.#tables;
    const ranked = attempts.toSorted(
      (a, b) =>
        this.#faults.weight(b.faults.codes) - this.#faults.weight(a.faults.codes) ||
        elementsWeight(tables, b.pass) - elementsWeight(tables, a.pass) ||
        patternCount(tables, b.pass) - patternCount(tables, a.pass) ||
        Number(b.pass.year === known) - Number(a.pass.year === known) ||
        b.pass.year - a.pass.year,
    );
    const [best] = ranked;
    if (best === undefined) throw new Error('A VIN was decoded in no year.');
    return best;
  }
}

function withinYears(year: number | undefined, latest: number): number | undefined {
  return year !== undefined && year >= FIRST_YEAR && year <= latest ? year : undefined;
}
