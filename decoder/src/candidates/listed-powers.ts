import type { SpecTable } from '../specs/table.ts';
import type { SpecTables } from '../specs/tables.ts';
import { isSamePower, isSameSize } from './engine-sizes.ts';

const CC_A_LITER = 1000;

/** An engine of a list: the word of its fuel, its size and its power. */
interface ListedEngine {
  fuel: number;
  cc: number;
  kw: number;
}

/**
 * The powers that a list names for the engines of one generation. It names all powers of an engine, so that a variant
 * of a list without generations that has another power is the car before or after.
 */
export class ListedPowers {
  readonly #words: SpecTables;
  readonly #engines: readonly ListedEngine[];

  constructor(words: SpecTables, tables: readonly SpecTable[], keys: readonly number[], generation: string) {
    this.#words = words;
    this.#engines = generation === '' ? [] : tables.flatMap((table) => [...this.#of(table, keys, generation)]);
  }

  /** Returns true if a row may be of the generation: the list lacks its engine, or has it with that power. */
  allows({ columns }: SpecTable, row: number): boolean {
    const kw = columns.powerKw[row] ?? 0;
    if (kw === 0 || this.#engines.length === 0 || (columns.generation[row] ?? 0) !== 0) return true;
    const cc = columns.cc[row] || litersOf(this.#words.word(columns.badge[row] ?? 0)) * CC_A_LITER;
    if (cc === 0) return true;
    const listed = this.#engines.filter((engine) => engine.fuel === columns.fuel[row] && isSameSize(engine.cc, cc));
    return listed.length === 0 || listed.some((engine) => isSamePower(engine.kw, kw));
  }

  *#of({ rows, columns }: SpecTable, keys: readonly number[], generation: string): Generator<ListedEngine> {
    for (const key of keys) {
      for (let row = rows[key] ?? 0; row < (rows[key + 1] ?? 0); row++) {
        if (this.#words.word(columns.generation[row] ?? 0) !== generation) continue;
        const [fuel, cc, kw] = [columns.fuel[row] ?? 0, columns.cc[row] ?? 0, columns.powerKw[row] ?? 0];
        if (fuel !== 0 && cc !== 0 && kw !== 0) yield { fuel, cc, kw };
      }
    }
  }
}

/** Returns the liters that a badge names ("2.0 JTDm"); 0 where it names none. */
export function litersOf(badge: string): number {
  return Number(/\b[0-9][.,][0-9](?![0-9])/.exec(badge)?.[0].replace(',', '.') ?? 0);
}
