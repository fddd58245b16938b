import type { SpecTables } from '../specs/tables.ts';
import { ENGINE_SIZES } from './model-rows.ts';

/** Sizes nearer than this are offered once: 1984 and 1968, and not 1199 and 1248. */
export const ONE_SIZE_CC = 40;

/** Sizes that are named for one engine, by publisher or by rounding: 1595 and 1598. */
export const ONE_ENGINE_CC = 60;

/** How common engine sizes are among a make's models: an engine that many of them have is in most of the cars of each. */
export class EngineSizes {
  readonly #tables: SpecTables;
  /** The sizes of each family of a make. */
  readonly #families = new Map<string, readonly (readonly number[])[]>();

  constructor(tables: SpecTables) {
    this.#tables = tables;
  }

  /** The share of the make's models that have an engine of about that size: above 0, to 1; 1 of a size that is not known. */
  share(make: string, cc: number): number {
    if (cc === 0) return 1;
    const families = this.#of(make);
    const having = families.filter((sizes) => sizes.some((size) => Math.abs(size - cc) <= ONE_ENGINE_CC)).length;
    return Math.max(1, having) / Math.max(1, families.length);
  }

  #of(make: string): readonly (readonly number[])[] {
    let families = this.#families.get(make);
    if (families === undefined) this.#families.set(make, (families = this.#gather(make)));
    return families;
  }

  #gather(make: string): (readonly number[])[] {
    const table = this.#tables.tables.find(({ id }) => id === ENGINE_SIZES);
    if (table === undefined || make === '') return [];
    const [start, end] = this.#tables.keysOf(make);
    const families: number[][] = [];
    for (let key = start; key < end; key++) {
      const sizes = table.columns.cc.subarray(table.rows[key], table.rows[key + 1]);
      if (sizes.length > 0) families.push([...sizes]);
    }
    return families;
  }
}
