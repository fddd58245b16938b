import type { VinReader } from '../decode/reader.ts';
import type { Reading } from '../decode/reading.ts';
import type { Draft } from '../report/draft.ts';
import { SPEC_FIRST_YEAR, type SpecColumnName } from '../report/spec-columns.ts';
import { OPEN_FROM, OPEN_TO } from '../report/world-fields.ts';
import { couldBeBody } from '../specs/fits.ts';
import { criteriaOf } from '../specs/criteria.ts';
import { NOT_CODED } from '../specs/tables.ts';
import { listsGenerations, type SpecMarket, type SpecTable } from '../specs/table.ts';
import { ListedPowers } from './listed-powers.ts';

/** Variants of the vehicle's own time come before those of years beside it. */
const ROW_WEIGHT = 10;
/** Lists skip years, and models are built for several. */
const YEARS_BESIDE = 3;
const ANY_YEAR = 100;
/**
 * An engine of the list of sizes that was sold in less of the generation's years is the one before's or the next one's.
 */
const LEAST_COVERED = 0.4;
/** Variants of other times weigh this at most. */
export const OTHER_YEAR_WEIGHT = 0.01;

/** The rows of a table that are possible for a model, and what each weighs. */
export interface TableRows {
  table: SpecTable;
  rows: readonly number[];
  weights: readonly number[];
}

/** Years in which a vehicle may have been built: its model year (0: unknown), and those of its generation. */
export interface BuiltIn {
  year: number;
  from: number;
  to: number;
}

/** Finds the variants that tables of specifications list for a model. */
export class ModelRows {
  readonly #reader: VinReader;

  constructor(reader: VinReader) {
    this.#reader = reader;
  }

  /** Returns the rows of a market's tables that nothing known contradicts. */
  of(market: SpecMarket, known: Draft, { codes, world }: Reading): TableRows[] {
    const keys = this.keysOf(known.make, known.model);
    if (keys.length === 0) return [];
    const criteria = criteriaOf(known, codes, NOT_CODED, this.#reader.specs.tables.driveNames);
    const tables = this.tablesOf(market);
    const years = tables.flatMap((table) => this.#yearsOfGeneration(table, keys, known.generation));
    const builtIn =
      years.length === 0
        ? { year: known.modelYear, from: world.productionFrom, to: world.productionTo }
        : { year: known.modelYear, from: Math.min(...years), to: Math.max(...years) };
    const powers = new ListedPowers(this.#reader.specs.tables, tables, keys, known.generation);
    return tables.map((table) => {
      const rows = keys
        .flatMap((key) => this.#reader.specs.variants.possible(table, key, criteria, ANY_YEAR))
        .filter((row) => powers.allows(table, row));
      return { table, rows, weights: rows.map((row) => weightOf(table, row, builtIn)) };
    });
  }

  /** Returns true if a model may have the known engine, power and body: its lists do not rule them out. */
  mayBeOf(market: SpecMarket, known: Draft, reading: Reading): boolean {
    const keys = this.keysOf(known.make, known.model);
    const tables = this.tablesOf(market);
    return (
      mayHavePower(valuesOf(tables, keys, 'powerKw'), known.powerKw) &&
      this.#mayHaveEngine(keys, tables, known, reading) &&
      this.#mayHaveBody(keys, tables, known)
    );
  }

  /** Returns true if the lists of a generation's years do not rule out the known power. */
  generationMayBeOf(market: SpecMarket, known: Draft, generation: string): boolean {
    const keys = this.keysOf(known.make, known.model);
    const tables = this.tablesOf(market);
    const years = tables.flatMap((table) => this.#yearsOfGeneration(table, keys, generation));
    if (years.length === 0) return true;
    const [from, to] = [Math.min(...years), Math.max(...years)];
    return mayHavePower(valuesOf(tables, keys, 'powerKw', { from, to }), known.powerKw);
  }

  /** Returns the first and the last years that a list has of a generation. */
  #yearsOfGeneration({ rows, columns, names }: SpecTable, keys: readonly number[], generation: string): number[] {
    if (generation === '' || !names.has('generation')) return [];
    return rowsOf(rows, keys).flatMap((row) => {
      const isOfIt = this.#reader.specs.tables.word(columns.generation[row] ?? 0) === generation;
      return isOfIt ? [(columns.from[row] ?? 0) + SPEC_FIRST_YEAR, (columns.to[row] ?? 0) + SPEC_FIRST_YEAR] : [];
    });
  }

  /** Returns true if there is no list of a model's engines, or one has an engine like the known one. */
  #mayHaveEngine(keys: readonly number[], tables: readonly SpecTable[], known: Draft, { codes }: Reading): boolean {
    if (known.fuelType === '' && known.displacementCc === 0) return true;
    const engines = tables.find(({ lists }) => lists === 'sizes');
    if (engines === undefined || rowsOf(engines.rows, keys).length === 0) return true;
    const { driveNames } = this.#reader.specs.tables;
    const anyBody = { ...known, body: 'unknown', driveType: '', transmission: '' } as const;
    const criteria = criteriaOf(anyBody, codes, NOT_CODED, driveNames);
    const isTelling = ({ columns, names }: SpecTable, row: number): boolean =>
      names.has('fuel') && (known.displacementCc === 0 || (columns.cc[row] ?? 0) !== 0);
    return keys.some((key) =>
      tables.some((table) =>
        this.#reader.specs.variants.possible(table, key, criteria, ANY_YEAR).some((row) => isTelling(table, row)),
      ),
    );
  }

  #mayHaveBody(keys: readonly number[], tables: readonly SpecTable[], { body }: Draft): boolean {
    if (body === 'unknown' || body === 'other') return true;
    // Other lists name the body of some variants only, most often the special ones.
    const bodies = valuesOf(
      tables.filter(({ lists }) => lists === 'bodies'),
      keys,
      'body',
    );
    return bodies.length === 0 || bodies.some((word) => couldBeBody(this.#reader.specs.tables.word(word), body));
  }

  /** Returns the families of a model; a name of alternatives ("Vectra / Signum") has its own and those of each. */
  keysOf(make: string, model: string): number[] {
    if (model === '') return [];
    return [...new Set([model, ...model.split(' / ')])]
      .map((name) => this.#reader.specs.tables.key(make, name))
      .filter((key) => key >= 0);
  }

  tablesOf(market: SpecMarket): SpecTable[] {
    return this.#reader.specs.tables.tables.filter(
      (table) => table.market === market && !isOfWeights(table) && !listsGenerations(table),
    );
  }
}

/** Returns true if a list has weights alone: its variants are those of other lists, and would count twice. */
function isOfWeights({ names, listsAll }: SpecTable): boolean {
  return !listsAll && names.has('curbKg');
}

/** Lists name a part of the engines that a model had: only a power far beyond theirs is another model's. */
const WEAKER = 0.7;
const STRONGER = 1.4;

function mayHavePower(listed: readonly number[], powerKw: number): boolean {
  if (powerKw === 0 || listed.length === 0) return true;
  return powerKw >= Math.min(...listed) * WEAKER && powerKw <= Math.max(...listed) * STRONGER;
}

function rowsOf(starts: Uint32Array, keys: readonly number[]): number[] {
  const rows: number[] = [];
  for (const key of keys) for (let row = starts[key] ?? 0; row < (starts[key + 1] ?? 0); row++) rows.push(row);
  return rows;
}

/** Returns the values of a column that tables list for families, in all years or between two. */
function valuesOf(
  tables: readonly SpecTable[],
  keys: readonly number[],
  column: SpecColumnName,
  between?: { from: number; to: number },
): number[] {
  return tables.flatMap(({ rows, columns }) =>
    rowsOf(rows, keys)
      .filter(
        (row) =>
          between === undefined ||
          ((columns.from[row] ?? 0) + SPEC_FIRST_YEAR <= between.to &&
            (columns.to[row] ?? 0) + SPEC_FIRST_YEAR >= between.from),
      )
      .map((row) => columns[column][row] ?? 0)
      .filter((value) => value !== 0),
  );
}

/**
 * Returns the weight of a row: by how near its years are to the vehicle's, and by the share of the generation's years
 * that it covers.
 */
function weightOf({ lists, columns }: SpecTable, row: number, { year, from, to }: BuiltIn): number {
  const [first, last] = [(columns.from[row] ?? 0) + SPEC_FIRST_YEAR, (columns.to[row] ?? 0) + SPEC_FIRST_YEAR];
  const covered = coverage(first, last, from, to);
  if (year === 0) return covered === 0 ? OTHER_YEAR_WEIGHT : ROW_WEIGHT * covered;
  const distance = Math.max(first - year, year - last, 0);
  if (lists === 'sizes' && covered < LEAST_COVERED) return OTHER_YEAR_WEIGHT;
  if (distance === 0) return ROW_WEIGHT * Math.max(covered, OTHER_YEAR_WEIGHT);
  // The list of engine sizes skips no years.
  return distance <= (lists === 'sizes' ? 1 : YEARS_BESIDE) ? Math.max(covered, OTHER_YEAR_WEIGHT) : OTHER_YEAR_WEIGHT;
}

/** Returns the share of the generation's years that a row covers; 1 if those are unknown. */
function coverage(first: number, last: number, from: number, to: number): number {
  if (from === OPEN_FROM || to === OPEN_TO) return from <= last && first <= to ? 1 : 0;
  const years = Math.min(last, to) - Math.max(first, from) + 1;
  return Math.max(0, years) / (to - from + 1);
}
