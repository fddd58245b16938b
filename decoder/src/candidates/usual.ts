import type { Draft } from '../report/draft.ts';
import { SPEC_FIRST_YEAR, type SpecColumnName } from '../report/spec-columns.ts';
import { gearboxOf } from './gearbox.ts';
import type { SpecMarket, SpecTable } from '../specs/table.ts';
import type { SpecTables } from '../specs/tables.ts';

/** Fields with few values, so that the usual ones help in choosing. */
const COLUMNS = ['fuel', 'drive', 'gearbox', 'cc'] as const satisfies readonly SpecColumnName[];

export type UsualColumn = (typeof COLUMNS)[number];

/** The least share of a usual value: rarer ones do not help in choosing. */
const LEAST_SHARE = 0.02;

/** The share of variants that have each value of a column, by the value or the number of its word. */
type Shares = ReadonlyMap<UsualColumn, ReadonlyMap<number, number>>;

/**
 * Cars whose shares are counted: of a make or all, in a market or all, of about a year or of all, with or without
 * electric cars.
 */
interface Scope {
  market: SpecMarket | '';
  make: string;
  year: number;
  isElectric: boolean;
}

/** Lists skip years. */
const YEARS_BESIDE = 3;

/** The usual values of a make's cars, and of all cars, for models that tables do not list. Counted once for each. */
export class UsualValues {
  readonly #tables: SpecTables;
  readonly #shares = new Map<string, Shares>();

  constructor(tables: SpecTables) {
    this.#tables = tables;
  }

  /**
   * Adds values with their shares: of the make's variants of that time, in the market or elsewhere, else of all
   * variants.
   */
  add(
    market: SpecMarket,
    { make, modelYear: year, fuelType }: Pick<Draft, 'make' | 'modelYear' | 'fuelType'>,
    add: (column: UsualColumn, word: number, share: number) => void,
  ): void {
    // A motor may drive wheels that no engine of the make does, and needs no gears that one changes by hand.
    const isElectric = isPlugged(fuelType);
    const of = (market: SpecMarket | '', make: string, year: number): Shares =>
      this.#of({ market, make, year, isElectric });
    const shares = [of(market, make, year), of(market, make, 0), of('', make, 0), of(market, '', 0), of('', '', 0)];
    for (const column of COLUMNS) {
      // A single kind is one that a source calls special rather than usual.
      const several = shares.find((known) => this.#kindsOf(column, known.get(column)) > 1);
      const counts = several?.get(column) ?? new Map<number, number>();
      for (const [word, share] of counts) if (share >= LEAST_SHARE) add(column, word, share);
    }
  }

  /** Counts the kinds of values: gearboxes differ as manual or automatic, whatever their speeds. */
  #kindsOf(column: UsualColumn, counts: ReadonlyMap<number, number> = new Map()): number {
    if (column !== 'gearbox') return counts.size;
    return new Set([...counts.keys()].map((word) => gearboxOf(this.#tables.word(word)))).size;
  }

  #of(scope: Scope): Shares {
    const name = `${scope.market}|${scope.make}|${scope.year}|${scope.isElectric}`;
    let shares = this.#shares.get(name);
    if (shares === undefined) this.#shares.set(name, (shares = this.#count(scope)));
    return shares;
  }

  #count({ market, make, year, isElectric }: Scope): Shares {
    const shares = new Map<UsualColumn, Map<number, number>>();
    const [start, end] = this.#tables.keysOf(make);
    for (const { market: of, rows, columns } of this.#tables.tables) {
      if (market !== '' && of !== market) continue;
      for (let row = rows[start] ?? 0; row < (rows[end] ?? 0); row++) {
        if (year !== 0 && !isOfTime(columns, row, year)) continue;
        const isOfMotor = !isElectric && isPlugged(this.#tables.word(columns.fuel[row] ?? 0));
        for (const column of COLUMNS) {
          const word = columns[column][row] ?? 0;
          if (word === 0 || (isOfMotor && (column === 'drive' || column === 'gearbox'))) continue;
          const counts = shares.get(column) ?? new Map<number, number>();
          counts.set(word, (counts.get(word) ?? 0) + 1);
          shares.set(column, counts);
        }
      }
    }
    for (const counts of shares.values()) {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      for (const [word, count] of counts) counts.set(word, count / all);
    }
    return shares;
  }
}

function isPlugged(fuel: string): boolean {
  return fuel === 'Electric' || fuel === 'Plug-in hybrid';
}

function isOfTime({ from, to }: SpecTable['columns'], row: number, year: number): boolean {
  const coded = year - SPEC_FIRST_YEAR;
  return (from[row] ?? 0) - YEARS_BESIDE <= coded && coded <= (to[row] ?? 0) + YEARS_BESIDE;
}
