import type { Strings } from '../catalog/strings.ts';
import type { VinReader } from '../decode/reader.ts';
import type { Reading } from '../decode/reading.ts';
import type { Draft } from '../report/draft.ts';
import { BODY_STYLES } from '../report/report.ts';
import { criteriaOf } from '../specs/criteria.ts';
import type { SpecColumnName } from '../report/spec-columns.ts';
import { SPEC_FIRST_YEAR } from '../report/spec-columns.ts';
import type { SpecMarket, SpecTable } from '../specs/tables.ts';
import { NUMERIC_WORLD_FIELDS, OPEN_TO, type WorldField } from '../report/world-fields.ts';
import { FIELD } from '../world/reading.ts';
import { LayoutModels } from './layout-models.ts';
import { Ranking } from './ranking.ts';
import { type UsualColumn, UsualValues } from './usual.ts';

/** The fields that may be open, with the draft's name and where possibilities stand. */
export const OPEN_FIELDS = [
  { field: 'model', draft: 'model', world: 'model' },
  { field: 'generation', draft: 'generation', world: 'generation', column: 'generation' },
  { field: 'modelYear', draft: 'modelYear' },
  { field: 'bodyStyleNormalized', draft: 'body', column: 'body' },
  { field: 'specs.fuelType', draft: 'fuelType', world: 'fuelType', column: 'fuel' },
  { field: 'specs.displacementCc', draft: 'displacementCc', world: 'displacementCc', column: 'cc' },
  { field: 'specs.powerKw', draft: 'powerKw', world: 'powerKw', column: 'powerKw' },
  { field: 'specs.driveType', draft: 'driveType', world: 'driveType', column: 'drive' },
  { field: 'specs.transmission', draft: 'transmission', world: 'transmission', column: 'gearbox' },
  { field: 'specs.plantCity', draft: 'plantCity', world: 'plantCity' },
] as const satisfies readonly { field: string; draft: keyof Draft; world?: WorldField; column?: SpecColumnName }[];

export type OpenName = (typeof OPEN_FIELDS)[number]['draft'];

export type Possibilities = Readonly<Record<OpenName, Ranking<string | number>>>;

/** Facts that the VIN's own characters match come before what tables list for the model. */
const FACT_WEIGHT = 1000;
/** Variants of the VIN's own year come before those of years beside it. */
const ROW_WEIGHT = 10;
/** Lists skip years, and models are built for several. */
const YEARS_BESIDE = 3;
const ANY_YEAR = 100;
/** The list that names the engine sizes of a model through all of its years. */
const ENGINE_SIZES = 'engines';
const OTHER_YEAR_WEIGHT = 0.01;
/** What is usual for the make comes after all that is known of the model. */
const USUAL_WEIGHT = 0.001;
/** Longer spans of years tell nothing that helps. */
const MOST_YEARS = 26;

const USUAL: readonly { name: OpenName; column: UsualColumn }[] = [
  { name: 'fuelType', column: 'fuel' },
  { name: 'driveType', column: 'drive' },
  { name: 'transmission', column: 'gearbox' },
  { name: 'displacementCc', column: 'cc' },
  { name: 'body', column: 'body' },
];

const OTHER_AXLE: ReadonlyMap<string | number, string> = new Map([
  ['Front-wheel drive', 'Rear-wheel drive'],
  ['Rear-wheel drive', 'Front-wheel drive'],
]);

const NUMBERS: ReadonlySet<OpenName> = new Set(['displacementCc', 'powerKw']);

/** Gathers what the catalog knows as possible for fields that a reading leaves open. */
export class PossibilityFinder {
  readonly #reader: VinReader;
  readonly #strings: Strings;
  readonly #layouts: LayoutModels;
  readonly #usual: UsualValues;

  constructor(reader: VinReader, strings: Strings) {
    this.#reader = reader;
    this.#strings = strings;
    this.#layouts = new LayoutModels(reader.world);
    this.#usual = new UsualValues(reader.specs.tables);
  }

  /**
   * @param known what is known of the vehicle by now, hints included.
   * @param draft what is settled: its empty fields are open.
   */
  find(reading: Reading, known: Draft, draft: Draft = known): Possibilities {
    const found = Object.fromEntries(OPEN_FIELDS.map((open) => [open.draft, new Ranking()])) as Possibilities;
    this.#addFacts(reading, draft, found);
    const rows = this.#addTables(reading, known, draft, found);
    if (draft.model === '') {
      this.#addModels(reading, known, found.model);
      this.#dropModels(reading, known, found.model);
    }
    if (draft.body === 'unknown') this.#addBodies(reading, known, found.body);
    this.#addUsual(reading, known, draft, found);
    if (draft.modelYear === 0) addYears(reading, rows, found.modelYear);
    return found;
  }

  /** What the facts say that the VIN matches: those that fix more positions first. */
  #addFacts({ world, pass }: Reading, draft: Draft, found: Possibilities): void {
    if (pass !== null || world.profile < 0) return;
    const { factOutputs, outputStart, outputField, outputValue, factFixed } = this.#reader.world;
    for (let index = 0; index < world.factCount; index++) {
      if (world.fit[index] === 0) continue;
      const fact = world.facts[index] ?? 0;
      const outputs = factOutputs[fact] ?? 0;
      const weight = FACT_WEIGHT * (1 + (factFixed[fact] ?? 0)) * (world.fit[index] ?? 1);
      for (let at = outputStart[outputs] ?? 0; at < (outputStart[outputs + 1] ?? 0); at++) {
        const open = OPEN_BY_WORLD.get(outputField[at] ?? -1);
        if (open === undefined || !isOpen(draft, open.draft)) continue;
        const value = outputValue[at] ?? 0;
        found[open.draft].add(open.isNumber ? value : this.#strings.get(value), weight);
      }
    }
  }

  /** What tables of specifications list for the model, in the years that are possible. */
  #addTables(reading: Reading, known: Draft, draft: Draft, found: Possibilities): TableRows[] {
    const keys = this.#keysOf(known.make, known.model);
    if (keys.length === 0) return [];
    const market = reading.market ?? 'europe';
    const open = OPEN_FIELDS.flatMap((field) => ('column' in field && isOpen(draft, field.draft) ? [field] : []));
    const all = this.#rowsOf(market, keys, known, reading);
    for (const { draft: name, column } of open) this.#addColumn(all, name, column, found[name]);
    // The same model of another market has the same driven wheels to choose from.
    if (isOpen(draft, 'driveType') && found.driveType.size === 0) {
      const elsewhere = this.#rowsOf(market === 'europe' ? 'north-america' : 'europe', keys, known, reading);
      this.#addColumn(elsewhere, 'driveType', 'drive', found.driveType);
    }
    return all;
  }

  /** The families of a model; a name of alternatives ("Vectra / Signum") has those of each. */
  #keysOf(make: string, model: string): number[] {
    if (model === '') return [];
    const whole = this.#reader.specs.tables.key(make, model);
    if (whole >= 0) return [whole];
    return model
      .split(' / ')
      .map((name) => this.#reader.specs.tables.key(make, name))
      .filter((key) => key >= 0);
  }

  #rowsOf(market: SpecMarket, keys: readonly number[], known: Draft, { codes }: Reading): TableRows[] {
    const criteria = criteriaOf(known, codes.codes, '');
    return this.#tablesOf(market).map((table) => {
      const rows = keys.flatMap((key) => this.#reader.specs.candidates.possible(table, key, criteria, ANY_YEAR));
      return { table, rows, weights: rows.map((row) => weightOf(table, row, known.modelYear)) };
    });
  }

  /** Adds a column's values; those of other times only where none is of the vehicle's own. */
  #addColumn(
    all: readonly TableRows[],
    name: OpenName,
    column: SpecColumnName,
    ranking: Ranking<string | number>,
  ): void {
    const isTold = ({ table, rows, weights }: TableRows): boolean =>
      rows.some((row, index) => (weights[index] ?? 0) > OTHER_YEAR_WEIGHT && (table.columns[column][row] ?? 0) !== 0);
    const least = all.some(isTold) ? OTHER_YEAR_WEIGHT : 0;
    for (const { table, rows, weights } of all) {
      const values = table.columns[column];
      for (const [index, row] of rows.entries()) {
        const [value, weight] = [values[row] ?? 0, weights[index] ?? 0];
        if (value !== 0 && weight > least) ranking.add(this.#valueOf(name, value), weight);
      }
    }
  }

  /** What is usual for the make: of fields that have few values. */
  #addUsual({ market = 'europe' }: Reading, known: Draft, draft: Draft, found: Possibilities): void {
    if (!USUAL.some(({ name }) => isOpen(draft, name))) return;
    // These differ by model: what others have helps only where nothing is known of this one.
    const given = new Set<OpenName>((['displacementCc', 'body'] as const).filter((name) => found[name].size > 0));
    // Lists name the wheels of some variants only, most often those that are special.
    if (found.driveType.size > 1) given.add('driveType');
    // A model of one driven axle has none with the other.
    const [drive = ''] = found.driveType.values();
    const wrongAxle = found.driveType.size === 1 ? OTHER_AXLE.get(drive) : undefined;
    this.#usual.add(market, known, (column, word, share) => {
      const name = USUAL.find((usual) => usual.column === column)?.name;
      if (name === undefined || !isOpen(draft, name)) return;
      if (given.has(name)) return;
      const value = this.#valueOf(name, word);
      if (value !== wrongAxle) found[name].add(value, USUAL_WEIGHT * share);
    });
  }

  /** Drops models that were never built with the fuel and the displacement that are known. */
  #dropModels(reading: Reading, known: Draft, models: Ranking<string | number>): void {
    if (known.fuelType === '' && known.displacementCc === 0) return;
    models.narrow((model) => this.#mayBeOf(reading, { ...known, model: String(model) }));
  }

  /** Whether no list of a model's engines is there, or one has an engine like what is known. */
  #mayBeOf(reading: Reading, known: Draft): boolean {
    const keys = this.#keysOf(known.make, known.model);
    const tables = this.#tablesOf(reading.market ?? 'europe');
    const engines = tables.find(({ id }) => id === ENGINE_SIZES);
    if (engines === undefined || !keys.some((key) => engines.rows[key] !== engines.rows[key + 1])) return true;
    const criteria = criteriaOf(
      { ...known, body: 'unknown', driveType: '', transmission: '' },
      reading.codes.codes,
      '',
    );
    const telling = tables.filter(
      ({ columns }) => columns.fuel.length > 0 && (columns.cc.length > 0 || known.displacementCc === 0),
    );
    return keys.some((key) =>
      telling.some((table) => this.#reader.specs.candidates.possible(table, key, criteria, ANY_YEAR).length > 0),
    );
  }

  #tablesOf(market: SpecMarket): SpecTable[] {
    return this.#reader.specs.tables.tables.filter((table) => table.market === market);
  }

  #valueOf(name: OpenName, value: number): string | number {
    if (NUMBERS.has(name)) return value;
    const word = this.#reader.specs.tables.word(value);
    // The kind of automatic and its speeds are nothing that people are asked.
    return name === 'transmission' ? (word.startsWith('Manual') ? 'Manual' : 'Automatic') : word;
  }

  #addModels({ world, pass, codes }: Reading, draft: Draft, models: Ranking<string | number>): void {
    if (pass !== null) this.#reader.weighVpicModels(pass, codes, (model, weight) => models.add(model, weight));
    if (world.profile >= 0) {
      this.#layouts.weigh(world.profile, draft.modelYear, codes.codes, (model, weight) =>
        models.add(this.#strings.get(model), weight),
      );
    }
  }

  #addBodies({ world, pass }: Reading, draft: Draft, bodies: Ranking<string | number>): void {
    for (const body of world.bodies) bodies.add(styleOf(body), FACT_WEIGHT);
    if (bodies.size > 0 && world.bodies.length > 0)
      bodies.narrow((value) => world.bodies.some((b) => styleOf(b) === value));
    if (pass !== null || world.profile < 0 || world.bodies.length > 0 || !world.has(FIELD.model)) return;
    const model = world.value[FIELD.model] ?? 0;
    this.#layouts.bodiesOf(world.profile, model, draft.modelYear, (body) => bodies.add(styleOf(body), 2));
  }
}

/** The rows of a table that are possible, and what each weighs. */
interface TableRows {
  table: SpecTable;
  rows: readonly number[];
  weights: readonly number[];
}

interface OpenWorldField {
  draft: OpenName;
  isNumber: boolean;
}

const OPEN_BY_WORLD: ReadonlyMap<number, OpenWorldField> = new Map(
  OPEN_FIELDS.flatMap((open): [number, OpenWorldField][] =>
    'world' in open ? [[FIELD[open.world], { draft: open.draft, isNumber: NUMERIC_WORLD_FIELDS.has(open.world) }]] : [],
  ),
);

/** Whether nothing settles a value of a draft. */
export function isOpen(draft: Draft, name: OpenName): boolean {
  const value = draft[name];
  return value === '' || value === 0 || value === 'unknown';
}

function styleOf(body: number): string {
  return BODY_STYLES[body] ?? 'unknown';
}

/** Variants of the VIN's own year weigh most, then those of years beside it. */
function weightOf({ columns }: SpecTable, row: number, year: number): number {
  if (year === 0) return 1;
  const [from, to] = [(columns.from[row] ?? 0) + SPEC_FIRST_YEAR, (columns.to[row] ?? 0) + SPEC_FIRST_YEAR];
  const distance = Math.max(from - year, year - to, 0);
  if (distance === 0) return ROW_WEIGHT;
  return distance <= YEARS_BESIDE ? 1 : OTHER_YEAR_WEIGHT;
}

function addYears({ world }: Reading, tables: readonly TableRows[], years: Ranking<string | number>): void {
  const { productionFrom: from, productionTo: to } = world;
  if (world.profile >= 0 && to !== OPEN_TO && to - from < MOST_YEARS) {
    // More cars are built in the middle of a model's years than at their ends.
    const middle = (from + to) / 2;
    for (let year = from; year <= to; year++) years.add(year, FACT_WEIGHT - Math.abs(year - middle));
  }
  for (const { table, rows, weights } of tables) {
    for (const [index, row] of rows.entries()) {
      const [first, last] = [table.columns.from[row] ?? 0, table.columns.to[row] ?? 0];
      for (let year = first; year <= last; year++) years.add(year + SPEC_FIRST_YEAR, weights[index] ?? 0);
    }
  }
}
