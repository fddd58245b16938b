import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { SPEC_RULES, type SpecFieldRule } from '../report/fields.ts';
import { SPEC_FIRST_YEAR, SPEC_TABLE_COLUMNS, type SpecColumnName } from '../report/spec-columns.ts';

/** Where the cars of a table were sold. */
export const SPEC_MARKETS = ['north-america', 'europe', 'elsewhere'] as const;

export type SpecMarket = (typeof SPEC_MARKETS)[number];

const BASES = ['measured', 'registered', 'estimated'] as const;

/** How a value came about: measured, as the maker declared or published it, or estimated from something else. */
export type SpecBasis = (typeof BASES)[number];

/** One source's variants as columns; see catalog/src/specs/compile.ts, which writes them. */
export interface SpecTable {
  id: string;
  title: string;
  market: SpecMarket;
  basis: SpecBasis;
  /** Whether the table lists all variants: if not, a row holds only for the badge and years that it names. */
  listsAll: boolean;
  /** Key number to its first row; the next key's first row ends it. */
  rows: Uint32Array;
  columns: Readonly<Record<SpecColumnName, Uint8Array | Uint16Array>>;
  /** The fields of which the table can tell something. */
  rules: readonly SpecFieldRule[];
}

/** The tables that list generations and nothing else: a row a generation. */
export function listsGenerations({ id }: Pick<SpecTable, 'id'>): boolean {
  return id.startsWith('generations');
}

/** The tables that list all powers that an engine had: what they know of an engine is of its whole life. */
export function listsAllPowers({ id }: Pick<SpecTable, 'id'>): boolean {
  return id.startsWith('ratings');
}

/** The tables of weights, which have engines, powers and drives to find a weight by: they name a few of each. */
function listsWeights({ id }: Pick<SpecTable, 'id'>): boolean {
  return id.startsWith('weights');
}

/**
 * Whether a table may tell the fuel of a car: that one European country sold a family with one fuel only says nothing of the next,
 * unless the list has a size of engine and the car's is known.
 */
export function tellsFuel({ id, columns }: Pick<SpecTable, 'id' | 'columns'>, cc: number): boolean {
  const isOfOneCountry = id === 'vca' || id.startsWith('ademe-');
  return !isOfOneCountry || (cc !== 0 && columns.cc.length > 0);
}

/** Whether a table tells a field of vehicles: a list of some tells numbers only, and lists of generations alone tell generations. */
function tells(table: Omit<SpecTable, 'rules'>, { field, column, tolerance }: SpecFieldRule): boolean {
  if (table.columns[column].length === 0) return false;
  if (listsWeights(table)) return column === 'curbKg';
  if (tolerance !== undefined) return true;
  // Other tables name a generation to tell when it was sold, and some name a few of a family's.
  return table.listsAll && (field !== 'generation' || listsGenerations(table));
}

/** More families than a catalog has: what bounds the memory for names that it lacks. */
const MOST_NUMBERS = 10_000;

/** What a character of a VIN can say of the gearbox; other words are about the driven wheels. */
const GEARBOXES: ReadonlySet<string> = new Set(['Automatic', 'Manual']);

/** What a VIN's own characters tell; "" where nothing. */
export interface CodedWords {
  drive: string;
  gearbox: string;
}

/** What no character of a VIN tells. */
export const NOT_CODED: CodedWords = { drive: '', gearbox: '' };

/** The tables of specifications of a catalog. */
export class SpecTables {
  readonly tables: readonly SpecTable[];
  readonly #codeRows: Uint32Array;
  readonly #codeFrom: Uint8Array;
  readonly #codeTo: Uint8Array;
  readonly #codePosition: Uint8Array;
  readonly #codeCharacter: Uint8Array;
  readonly #codeWord: Uint8Array;
  readonly #keys: Uint32Array;
  readonly #words: Uint32Array;
  readonly #strings: Strings;
  /** The numbers of families that were asked for. */
  readonly #numbers = new Map<string, number>();

  constructor(container: Container, strings: Strings) {
    this.#strings = strings;
    this.#keys = container.u32('specs.key');
    this.#words = container.u32('specs.word');
    this.#codeRows = container.u32('specs.code.rows');
    this.#codeFrom = container.u8('specs.code.from');
    this.#codeTo = container.u8('specs.code.to');
    this.#codePosition = container.u8('specs.code.position');
    this.#codeCharacter = container.u8('specs.code.character');
    this.#codeWord = container.u8('specs.code.word');
    const names = container.u32('specs.source');
    const kinds = container.u8('specs.source.kind');
    this.tables = Array.from({ length: names.length / 2 }, (_, index) => {
      const table = {
        id: strings.get(names[index * 2] ?? 0),
        title: strings.get(names[index * 2 + 1] ?? 0),
        market: SPEC_MARKETS[kinds[index * 3] ?? 0] ?? 'north-america',
        basis: BASES[kinds[index * 3 + 1] ?? 0] ?? 'registered',
        listsAll: kinds[index * 3 + 2] === 0,
        rows: container.u32(`specs.${index}.rows`),
        columns: Object.fromEntries(
          SPEC_TABLE_COLUMNS.map(({ name, type }) => [name, container[type](`specs.${index}.${name}`)]),
        ) as SpecTable['columns'],
      };
      return { ...table, rules: SPEC_RULES.filter((rule) => tells(table, rule)) };
    });
  }

  /** The number of a make's family, or -1 where no table has it. */
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

  /**
   * The readings of a model's name: the family of that name, then the families of its alternatives ("Vectra / Signum"), all of
   * which the vehicle may be. A reading with an alternative that no table has is left out.
   */
  readings(make: string, model: string): readonly (readonly number[])[] {
    const whole = this.key(make, model);
    const readings = whole < 0 ? [] : [[whole]];
    if (!model.includes(' / ')) return readings;
    const alternatives = model.split(' / ').map((name) => this.key(make, name));
    return alternatives.every((key) => key >= 0) ? [...readings, alternatives] : readings;
  }

  /** The first of a make's families and the one after its last; of all families where the make is empty. */
  keysOf(make: string): [start: number, end: number] {
    // "}" is the character after "|".
    return make === '' ? [0, this.#keys.length] : [this.#firstKey(`${make}|`), this.#firstKey(`${make}}`)];
  }

  /** Every make's family with its number. */
  *families(): Generator<[key: number, family: { make: string; model: string }]> {
    for (let key = 0; key < this.#keys.length; key++) {
      const [make = '', model = ''] = this.#keyText(key).split('|');
      yield [key, { make, model }];
    }
  }

  /** The place of the first key that is not below. */
  #firstKey(name: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keyText(middle) < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keyText(key: number): string {
    return this.#strings.get(this.#keys[key] as number);
  }

  /** The driven wheels and the gearbox that a North American VIN's own characters tell; "" where none does. */
  byCode(key: number, year: number, codes: Uint8Array): CodedWords {
    const start = this.#codeRows[key] as number;
    const end = this.#codeRows[key + 1] as number;
    if (start === end) return NOT_CODED;
    const words = { drive: '', gearbox: '' };
    const coded = year - SPEC_FIRST_YEAR;
    for (let row = start; row < end; row++) {
      if ((this.#codeFrom[row] as number) > coded || (this.#codeTo[row] as number) < coded) continue;
      if (codes[(this.#codePosition[row] as number) - 1] !== this.#codeCharacter[row]) continue;
      const word = this.word(this.#codeWord[row] as number);
      const of = GEARBOXES.has(word) ? 'gearbox' : 'drive';
      if (words[of] === '') words[of] = word;
    }
    return words;
  }

  /** Whether what a market's tables say of some families depends on the VIN's own characters. */
  asksForCharacters(market: SpecMarket, keys: readonly number[]): boolean {
    const isCoded = (key: number): boolean => (this.#codeRows[key] ?? 0) < (this.#codeRows[key + 1] ?? 0);
    if (market === 'north-america' && keys.some(isCoded)) return true;
    return this.tables.some(
      (table) =>
        table.market === market &&
        keys.some((key) => table.columns.vin.subarray(table.rows[key], table.rows[key + 1]).some((word) => word !== 0)),
    );
  }

  word(number: number): string {
    return this.#strings.get(this.#words[number] ?? 0);
  }
}
