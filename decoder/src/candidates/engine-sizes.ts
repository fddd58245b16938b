import type { SpecTables } from '../specs/tables.ts';

/** Sizes nearer than this are offered once: 1984 and 1968, and not 1199 and 1248. */
export const ONE_SIZE_CC = 40;

/** Sizes that are named for one engine, by publisher or by rounding: 1595 and 1598. */
export const ONE_ENGINE_CC = 60;

const POWER_TOLERANCE = 0.03;
const LEAST_POWER_TOLERANCE_KW = 2;

/**
 * Measures how common engine sizes are among a make's models: an engine that many of them have is in most of the cars
 * of each.
 */
export class EngineSizes {
  readonly #tables: SpecTables;
  /** The sizes of each family of a make. */
  readonly #families = new Map<string, readonly (readonly number[])[]>();

  constructor(tables: SpecTables) {
    this.#tables = tables;
  }

  /**
   * Returns the share of the make's models that have an engine of about that size: above 0, to 1; 1 of a size that is
   * not known.
   */
  share(make: string, cc: number): number {
    if (cc === 0) return 1;
    const families = this.#of(make);
    const having = families.filter((sizes) => sizes.some((size) => Math.abs(size - cc) <= ONE_ENGINE_CC)).length;
    return Math.max(1, having) / Math.max(1, families.length);
  }

  /**
   * Returns the share of the make's generations with an engine of that fuel and size that offer it with that power:
   * above 0, to 1; 1 of a power that is not known.
   */
  powerShare(make: string, { fuel, cc, kw }: { fuel: string; cc: number; kw: number }): number {
    const ratings = this.#tables.tables.find(({ market, lists }) => market === 'europe' && lists === 'powers');
    if (kw === 0 || ratings === undefined) return 1;
    const { columns, rows } = ratings;
    const [start, end] = this.#tables.keysOf(make);
    const all = new Set<string>();
    const having = new Set<string>();
    for (let key = start; key < end; key++) {
      for (let row = rows[key] ?? 0; row < (rows[key + 1] ?? 0); row++) {
        if (this.#tables.word(columns.fuel[row] ?? 0) !== fuel || !isSameSize(columns.cc[row] ?? 0, cc)) continue;
        const generation = `${key}|${columns.generation[row]}`;
        all.add(generation);
        if (isSamePower(columns.powerKw[row] ?? 0, kw)) having.add(generation);
      }
    }
    return Math.max(1, having.size) / Math.max(1, all.size);
  }

  #of(make: string): readonly (readonly number[])[] {
    let families = this.#families.get(make);
    if (families === undefined) this.#families.set(make, (families = this.#gather(make)));
    return families;
  }

  #gather(make: string): (readonly number[])[] {
    const table = this.#tables.tables.find(({ lists }) => lists === 'sizes');
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

/** Returns true if two sizes are of one engine, by publisher or by rounding. */
export function isSameSize(a: number, b: number): boolean {
  return a === b || (a !== 0 && b !== 0 && Math.abs(a - b) <= ONE_ENGINE_CC);
}

/** Returns true if two powers are one, by rounding. */
export function isSamePower(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(LEAST_POWER_TOLERANCE_KW, a * POWER_TOLERANCE);
}
