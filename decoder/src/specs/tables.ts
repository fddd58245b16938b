import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { type DriveNames, readDriveNames } from './drive-names.ts';
import { VinPatterns } from './vin-patterns.ts';
import { SPEC_RULES, type SpecFieldRule } from '../report/fields.ts';
import { SPEC_FIRST_YEAR, SPEC_TABLE_COLUMNS, type SpecColumnName } from '../report/spec-columns.ts';

/** Markets of a table's cars. */
export const SPEC_MARKETS = ['north-america', 'europe', 'elsewhere'] as const;

export type SpecMarket = (typeof SPEC_MARKETS)[number];

const BASES = ['measured', 'registered', 'estimated'] as const;

/** The origin of a value: measured, as the maker declared or published it, or estimated from something else. */
export type SpecBasis = (typeof BASES)[number];

/**
 * Kinds of a table's rows: variants; generations, one a row; all powers that engines had; weights of some variants; the
 * sizes of engines; or the bodies of generations, the commonest first. In the order of their numbers in the catalog
 * file.
 */
export const SPEC_KINDS = ['variants', 'generations', 'powers', 'weights', 'sizes', 'bodies'] as const;
export type SpecKind = (typeof SPEC_KINDS)[number];

/** The bits of a table's flags in the catalog file. */
export const SPEC_FLAGS = { oneCountry: 1, estimatesWeight: 2, overrulesEngine: 4, canadian: 8 } as const;

/** One source's variants as columns; see catalog/src/specs/compile.ts, which writes them. */
export interface SpecTable {
  /** Its place among all tables. */
  place: number;
  id: string;
  title: string;
  market: SpecMarket;
  basis: SpecBasis;
  /** True if the table lists all variants: if not, a row applies only to the badge and years that it names. */
  listsAll: boolean;
  /** Key number to its first row; the next key's first row ends it. */
  rows: Uint32Array;
  /** Values by column and row; 0 if the table has none. */
  columns: SpecColumns;
  /** The columns that the table has. */
  names: ReadonlySet<SpecColumnName>;
  /** The same of the columns that each join asks for. */
  has: Readonly<Record<AskedColumn, boolean>>;
  /** The kind of its rows. */
  lists: SpecKind;
  /** True if it is of one European country: the only fuel sold there need not be the only one in the next country. */
  isOfOneCountry: boolean;
  /** True if its curb weights are estimated from something else, whatever its other values are. */
  estimatesWeight: boolean;
  /**
   * True if it lists all engines of its market, so that it overrules cylinders, turbo and fuel of a registry's rows.
   */
  overrulesEngine: boolean;
  /** True if it is Transport Canada's list of specifications. */
  isCanadian: boolean;
  /** The fields that the table can decide, and the same as a set of bits. */
  rules: readonly SpecFieldRule[];
  fields: number;
}

/** Columns that decide how the rows of a table are chosen. */
const ASKED = [
  'vin',
  'generation',
  'badge',
  'body',
  'fuel',
  'charged',
  'drive',
  'gearbox',
  'batteryKwh',
  'lengthMm',
] as const;
type AskedColumn = (typeof ASKED)[number];

/** Columns of one table, each as long as the table; all zeros where the table lacks it. */
export type SpecColumns = Readonly<Record<SpecColumnName, Uint8Array | Uint16Array>>;

/** Returns true if a table lists generations and nothing else: a row a generation. */
export function listsGenerations({ lists }: Pick<SpecTable, 'lists'>): boolean {
  return lists === 'generations';
}

/** Returns true if a table lists all powers that an engine had: its values of an engine are for its whole life. */
export function listsAllPowers({ lists }: Pick<SpecTable, 'lists'>): boolean {
  return lists === 'powers';
}

/**
 * Returns true if a table may give the fuel of a car: the only fuel sold in one European country need not be the only
 * one in the next, unless the list has a size of engine and the car's is known.
 */
export function tellsFuel({ isOfOneCountry, names }: SpecTable, cc: number): boolean {
  return !isOfOneCountry || (cc !== 0 && names.has('cc'));
}

/**
 * Returns true if a table gives a field: a list of some variants gives numbers only, and lists of generations alone
 * give generations.
 */
function tells(table: Omit<SpecTable, 'rules' | 'fields'>, { field, column, tolerance }: SpecFieldRule): boolean {
  if (!table.names.has(column)) return false;
  // Lists of weights have engines, powers and drives to find a weight by: they name a few of each.
  if (table.lists === 'weights') return column === 'curbKg';
  if (tolerance !== undefined) return true;
  // Other tables name a generation for its years of sale, and some name a few of a family's.
  return table.listsAll && (field !== 'generation' || listsGenerations(table));
}

/** More families than a catalog has: what bounds the memory for names that it lacks. */
const MOST_NUMBERS = 10_000;

/** The tables' rows for a make's model. */
export interface Family {
  make: string;
  model: string;
  /** The number of the family of the whole name; -1 where no table has it. */
  key: number;
  /** The interpretations of its name: see `SpecTables.readings`. */
  names: readonly (readonly number[])[];
  /** The tables that have rows of one interpretation, by market. */
  tables: Readonly<Record<SpecMarket, readonly SpecTable[]>>;
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

/** Columns of zeros, for all tables: of both types, so that V8 reads each column of all tables as one type. */
type Zeros = Readonly<Record<'u8' | 'u16', Uint8Array | Uint16Array>>;

/** Returns a table's columns, and which of them it has. */
function readColumns(container: Container, index: number, zeros: Zeros): Pick<SpecTable, 'columns' | 'names' | 'has'> {
  const found = SPEC_TABLE_COLUMNS.map(({ name, type }) => ({
    name,
    type,
    values: container[type](`specs.${index}.${name}`),
  }));
  const names = new Set(found.flatMap(({ name, values }) => (values.length === 0 ? [] : [name])));
  return {
    columns: Object.fromEntries(
      found.map(({ name, type, values }) => [name, values.length === 0 ? zeros[type] : values]),
    ) as Record<SpecColumnName, Uint8Array | Uint16Array>,
    names,
    has: Object.fromEntries(ASKED.map((name) => [name, names.has(name)])) as SpecTable['has'],
  };
}

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
  /** The numbers of families that were asked for. */
  readonly #numbers = new Map<string, number>();

  constructor(container: Container, strings: Strings) {
    this.#strings = strings;
    this.driveNames = readDriveNames(container, strings);
    this.#keys = container.u32('specs.key');
    this.#words = container.u32('specs.word');
    this.#codeRows = container.u32('specs.code.rows');
    this.#codeFrom = container.u8('specs.code.from');
    this.#codeTo = container.u8('specs.code.to');
    this.#codePattern = container.u16('specs.code.vin');
    this.patterns = new VinPatterns((number) => this.word(number));
    this.#codeWord = container.u8('specs.code.word');
    const names = container.u32('specs.source');
    const kinds = container.u8('specs.source.kind');
    const purposes = container.u8('specs.source.purpose');
    const rows = Array.from({ length: names.length / 2 }, (_, index) => container.u32(`specs.${index}.rows`));
    const most = Math.max(0, ...rows.map((starts) => starts.at(-1) ?? 0));
    const zeros = { u8: new Uint8Array(most), u16: new Uint16Array(most) };
    this.tables = Array.from(rows, (starts, index) => {
      const flags = purposes[index * 2 + 1] ?? 0;
      const table = {
        place: index,
        id: strings.get(names[index * 2] ?? 0),
        title: strings.get(names[index * 2 + 1] ?? 0),
        market: SPEC_MARKETS[kinds[index * 3] ?? 0] ?? 'north-america',
        basis: BASES[kinds[index * 3 + 1] ?? 0] ?? 'registered',
        listsAll: kinds[index * 3 + 2] === 0,
        lists: SPEC_KINDS[purposes[index * 2] ?? 0] ?? 'variants',
        isOfOneCountry: (flags & SPEC_FLAGS.oneCountry) !== 0,
        estimatesWeight: (flags & SPEC_FLAGS.estimatesWeight) !== 0,
        overrulesEngine: (flags & SPEC_FLAGS.overrulesEngine) !== 0,
        isCanadian: (flags & SPEC_FLAGS.canadian) !== 0,
        rows: starts,
        ...readColumns(container, index, zeros),
      };
      const rules = SPEC_RULES.filter((rule) => tells(table, rule));
      return { ...table, rules, fields: rules.reduce((bits, { bit }) => bits | bit, 0) };
    });
  }

  /** Returns the number of a make's family, or -1 where no table has it. */
  key(make: string, model: string): number {
    const name = `${make}|${model}`;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const at = this.#firstKey(name);
    const key = at < this.#keys.length && this.#keyText(at) === name ? at : -1;
    if (this.#numbers.size >= MOST_NUMBERS) this.#numbers.clear();
    this.#numbers.set(name, key);
    return key;
  }

  /** Returns the tables' rows for a make's model; one decode asks for the same several times. */
  family(make: string, model: string): Family {
    const last = this.#last;
    if (last?.make === make && last.model === model) return last;
    let models = this.#families.get(make);
    if (models === undefined) this.#families.set(make, (models = new Map()));
    let family = models.get(model);
    if (family === undefined) {
      if (models.size >= MOST_NUMBERS) models.clear();
      models.set(model, (family = this.#familyOf(make, model)));
    }
    this.#last = family;
    return family;
  }

  #familyOf(make: string, model: string): Family {
    const names = this.readings(make, model);
    const tables: Record<SpecMarket, SpecTable[]> = { 'north-america': [], europe: [], elsewhere: [] };
    for (const table of this.tables) {
      const { rows, market } = table;
      for (const keys of names) {
        if (!keys.every((key) => rows[key] !== rows[key + 1])) continue;
        tables[market].push(table);
        break;
      }
    }
    return { make, model, key: this.key(make, model), names, tables };
  }

  /** Returns the bodies that Europe's lists have of a family, by its whole name, in any generation. */
  bodiesOf(make: string, model: string): ReadonlySet<string> {
    const key = this.key(make, model);
    const bodies = new Set<string>();
    if (key < 0) return bodies;
    for (const { market, names, columns, rows } of this.tables) {
      if (market !== 'europe' || !names.has('lengthMm') || !names.has('body')) continue;
      for (let row = rows[key] as number; row < (rows[key + 1] as number); row++) {
        bodies.add(this.word(columns.body[row] ?? 0));
      }
    }
    return bodies;
  }

  /**
   * Returns the readings of a model's name: the family of that name, then the families of its alternatives ("Vectra /
   * Signum"), all of which the vehicle may be. A reading with an alternative that no table has is left out.
   */
  readings(make: string, model: string): readonly (readonly number[])[] {
    const whole = this.key(make, model);
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

  word(number: number): string {
    return this.#strings.get(this.#words[number] ?? 0);
  }
}
