import { DISPLACEMENT_TOLERANCE_CC } from '../report/spec-fields.ts';
import { drivesAll } from './agree.ts';
import { SPEC_FIRST_YEAR } from '../report/spec-columns.ts';
import { listsAllPowers, listsGenerations, type SpecTable, type SpecTables } from './tables.ts';
import { Lives } from './lives.ts';
import { VinKeys } from './vin-keys.ts';
import { type Criteria, squashWord } from './criteria.ts';

export const POWER_TOLERANCE = 0.08;
const WHEELBASE_TOLERANCE_MM = 40;

/** Sizes of engines in cubic centimeters: many lists round them, and makers count a few more or less for the same engine. */
const EXACT_TOLERANCE_CC = 9;
const ROUNDED_TO_CC = 50;

const EXACT = 100;

/** Badge words that tell a cab, a door count or a use: no VIN's trim repeats them, so they separate no variants. */
const NEUTRAL =
  /^(?:crew|quad|mega|double|extended|regular|access|king|cab|chassis|inc|\dd(?:oo)?r|\ddoors?|passenger|cargo|van|police|taxi|w|with|and|inch|wheels?|tires?|conversion)$/;

/** The rows of a table that a reading still allows. */
export class Candidates {
  readonly #tables: SpecTables;
  readonly #badges = new Map<number, readonly string[]>();
  readonly #vinKeys: VinKeys;
  readonly #lives: Lives;

  constructor(tables: SpecTables) {
    this.#tables = tables;
    this.#lives = new Lives(tables);
    this.#vinKeys = new VinKeys(tables);
  }

  gather(table: SpecTable, key: number, criteria: Criteria): readonly number[] {
    let rows = this.possible(table, key, criteria);
    rows = prefer(rows, (row) => sameFuel(this.#word(table.columns.fuel, row), criteria.fuel), criteria.fuel !== '');
    // Europe's lists know some years: that they have only the hybrids of a family shows that the car is none of theirs.
    const isPlain = table.market === 'europe' && (criteria.fuel === 'Gasoline' || criteria.fuel === 'Diesel');
    if (isPlain && rows.every((row) => HYBRIDS.has(this.#word(table.columns.fuel, row)))) return [];
    // For some cars, the VIN's characters are more certain than the name.
    rows = prefer(rows, (row) => (table.columns.vin[row] ?? 0) !== 0, !table.listsAll);
    // A list of some engines writes their sizes as the makers do: 1595 and 1598 are two engines.
    const sized = !table.listsAll && criteria.cc !== 0;
    rows = prefer(rows, (row) => table.columns.cc[row] === criteria.cc, sized);
    const charged = criteria.charged && table.columns.charged.length > 0;
    rows = prefer(rows, (row) => (table.columns.charged[row] ?? 0) === 1, charged);
    // Outside dimensions and generations are the body's; what else a list says is the engine's or the trim's.
    const bodied = (table.columns.lengthMm.length > 0 || listsGenerations(table)) && criteria.body !== '';
    rows = prefer(rows, (row) => this.#word(table.columns.body, row) === criteria.body, bodied);
    rows = this.#preferBadges(rows, table, criteria);
    // A list of some cars may know the first years of a generation only.
    const isOpen = criteria.year === 0 && criteria.generation !== '' && !table.listsAll && !listsAllPowers(table);
    return isOpen && !this.#lives.areSpanned(rows, table, key, criteria.generation) ? [] : rows;
  }

  /**
   * The rows that nothing contradicts.
   *
   * @param yearsBeside how many years beside the VIN's count, for possibilities rather than answers; also of a list that names
   * some cars only. Default: as few as an answer may rest on.
   */
  possible(table: SpecTable, key: number, criteria: Criteria, yearsBeside = 0): readonly number[] {
    const rows: number[] = [];
    const slack = yearsBeside === 0 ? this.#slack(table, key, criteria.year) : yearsBeside;
    const isComplete = table.listsAll || yearsBeside > 0;
    const end = table.rows[key + 1] as number;
    for (let row = table.rows[key] as number; row < end; row++) {
      if (this.#isOfTime(table, row, slack, criteria) && this.#isPossible(table, row, criteria, isComplete))
        rows.push(row);
    }
    return rows;
  }

  /**
   * How many years beside the VIN's count: none where the list has that year; one where it has both neighbors, which
   * then must agree; -1 where it has neither: a redesign may lie between.
   */
  #slack({ rows, columns, listsAll }: SpecTable, key: number, year: number): number {
    if (year === 0) return 0;
    let before = false;
    let after = false;
    const end = rows[key + 1] as number;
    for (let row = rows[key] as number; row < end; row++) {
      const from = (columns.from[row] as number) + SPEC_FIRST_YEAR;
      const to = (columns.to[row] as number) + SPEC_FIRST_YEAR;
      if (from <= year && year <= to) return 0;
      before ||= from <= year - 1 && year - 1 <= to;
      after ||= from <= year + 1 && year + 1 <= to;
    }
    return listsAll && before && after ? 1 : -1;
  }

  /**
   * Whether the row is of the car's generation, or of its year where that is unknown. A list of some engines tells when in
   * the generation each had its power. A car of unknown year may be any that a list of all years has, as those of batteries
   * are, but none of a list that looks at a few years.
   */
  #isOfTime({ columns, market, listsAll }: SpecTable, row: number, slack: number, criteria: Criteria): boolean {
    const { generation, year } = criteria;
    const known = this.#word(columns.generation, row);
    if (known !== '' && generation !== '') {
      if (known !== generation || year === 0) return known === generation;
      // A list of whole generations counts years of sale: the first cars of one are of the model year before or after.
      if (listsAll) return isWithin(columns.from[row] as number, columns.to[row] as number, year - SPEC_FIRST_YEAR, 1);
    }
    if (slack < 0) return false;
    // When a list is used for possibilities rather than answers, any year counts.
    if (year === 0 && slack > 1) return true;
    if (year === 0) {
      const isOfAllYears = columns.generation.length > 0 || columns.batteryKwh.length > 0;
      return known === '' && (isOfAllYears || market === 'north-america');
    }
    return isWithin(columns.from[row] as number, columns.to[row] as number, year - SPEC_FIRST_YEAR, slack);
  }

  /** Whether nothing that the row says contradicts what is criteria. */
  #isPossible({ columns }: SpecTable, row: number, criteria: Criteria, isComplete: boolean): boolean {
    const keys = columns.vin[row] ?? 0;
    if (keys !== 0 && !this.#vinKeys.areIn(criteria.codes, keys)) return false;
    const cc = columns.cc[row] ?? 0;
    // A list that names some cars only says nothing of a car whose engine is open, unless it names its badge.
    if (cc !== 0 && criteria.cc === 0 && !isComplete && (columns.badge[row] ?? 0) === 0) return false;
    // Some lists name no fuel, and a family may have both: what has a displacement is no electric car.
    if (cc !== 0 && criteria.fuel === 'Electric') return false;
    if (cc !== 0 && criteria.cc !== 0 && !isSameSize(cc, criteria.cc)) return false;
    const cylinders = columns.cylinders[row] ?? 0;
    if (cylinders !== 0 && criteria.cylinders !== 0 && cylinders !== criteria.cylinders) return false;
    const power = columns.powerKw[row] ?? 0;
    if (power !== 0 && criteria.powerKw !== 0 && Math.abs(power - criteria.powerKw) > power * POWER_TOLERANCE)
      return false;
    const wheelbase = columns.wheelbaseMm[row] ?? 0;
    if (
      wheelbase !== 0 &&
      criteria.wheelbaseMm !== 0 &&
      Math.abs(wheelbase - criteria.wheelbaseMm) > WHEELBASE_TOLERANCE_MM
    ) {
      return false;
    }
    const fuel = this.#word(columns.fuel, row);
    if (isComplete ? !couldBeFuel(fuel, criteria.fuel) : !isOfFuel(fuel, criteria.fuel)) return false;
    const body = this.#word(columns.body, row);
    if (isComplete ? !couldBeBody(body, criteria.body) : body !== '' && body !== criteria.body) return false;
    if (!couldBeDrive(this.#word(columns.drive, row), criteria.drive)) return false;
    const gearbox = this.#word(columns.gearbox, row);
    return (
      gearbox === '' || criteria.gearbox === '' || gearbox.startsWith('Manual') === (criteria.gearbox === 'manual')
    );
  }

  /**
   * Keeps the rows whose badge the trim repeats most fully, else those whose badge it does not contradict. A badge in
   * letters ("LE") may be an exception that the source lists beside the rest of that trim, so rows without a badge stay;
   * one with a digit ("330i") is the car's whole name.
   */
  #preferBadges(all: readonly number[], { columns, listsAll }: SpecTable, criteria: Criteria): readonly number[] {
    if (columns.badge.length === 0) return all;
    const match = (row: number): number => this.#match(columns.badge[row] as number, criteria);
    const rows = listsAll ? all : all.filter((row) => match(row) >= 0);
    if (!criteria.hasTrim) return rows;
    const matches = rows.map(match);
    const best = Math.max(0, ...matches);
    const plain = best < EXACT ? 0 : best;
    // The longer of two trims that a text lists is no surer than the shorter: "Turbo / Turbo S".
    const least = best < EXACT ? 1 : EXACT;
    const isListed = (match: number): boolean => criteria.listsTrims && match >= least && isWhole(match);
    const kept = rows.filter((_, index) => {
      const found = matches[index] as number;
      return found === best || found === plain || isListed(found);
    });
    return kept.length > 0 ? kept : rows;
  }

  /**
   * How well a badge and the reading go together: 0 where the badge is empty, negative where the reading has none
   * of its words, from EXACT on where it has one with a digit; a badge that it has whole counts above one that it has in
   * part.
   */
  #match(badge: number, criteria: Criteria): number {
    const words = this.#badge(badge);
    if (words.length === 0) return 0;
    let matched = 0;
    let exact = 0;
    for (const word of words) {
      if (!criteria.words.has(word)) continue;
      matched++;
      if (/\d/.test(word)) exact = EXACT;
    }
    return matched === 0 ? -1 : exact + matched * 2 + (matched === words.length ? 1 : 0);
  }

  #badge(number: number): readonly string[] {
    const known = this.#badges.get(number);
    if (known !== undefined) return known;
    const words = this.#tables
      .word(number)
      .split(/[\s,/+()]+/)
      .map(squashWord)
      .filter((word) => word !== '' && !NEUTRAL.test(word));
    this.#badges.set(number, words);
    return words;
  }

  #word(column: Uint8Array | Uint16Array, row: number): string {
    return this.#tables.word(column[row] ?? 0);
  }
}

function isWithin(from: number, to: number, year: number, slack: number): boolean {
  return from <= year + slack && year - slack <= to;
}

/** Whether the reading has the badge whole. */
function isWhole(match: number): boolean {
  return match % 2 === 1;
}

/** The rows that a condition prefers, if there are any. */
function prefer(rows: readonly number[], isPreferred: (row: number) => boolean, applies: boolean): readonly number[] {
  if (!applies) return rows;
  const kept = rows.filter(isPreferred);
  return kept.length > 0 ? kept : rows;
}

const BURNS_GASOLINE: ReadonlySet<string> = new Set([
  'Gasoline',
  'Flex fuel',
  'Hybrid',
  'Plug-in hybrid',
  'Gasoline/CNG',
  'Gasoline/LPG',
  'Ethanol',
]);

const HYBRIDS: ReadonlySet<string> = new Set(['Hybrid', 'Plug-in hybrid']);

/** Readings tell a hybrid's fuel as gasoline, and a diesel may be a mild hybrid. */
export function couldBeFuel(row: string, known: string): boolean {
  if (row === '' || known === '' || row === known) return true;
  if (BURNS_GASOLINE.has(row) && BURNS_GASOLINE.has(known)) return true;
  return known === 'Hybrid' && row === 'Diesel';
}

function sameFuel(row: string, known: string): boolean {
  if (row === known) return true;
  return (known === 'Gasoline' && row === 'Flex fuel') || (known === 'Flex fuel' && row === 'Gasoline');
}

/**
 * Whether a row of a list that does not name all variants is of this fuel. The hybrid of a family has another power than the
 * car without motor, its electric version another than both, and no row of the list may contradict it.
 */
function isOfFuel(row: string, known: string): boolean {
  if (row === 'Hybrid' || row === 'Plug-in hybrid' || row === 'Electric') return row === known;
  return row === '' || known === '' || sameFuel(row, known);
}

/** Bodies that sources and VINs name differently for one car. */
const KIN: readonly ReadonlySet<string>[] = [
  new Set(['suv', 'wagon', 'hatchback']),
  new Set(['wagon', 'van']),
  new Set(['suv', 'van']),
  new Set(['hatchback', 'sedan']),
  new Set(['hatchback', 'coupe']),
  new Set(['sedan', 'coupe']),
  new Set(['pickup', 'truck']),
  new Set(['pickup', 'van', 'bus', 'truck']),
];

export function couldBeBody(row: string, known: string): boolean {
  if (row === '' || known === '' || row === known) return true;
  return KIN.some((kin) => kin.has(row) && kin.has(known));
}

export function couldBeDrive(row: string, drive: Criteria['drive']): boolean {
  if (row === '' || drive === '') return true;
  if (drive === 'all') return drivesAll(row);
  if (drive === 'two') return !drivesAll(row);
  return row === (drive === 'front' ? 'Front-wheel drive' : 'Rear-wheel drive');
}

function isSameSize(one: number, other: number): boolean {
  const isExact = one % ROUNDED_TO_CC !== 0 && other % ROUNDED_TO_CC !== 0;
  return Math.abs(one - other) <= (isExact ? EXACT_TOLERANCE_CC : DISPLACEMENT_TOLERANCE_CC);
}
