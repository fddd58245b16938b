import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { SPEC_FIRST_YEAR } from '../report/spec-columns.ts';
import { type DriveNames, readDriveNames } from './drive-names.ts';
import { readTables, type SpecMarket, type SpecTable } from './table.ts';
import { VinPatterns } from './vin-patterns.ts';

/** More families than a catalog has: what bounds the memory for names that it lacks. */
const MOST_FAMILIES = 10_000;

/** The tables' rows for a make's model. */
export interface Family {
  make: string;
  model: string;
  /** The number of the family of the whole name; -1 where no table has it. */
  key: number;
  /** The interpretations of its name: see `SpecTables.#readings`. */
  names: readonly (readonly number[])[];
  /** The tables that have rows of one interpretation, by market. */
  tables: Readonly<Record<SpecMarket, readonly TableOfFamily[]>>;
  /** The bodies with which it was sold in Europe, once they were asked for. */
  bodies: ReadonlySet<string> | undefined;
}

/** A table that has rows of a family, with their first and their last year. */
export interface TableOfFamily {
  table: SpecTable;
  from: number;
  to: number;
}

/** Returns true if a table has rows of each of some families: most tables have none of most families. */
export function hasRows({ rows }: SpecTable, keys: readonly number[]): boolean {
  for (const key of keys) if (rows[key] === rows[key + 1]) return false;
  return true;
}

/** The gearboxes that a character of a VIN can mean; other words are about the driven wheels. */
const GEARBOXES: ReadonlySet<string> = new Set(['Automatic', 'Manual']);

/** Values of a VIN's own characters; "" if there is none. */
export interface CodedWords {
  drive: string;
  gearbox: string;
}

/** The words of a VIN whose characters give none. */
export const NOT_CODED: CodedWords = { drive: '', gearbox: '' };

/** The tables of specifications of a catalog. */
export class SpecTables {
  readonly tables: readonly SpecTable[];
  /** The patterns over VINs that rows have. */
  readonly patterns: VinPatterns;
  /** The names by which makers sell driven wheels. */
  readonly driveNames: DriveNames;
  readonly #codeRows: Uint32Array;
  readonly #codeFrom: Uint8Array;
  readonly #codeTo: Uint8Array;
  readonly #codePattern: Uint16Array;
  readonly #codeWord: Uint8Array;
  readonly #keys: Uint32Array;
  readonly #words: Uint32Array;
  readonly #strings: Strings;
  readonly #families = new Map<string, Map<string, Family>>();
  /** The family that was asked for last. */
  #last: Family | undefined;

  constructor(container: Container, strings: Strings) {
    this.#strings = strings;
    this.driveNames = readDriveNames(container, strings);
    this.#keys = container.u32('specs.key');
    this.#words = container.u32('specs.word');
    this.#codeRows = container.u32('specs.code.rows');
    this.#codeFrom = container.u8('specs.code.from');
    this.#codeTo = container.u8('specs.code.to');
    this.#codePattern = container.u16('specs.code.vin');
    this.patterns = new VinPatterns(this.#words.length, (number) => this.word(number));
    this.#codeWord = container.u8('specs.code.word');
    this.tables = readTables(container, strings);
  }

  /** Returns the number of a make's family, or -1 where no table has it. */
  key(make: string, model: string): number {
    const name = `${make}|${model}`;
    const at = this.#firstKey(name);
    return at < this.#keys.length && this.#keyText(at) === name ? at : -1;
  }

  /** Returns the tables' rows for a make's model; one decode asks for the same several times. */
  family(make: string, model: string): Family {
    const last = this.#last;
    if (last?.make === make && last.model === model) return last;
    let models = this.#families.get(make);
    if (models === undefined) this.#families.set(make, (models = new Map()));
    let family = models.get(model);
    if (family === undefined) {
      if (models.size >= MOST_FAMILIES) models.clear();
      models.set(model, (family = this.#familyOf(make, model)));
    }
    this.#last = family;
    return family;
  }

  #familyOf(make: string, model: string): Family {
    const key = this.key(make, model);
    const names = this.#readings(key, make, model);
    const tables: Record<SpecMarket, TableOfFamily[]> = { 'north-america': [], europe: [], elsewhere: [] };
    for (const table of this.tables) {
      let [from, to] = [Infinity, 0];
      for (const keys of names) {
        if (!hasRows(table, keys)) continue;
        for (const key of keys) {
          for (let row = table.rows[key] as number; row < (table.rows[key + 1] as number); row++) {
            from = Math.min(from, table.columns.from[row] as number);
            to = Math.max(to, table.columns.to[row] as number);
          }
        }
      }
      if (to >= from) tables[table.market].push({ table, from: from + SPEC_FIRST_YEAR, to: to + SPEC_FIRST_YEAR });
    }
    return { make, model, key, names, tables, bodies: undefined };
  }

  /** Returns the bodies that Europe's lists have of a family, by its whole name, in any generation. */
  bodiesOf(make: string, model: string): ReadonlySet<string> {
    const family = this.family(make, model);
    return (family.bodies ??= this.#bodiesOf(family.key));
  }

  #bodiesOf(key: number): ReadonlySet<string> {
    const bodies = new Set<string>();
    if (key < 0) return bodies;
    for (const { market, names, columns, rows } of this.tables) {
      if (market !== 'europe' || !names.has('lengthMm') || !names.has('body')) continue;
      for (let row = rows[key] as number; row < (rows[key + 1] as number); row++) {
        const body = columns.body[row] ?? 0;
        if (body !== 0) bodies.add(this.word(body));
      }
    }
    return bodies;
  }

  /**
   * Returns the readings of a model's name: the family of that name, then the families of its alternatives ("Vectra /
   * Signum"), all of which the vehicle may be. A reading with an alternative that no table has is left out.
   */
  #readings(whole: number, make: string, model: string): readonly (readonly number[])[] {
    const readings = whole < 0 ? [] : [[whole]];
    if (!model.includes(' / ')) return readings;
    const alternatives = model.split(' / ').map((name) => this.key(make, name));
    return alternatives.every((key) => key >= 0) ? [...readings, alternatives] : readings;
  }

  /** Returns the first of a make's families and the one after its last; of all families where the make is empty. */
  keysOf(make: string): [start: number, end: number] {
    // "}" is the character after "|".
    return make === '' ? [0, this.#keys.length] : [this.#firstKey(`${make}|`), this.#firstKey(`${make}}`)];
  }

  /** Yields every make's family with its number. */
  *families(): Generator<[key: number, family: { make: string; model: string }]> {
    for (let key = 0; key < this.#keys.length; key++) {
      const [make = '', model = ''] = this.#keyText(key).split('|');
      yield [key, { make, model }];
    }
  }

  /** Returns the place of the first key that is not below. */
  #firstKey(name: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#strings.isBelow(this.#keys[middle] as number, name)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keyText(key: number): string {
    return this.#strings.get(this.#keys[key] as number);
  }

  /** Returns the driven wheels and the gearbox of a North American VIN's own characters; "" if there is none. */
  byCode(key: number, year: number, codes: Uint8Array): CodedWords {
    const start = this.#codeRows[key] as number;
    const end = this.#codeRows[key + 1] as number;
    if (start === end) return NOT_CODED;
    const words = { drive: '', gearbox: '' };
    const coded = year - SPEC_FIRST_YEAR;
    for (let row = start; row < end; row++) {
      if ((this.#codeFrom[row] as number) > coded || (this.#codeTo[row] as number) < coded) continue;
      if (!this.patterns.hold(this.#codePattern[row] as number, codes)) continue;
      const word = this.word(this.#codeWord[row] as number);
      const of = GEARBOXES.has(word) ? 'gearbox' : 'drive';
      if (words[of] === '') words[of] = word;
    }
    return words;
  }

  /** Returns the numbers of the patterns over VINs that rows of some families have in a market's tables. */
  patternsOf(market: SpecMarket, keys: readonly number[]): readonly number[] {
    const found = new Set<number>();
    for (const table of this.tables) {
      if (table.market !== market || !table.names.has('vin')) continue;
      for (const key of keys)
        for (const number of table.columns.vin.subarray(table.rows[key], table.rows[key + 1])) found.add(number);
    }
    found.delete(0);
    return [...found];
  }

  get wordCount(): number {
    return this.#words.length;
  }

  word(number: number): string {
    return this.#strings.get(this.#words[number] ?? 0);
  }
}
