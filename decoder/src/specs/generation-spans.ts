import type { NumberList } from './number-list.ts';
import { listsGenerations, type SpecTable } from './table.ts';
import type { SpecTables } from './tables.ts';

/** Model years and years of sale differ by so many. */
const SLACK_YEARS = 1;

/** Checks that rows cover all years in which a generation was sold: a car of it whose year is unknown may be of any. */
export class GenerationSpans {
  readonly #tables: SpecTables;

  constructor(tables: SpecTables) {
    this.#tables = tables;
  }

  /**
   * Returns true if the rows from `start` on together span the years of the family's generation; also if no list has
   * these.
   */
  areSpanned(rows: NumberList, start: number, table: SpecTable, key: number, generation: string): boolean {
    const life = this.#lifeOf(table, key, generation);
    if (life === undefined) return true;
    let from = Infinity;
    let to = 0;
    for (let at = start; at < rows.length; at++) {
      from = Math.min(from, table.columns.from[rows.at(at)] as number);
      to = Math.max(to, table.columns.to[rows.at(at)] as number);
    }
    return from <= life.from + SLACK_YEARS && to >= life.to - SLACK_YEARS;
  }

  #lifeOf({ market }: SpecTable, key: number, generation: string): { from: number; to: number } | undefined {
    let life: { from: number; to: number } | undefined;
    for (const table of this.#tables.tables) {
      if (table.market !== market || !listsGenerations(table)) continue;
      const { columns, rows } = table;
      for (let row = rows[key] as number; row < (rows[key + 1] as number); row++) {
        if (this.#tables.word(columns.generation[row] ?? 0) !== generation) continue;
        const [from, to] = [columns.from[row] as number, columns.to[row] as number];
        life = { from: Math.min(from, life?.from ?? from), to: Math.max(to, life?.to ?? to) };
      }
    }
    return life;
  }
}
