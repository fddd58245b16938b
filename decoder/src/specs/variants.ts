import { DISPLACEMENT_TOLERANCE_CC } from '../report/spec-fields.ts';
import { SPEC_FIRST_YEAR } from '../report/spec-columns.ts';
import { BadgeMatcher } from './badges.ts';
import type { Criteria } from './criteria.ts';
import { WordFits } from './fits.ts';
import { GenerationSpans } from './generation-spans.ts';
import { NumberList } from './number-list.ts';
import { listsAllPowers, listsGenerations, type SpecTable } from './table.ts';
import type { SpecTables } from './tables.ts';

export const POWER_TOLERANCE = 0.08;
const WHEELBASE_TOLERANCE_MM = 40;
/**
 * Sizes of engines in cubic centimeters: many lists round them, and makers count a few more or less for the same
 * engine.
 */
const EXACT_TOLERANCE_CC = 9;
const ROUNDED_TO_CC = 50;

const NONE = new Uint8Array();

/** Finds the rows of a table that a vehicle's known values allow. Rows are appended to a list of the caller's. */
export class Variants {
  readonly #tables: SpecTables;
  readonly #badges: BadgeMatcher;
  readonly #spans: GenerationSpans;
  readonly #fits: WordFits;
  /**
   * The fit of the words of the table that is asked, by their numbers, and true if it counts as a list of all variants.
   */
  #fuelFits: Uint8Array = NONE;
  #bodyFits: Uint8Array = NONE;
  #driveFits: Uint8Array = NONE;
  #gearboxFits: Uint8Array = NONE;
  #isComplete = false;
  /** The possible rows of the family that was asked for last. */
  readonly #possible = new NumberList();

  constructor(tables: SpecTables) {
    this.#tables = tables;
    this.#badges = new BadgeMatcher(tables);
    this.#spans = new GenerationSpans(tables);
    this.#fits = new WordFits(tables);
  }

  /**
   * Appends the rows of a family that nothing contradicts, and of these the ones that known values name most exactly.
   *
   * @returns true if there are any.
   */
  gather(table: SpecTable, key: number, criteria: Criteria, into: NumberList): boolean {
    const start = into.length;
    this.#collect(table, key, criteria, 0, into);
    if (into.length === start) return false;
    if (into.length > start + 1) this.#preferNamed(table, criteria, into, start);
    if (this.#hasOnlyHybrids(table, criteria, into, start)) {
      into.cut(start);
      return false;
    }
    const { has, listsAll, hasAllYears } = table;
    if (has.badge && (!listsAll || into.length > start + 1)) this.#badges.prefer(into, start, table, criteria);
    // A list of some cars may know the first years of a generation only.
    const isOpen = criteria.year === 0 && criteria.generation !== '' && !listsAll && !listsAllPowers(table);
    if (isOpen && !hasAllYears && !this.#spans.areSpanned(into, start, table, key, criteria.generation))
      into.cut(start);
    return into.length > start;
  }

  /** Keeps the rows that known values but the badge name most exactly. */
  #preferNamed(
    { columns, has, lists, listsAll }: SpecTable,
    criteria: Criteria,
    into: NumberList,
    start: number,
  ): void {
    if (criteria.fuel !== '' && has.fuel) {
      preferWords(into, start, columns.fuel, this.#fits.sameFuel.of(criteria.fuel));
    }
    if (!listsAll) {
      // For some cars, the VIN's characters are more certain than the name.
      if (has.vin) preferSet(into, start, columns.vin);
      // A list of some engines writes their sizes as the makers do: 1595 and 1598 are two engines.
      if (criteria.cc !== 0) preferValue(into, start, columns.cc, criteria.cc);
    }
    if (criteria.charged && has.charged) preferValue(into, start, columns.charged, 1);
    // Outside dimensions and generations are the body's; other values of a list are the engine's or the trim's.
    if (criteria.body !== '' && (has.lengthMm || listsGenerations({ lists }))) {
      preferWords(into, start, columns.body, this.#fits.sameBody.of(criteria.body));
    }
  }

  /**
   * Returns the rows of a family that nothing contradicts: possibilities rather than answers.
   *
   * @param yearsBeside how many years beside the VIN's count, also of a list that names some cars only.
   */
  possible(table: SpecTable, key: number, criteria: Criteria, yearsBeside: number): readonly number[] {
    const rows = this.#possible;
    rows.cut(0);
    this.#collect(table, key, criteria, yearsBeside, rows);
    return Array.from({ length: rows.length }, (_, at) => rows.at(at));
  }

  /**
   * Returns true if a list of Europe has only the hybrids of a family. These lists cover some years, so the car is none
   * of theirs.
   */
  #hasOnlyHybrids({ market, columns }: SpecTable, { fuel }: Criteria, rows: NumberList, start: number): boolean {
    if (market !== 'europe' || (fuel !== 'Gasoline' && fuel !== 'Diesel')) return false;
    for (let at = start; at < rows.length; at++) {
      if (this.#fits.hybrids[columns.fuel[rows.at(at)] as number] === 0) return false;
    }
    return true;
  }

  #collect(table: SpecTable, key: number, criteria: Criteria, yearsBeside: number, into: NumberList): void {
    const isComplete = table.listsAll || yearsBeside > 0;
    this.#isComplete = isComplete;
    this.#fuelFits = (isComplete ? this.#fits.fuel : this.#fits.fuelOfSome).of(criteria.fuel);
    this.#bodyFits = isComplete ? this.#fits.body.of(criteria.body) : this.#fits.sameBody.of(criteria.body);
    this.#driveFits = this.#fits.drive.of(criteria.drive);
    this.#gearboxFits = this.#fits.gearbox.of(criteria.gearbox);
    const isByYear = yearsBeside === 0 && criteria.year !== 0 && (criteria.generation === '' || !table.has.generation);
    if (isByYear) {
      this.#collectOfYear(table, key, criteria, into);
      return;
    }
    const slack = yearsBeside === 0 ? slackOf(table, key, criteria.year) : yearsBeside;
    const end = table.rows[key + 1] as number;
    for (let row = table.rows[key] as number; row < end; row++) {
      if (this.#isOfTime(table, row, slack, criteria) && this.#couldBe(table, row, criteria)) into.add(row);
    }
  }

  /** Collects by the year alone, as most often: of most families a list has a few rows of each of many years. */
  #collectOfYear(table: SpecTable, key: number, criteria: Criteria, into: NumberList): void {
    const { from, to } = table.columns;
    const year = criteria.year - SPEC_FIRST_YEAR;
    const end = table.rows[key + 1] as number;
    let hasYear = false;
    for (let row = table.rows[key] as number; row < end; row++) {
      if ((from[row] as number) > year || (to[row] as number) < year) continue;
      hasYear = true;
      if (this.#couldBe(table, row, criteria)) into.add(row);
    }
    if (hasYear || slackOf(table, key, criteria.year) < 0) return;
    for (let row = table.rows[key] as number; row < end; row++) {
      if (!isWithin(from[row] as number, to[row] as number, year, 1)) continue;
      if (this.#couldBe(table, row, criteria)) into.add(row);
    }
  }

  /** Returns true if nothing known but the years contradicts a row. */
  #couldBe(table: SpecTable, row: number, criteria: Criteria): boolean {
    const { columns } = table;
    if (this.#fuelFits[columns.fuel[row] as number] === 0) return false;
    if (this.#driveFits[columns.drive[row] as number] === 0) return false;
    if (this.#gearboxFits[columns.gearbox[row] as number] === 0) return false;
    const body = columns.body[row] as number;
    if (this.#bodyFits[body] === 0 && (this.#isComplete || body !== 0)) return false;
    const vin = columns.vin[row] as number;
    if (vin !== 0 && !this.#tables.patterns.hold(vin, criteria.codes.codes)) return false;
    return isOfEngine(table, row, criteria, this.#isComplete) && isOfWheelbase(table, row, criteria);
  }

  /**
   * Returns true if the row is of the car's generation, or of its year if that is unknown. A list of some engines gives
   * the years in the generation in which each had its power. A car of unknown year may be any that a list of all years
   * has, as those of batteries are, but none of a list that covers a few years.
   */
  #isOfTime(
    { columns, has, market, listsAll, hasAllYears }: SpecTable,
    row: number,
    slack: number,
    criteria: Criteria,
  ): boolean {
    const { generation, year } = criteria;
    const known = columns.generation[row] as number;
    if (known !== 0 && generation !== '') {
      const isSame = this.#tables.word(known) === generation;
      if (!isSame || year === 0) return isSame;
      // A list of whole generations counts years of sale: the first cars of one are of the model year before or after.
      if (listsAll) return isWithin(columns.from[row] as number, columns.to[row] as number, year - SPEC_FIRST_YEAR, 1);
    }
    if (slack < 0) return false;
    // When a list is used for possibilities rather than answers, any year counts.
    if (year === 0 && slack > 1) return true;
    if (year === 0) {
      const isOfAllYears = hasAllYears || has.generation || has.batteryKwh;
      return known === 0 && (isOfAllYears || market === 'north-america');
    }
    return isWithin(columns.from[row] as number, columns.to[row] as number, year - SPEC_FIRST_YEAR, slack);
  }
}

/**
 * Returns the number of years beside the VIN's that count: 0 if the list has that year; 1 if it has both neighbors,
 * which then must agree; -1 if it has neither: a redesign may be between.
 */
function slackOf({ rows, columns, listsAll }: SpecTable, key: number, modelYear: number): number {
  if (modelYear === 0) return 0;
  const year = modelYear - SPEC_FIRST_YEAR;
  let before = false;
  let after = false;
  const end = rows[key + 1] as number;
  for (let row = rows[key] as number; row < end; row++) {
    const from = columns.from[row] as number;
    const to = columns.to[row] as number;
    if (from <= year && year <= to) return 0;
    before ||= from <= year - 1 && year - 1 <= to;
    after ||= from <= year + 1 && year + 1 <= to;
  }
  return listsAll && before && after ? 1 : -1;
}

function isOfEngine({ columns }: SpecTable, row: number, criteria: Criteria, isComplete: boolean): boolean {
  const cc = columns.cc[row] as number;
  if (cc !== 0) {
    // A list that names some cars only does not cover a car whose engine is open, unless it names its badge.
    if (criteria.cc === 0 && !isComplete && columns.badge[row] === 0) return false;
    // Some lists name no fuel, and a family may have both: a car with a displacement is not electric.
    if (criteria.fuel === 'Electric') return false;
    if (criteria.cc !== 0 && !isSameSize(cc, criteria.cc)) return false;
  }
  const cylinders = columns.cylinders[row] as number;
  if (cylinders !== 0 && criteria.cylinders !== 0 && cylinders !== criteria.cylinders) return false;
  const power = columns.powerKw[row] as number;
  return power === 0 || criteria.powerKw === 0 || Math.abs(power - criteria.powerKw) <= power * POWER_TOLERANCE;
}

function isOfWheelbase({ columns }: SpecTable, row: number, { wheelbaseMm }: Criteria): boolean {
  const own = columns.wheelbaseMm[row] as number;
  return own === 0 || wheelbaseMm === 0 || Math.abs(own - wheelbaseMm) <= WHEELBASE_TOLERANCE_MM;
}

function isWithin(from: number, to: number, year: number, slack: number): boolean {
  return from <= year + slack && year - slack <= to;
}

function isSameSize(one: number, other: number): boolean {
  const isExact = one % ROUNDED_TO_CC !== 0 && other % ROUNDED_TO_CC !== 0;
  return Math.abs(one - other) <= (isExact ? EXACT_TOLERANCE_CC : DISPLACEMENT_TOLERANCE_CC);
}

type Values = Uint8Array | Uint16Array;

/** Keeps the rows whose word fits, if there are any. */
function preferWords(rows: NumberList, start: number, column: Values, fits: Uint8Array): void {
  let kept = start;
  for (let at = start; at < rows.length; at++) {
    const row = rows.at(at);
    if (fits[column[row] as number] !== 0) rows.set(kept++, row);
  }
  if (kept > start) rows.cut(kept);
}

/** Keeps the rows with a value, if there are any. */
function preferValue(rows: NumberList, start: number, column: Values, value: number): void {
  let kept = start;
  for (let at = start; at < rows.length; at++) {
    const row = rows.at(at);
    if (column[row] === value) rows.set(kept++, row);
  }
  if (kept > start) rows.cut(kept);
}

/** Keeps the rows with any value, if there are any. */
function preferSet(rows: NumberList, start: number, column: Values): void {
  let kept = start;
  for (let at = start; at < rows.length; at++) {
    const row = rows.at(at);
    if (column[row] !== 0) rows.set(kept++, row);
  }
  if (kept > start) rows.cut(kept);
}
