import type { Criteria } from './criteria.ts';
import { drivesAll } from './agree.ts';
import type { SpecTables } from './tables.ts';

/** Words of closed lists have numbers of one byte. */
const WORDS = 256;

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

/**
 * Returns true if a row's fuel may be the known one. VINs describe a hybrid's fuel as gasoline, and a diesel may be a
 * mild hybrid; a car with a plug is one for sure, and has another power than the same engine alone.
 */
export function couldBeFuel(row: string, known: string): boolean {
  if (row === '' || known === '' || row === known) return true;
  if (known === 'Plug-in hybrid') return row === 'Hybrid';
  if (BURNS_GASOLINE.has(row) && BURNS_GASOLINE.has(known)) return true;
  return known === 'Hybrid' && row === 'Diesel';
}

function sameFuel(row: string, known: string): boolean {
  if (row === known) return true;
  return (known === 'Gasoline' && row === 'Flex fuel') || (known === 'Flex fuel' && row === 'Gasoline');
}

/**
 * Returns true if a row of a list that does not name all variants is of this fuel. The hybrid of a family has another
 * power than the car without motor, its electric version another than both, and no row of the list may contradict it.
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

/** Returns true if a row's body may be the known one: sources and VINs name some bodies differently. */
export function couldBeBody(row: string, known: string): boolean {
  if (row === '' || known === '' || row === known) return true;
  return KIN.some((kin) => kin.has(row) && kin.has(known));
}

/** Returns true if a row's driven wheels may be the known ones. */
export function couldBeDrive(row: string, drive: Criteria['drive']): boolean {
  if (row === '' || drive === '') return true;
  if (drive === 'all') return drivesAll(row);
  if (drive === 'two') return !drivesAll(row);
  return row === (drive === 'front' ? 'Front-wheel drive' : 'Rear-wheel drive');
}

/** Returns true if a row's gearbox may be of the known kind. */
function couldBeGearbox(row: string, gearbox: Criteria['gearbox']): boolean {
  return row === '' || gearbox === '' || row.startsWith('Manual') === (gearbox === 'manual');
}

/** A comparison of the words of a column with a known value, worked out once for each known value. */
class Fit<Known extends string> {
  readonly #tables: SpecTables;
  readonly #fits: (row: string, known: Known) => boolean;
  readonly #kept = new Map<Known, Uint8Array>();
  /** The value that was asked for last: the tables of one vehicle are all compared with the same. */
  #last: Known | undefined;
  #lastFits: Uint8Array = new Uint8Array();

  constructor(tables: SpecTables, fits: (row: string, known: Known) => boolean) {
    this.#tables = tables;
    this.#fits = fits;
  }

  /** Returns by the number of a row's word 1 if the word fits the known value. */
  of(known: Known): Uint8Array {
    if (known === this.#last) return this.#lastFits;
    let fits = this.#kept.get(known);
    if (fits === undefined) {
      fits = new Uint8Array(WORDS);
      for (let word = 0; word < WORDS; word++) fits[word] = this.#fits(this.#tables.word(word), known) ? 1 : 0;
      this.#kept.set(known, fits);
    }
    this.#last = known;
    this.#lastFits = fits;
    return fits;
  }
}

/** All comparisons of words that rows are chosen by. */
export class WordFits {
  readonly fuel: Fit<string>;
  readonly fuelOfSome: Fit<string>;
  readonly sameFuel: Fit<string>;
  readonly body: Fit<string>;
  readonly sameBody: Fit<string>;
  readonly drive: Fit<Criteria['drive']>;
  readonly gearbox: Fit<Criteria['gearbox']>;
  /** 1 for a fuel of two engines, by a word's number. */
  readonly hybrids: Uint8Array;

  constructor(tables: SpecTables) {
    this.fuel = new Fit(tables, couldBeFuel);
    this.fuelOfSome = new Fit(tables, isOfFuel);
    this.sameFuel = new Fit(tables, sameFuel);
    this.body = new Fit(tables, couldBeBody);
    this.sameBody = new Fit(tables, (row, known) => row === known);
    this.drive = new Fit(tables, couldBeDrive);
    this.gearbox = new Fit(tables, couldBeGearbox);
    this.hybrids = new Fit(tables, (row) => HYBRIDS.has(row)).of('');
  }
}
