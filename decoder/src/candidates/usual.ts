import type { SpecColumnName } from '../report/spec-columns.ts';
import type { SpecMarket, SpecTables } from '../specs/tables.ts';

/** Fields that have few values, so that what is usual helps to choose. */
const COLUMNS = ['fuel', 'drive', 'gearbox', 'cc', 'body'] as const satisfies readonly SpecColumnName[];

export type UsualColumn = (typeof COLUMNS)[number];

/** Rarer values are no help in choosing. */
const LEAST_SHARE = 0.02;

/** The share of variants that have each value of a column, by the value or the number of its word. */
type Shares = ReadonlyMap<UsualColumn, ReadonlyMap<number, number>>;

/** What is usual among the cars of a make, and among all: where tables do not list the model. Counted once for each. */
export class UsualValues {
  readonly #tables: SpecTables;
  readonly #shares = new Map<string, Shares>();

  constructor(tables: SpecTables) {
    this.#tables = tables;
  }

  /** Adds values with their shares: of the make's variants in the market or elsewhere, else of all variants. */
  add(market: SpecMarket, make: string, add: (column: UsualColumn, word: number, share: number) => void): void {
    const shares = [this.#of(market, make), this.#of('', make), this.#of(market, ''), this.#of('', '')];
    for (const column of COLUMNS) {
      // One word alone tells what a source calls special rather than what is usual.
      const several = shares.find((known) => (known.get(column)?.size ?? 0) > 1);
      const counts = several?.get(column) ?? new Map<number, number>();
      for (const [word, share] of counts) if (share >= LEAST_SHARE) add(column, word, share);
    }
  }

  #of(market: SpecMarket | '', make: string): Shares {
    const name = `${market}|${make}`;
    let shares = this.#shares.get(name);
    if (shares === undefined) this.#shares.set(name, (shares = this.#count(market, make)));
    return shares;
  }

  #count(market: SpecMarket | '', make: string): Shares {
    const shares = new Map<UsualColumn, Map<number, number>>();
    const [start, end] = this.#tables.keysOf(make);
    for (const { market: of, rows, columns } of this.#tables.tables) {
      if (market !== '' && of !== market) continue;
      for (let row = rows[start] ?? 0; row < (rows[end] ?? 0); row++) {
        for (const column of COLUMNS) {
          const word = columns[column][row] ?? 0;
          if (word === 0) continue;
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
