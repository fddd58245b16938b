import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { SPEC_RULES, type SpecFieldRule } from '../report/fields.ts';
import { SPEC_TABLE_COLUMNS, type SpecColumnName } from '../report/spec-columns.ts';

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
export const SPEC_FLAGS = { oneCountry: 1, estimatesWeight: 2, overrulesEngine: 4, canadian: 8, allYears: 16 } as const;

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
  /** True if its rows are of all years of a model or type code, so that a vehicle of unknown year is one of them. */
  hasAllYears: boolean;
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

/** Reads the tables of a catalog. */
export function readTables(container: Container, strings: Strings): SpecTable[] {
  const names = container.u32('specs.source');
  const kinds = container.u8('specs.source.kind');
  const purposes = container.u8('specs.source.purpose');
  const rows = Array.from({ length: names.length / 2 }, (_, index) => container.u32(`specs.${index}.rows`));
  const most = Math.max(0, ...rows.map((starts) => starts.at(-1) ?? 0));
  const zeros = { u8: new Uint8Array(most), u16: new Uint16Array(most) };
  return Array.from(rows, (starts, index) => {
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
      hasAllYears: (flags & SPEC_FLAGS.allYears) !== 0,
      rows: starts,
      ...readColumns(container, index, zeros),
    };
    const rules = SPEC_RULES.filter((rule) => tells(table, rule));
    return { ...table, rules, fields: rules.reduce((bits, { bit }) => bits | bit, 0) };
  });
}
