import type { Strings } from '../catalog/strings.ts';
import type { VinReader } from '../decode/reader.ts';
import type { Reading } from '../decode/reading.ts';
import type { Draft } from '../report/draft.ts';
import { BODY_STYLES } from '../report/report.ts';
import type { SpecColumnName } from '../report/spec-columns.ts';
import { NUMERIC_WORLD_FIELDS, type WorldField } from '../report/world-fields.ts';
import { FIELD } from '../world/reading.ts';
import { addYears } from './build-years.ts';
import type { EngineVariant } from './candidates.ts';
import { EngineFinder, hasSize } from './engines.ts';
import { EngineSizes } from './engine-sizes.ts';
import { gearboxOf } from './gearbox.ts';
import { addListedBodies, addUsualBodies, usualness } from './bodies.ts';
import { LayoutModels } from './layout-models.ts';
import { ModelRows, OTHER_YEAR_WEIGHT, type TableRows } from './model-rows.ts';
import { fuelPrior, isOfTime, weighByPrior } from './prior.ts';
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

/** Possible values of each open field, and engines as a whole, the likeliest first. */
export interface Possibilities {
  fields: Readonly<Record<OpenName, Ranking<string | number>>>;
  engines: EngineVariant[];
}

/** Facts that the VIN's own characters match come before what tables list for the model. */
const FACT_WEIGHT = 1000;
/** The weight of values that are usual for the make: below all that are known of the model. */
const USUAL_WEIGHT = 0.001;

/** Engine sizes that are rarer than this beside the usual one are offered with the engines only. */
const LEAST_SIZE_SHARE = 0.05;

const USUAL: readonly { name: OpenName; column: UsualColumn }[] = [
  { name: 'fuelType', column: 'fuel' },
  { name: 'driveType', column: 'drive' },
  { name: 'transmission', column: 'gearbox' },
  { name: 'displacementCc', column: 'cc' },
];

/** The usual values are counted in lists of cars, vans and pickups. */
const BODIES_OF_NO_CAR: ReadonlySet<string> = new Set(['truck', 'bus', 'trailer', 'motorcycle']);

const TYPES_OF_NO_CAR: ReadonlySet<string> = new Set(['Machine', 'Low-speed vehicle', 'Off-road vehicle']);

const OTHER_AXLE: ReadonlyMap<string | number, string> = new Map([
  ['Front-wheel drive', 'Rear-wheel drive'],
  ['Rear-wheel drive', 'Front-wheel drive'],
]);

const NUMBERS: ReadonlySet<OpenName> = new Set(['displacementCc', 'powerKw']);

/** Gathers the catalog's possible values for open fields. */
export class PossibilityFinder {
  readonly #reader: VinReader;
  readonly #strings: Strings;
  readonly #layouts: LayoutModels;
  readonly #usual: UsualValues;
  readonly #rows: ModelRows;
  readonly #sizes: EngineSizes;
  readonly #engines: EngineFinder;

  constructor(reader: VinReader, strings: Strings) {
    this.#reader = reader;
    this.#strings = strings;
    this.#layouts = new LayoutModels(reader.world);
    this.#usual = new UsualValues(reader.specs.tables);
    this.#rows = new ModelRows(reader);
    this.#sizes = new EngineSizes(reader.specs.tables);
    const { world, specs } = reader;
    this.#engines = new EngineFinder({ world, specs: specs.tables, strings, sizes: this.#sizes });
  }

  /**
   * Finds the possible values of open fields, models and generations included: to narrow these takes longest.
   * @param known the values known by now, hints included.
   * @param draft the decoded values: its empty fields are open.
   */
  find(reading: Reading, latestYear: number, known: Draft, draft: Draft): Possibilities {
    const possible = this.findHinted(reading, latestYear, known, draft);
    if (draft.model === '') this.#addModels(reading, known, possible.fields.model);
    this.#dropOthers(reading, known, possible.fields);
    return possible;
  }

  /** Finds the same for the fields that hints can name. */
  findHinted(reading: Reading, latestYear: number, known: Draft, draft: Draft): Possibilities {
    const found = Object.fromEntries(OPEN_FIELDS.map((open) => [open.draft, new Ranking()])) as Possibilities['fields'];
    this.#addFacts(reading, draft, found);
    const rows = this.#rows.of(reading.market ?? 'europe', known, reading);
    this.#addTables(reading, rows, known, draft, found);
    if (draft.body === 'unknown') this.#addBodies(reading, known, found.body);
    this.#addUsual(reading, known, draft, found);
    weighByPrior(reading.market, known, reading.world, found);
    if (draft.modelYear === 0) addYears(reading, rows, latestYear, found.modelYear);
    const engines = this.#engines.find(reading, known, draft, rows);
    // With a known size, the powers of other sizes are out.
    if (known.displacementCc !== 0) found.powerKw.narrow((power) => engines.some(({ powerKw }) => powerKw === power));
    if (known.displacementCc !== 0) found.fuelType.narrow((fuel) => hasSize({ fuelType: String(fuel) }));
    if (known.powerKw !== 0)
      found.displacementCc.narrow((cc) => engines.some(({ displacementCc }) => displacementCc === cc));
    return { fields: found, engines };
  }

  /** Adds the values of facts that the VIN matches: those that fix more positions first. */
  #addFacts({ world, pass }: Reading, draft: Draft, found: Possibilities['fields']): void {
    if (pass !== null || world.layout < 0) return;
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

  /** Adds the values that tables of specifications list for the model, in the possible years. */
  #addTables(
    reading: Reading,
    rows: readonly TableRows[],
    known: Draft,
    draft: Draft,
    found: Possibilities['fields'],
  ): void {
    if (rows.length === 0) return;
    const open = OPEN_FIELDS.flatMap((field) => ('column' in field && isOpen(draft, field.draft) ? [field] : []));
    for (const { draft: name, column } of open) {
      const listed = new Ranking<string | number>();
      if (name === 'body') addListedBodies(rows, (word) => this.#reader.specs.tables.word(word), listed);
      else this.#addColumn(rows, name, column, listed, known);
      if (name === 'displacementCc') {
        const share = (cc: string | number): number => this.#sizes.share(known.make, Number(cc));
        listed.weigh(share);
        listed.hideBelow(LEAST_SIZE_SHARE / fuelPrior(reading.market, known, 'Diesel'));
        // Counted twice: an engine of many models is also in more cars of each.
        listed.weigh(share);
      }
      found[name].addAll(listed);
    }
    if (isOpen(draft, 'driveType')) this.#addDrives(reading, known, found.driveType);
  }

  /** Adds the driven wheels of the model with other engines, and in another market, if no list names any. */
  #addDrives(reading: Reading, known: Draft, drives: Ranking<string | number>): void {
    const market = reading.market ?? 'europe';
    const model = { ...known, fuelType: '', displacementCc: 0, powerKw: 0, transmission: '' };
    for (const sold of [market, market === 'europe' ? 'north-america' : 'europe'] as const) {
      if (drives.size > 0) return;
      this.#addColumn(this.#rows.of(sold, model, reading), 'driveType', 'drive', drives, known);
    }
  }

  /** Adds a column's values; those of other times only where none is of the vehicle's own. */
  #addColumn(
    all: readonly TableRows[],
    name: OpenName,
    column: SpecColumnName,
    ranking: Ranking<string | number>,
    known: Draft,
  ): void {
    // A list of some engines, or of cars with a plug, does not say that the vehicle's own time had no other power.
    const isTold = ({ table, rows, weights }: TableRows): boolean =>
      (name !== 'powerKw' || table.listsAll) &&
      !table.names.has('batteryKwh') &&
      rows.some((row, index) => (weights[index] ?? 0) > OTHER_YEAR_WEIGHT && (table.columns[column][row] ?? 0) !== 0);
    const least = all.some(isTold) ? OTHER_YEAR_WEIGHT : 0;
    for (const { table, rows, weights } of all) {
      const values = table.columns[column];
      for (const [index, row] of rows.entries()) {
        const [value, weight] = [values[row] ?? 0, weights[index] ?? 0];
        const cc = name === 'fuelType' ? (table.columns.cc[row] ?? 0) : 0;
        const share = cc === 0 ? 1 : this.#sizes.share(known.make, cc) ** 2;
        const fuel = name === 'displacementCc' ? this.#reader.specs.tables.word(table.columns.fuel[row] ?? 0) : '';
        const likelihood = weight * share * fuelPrior(table.market, known, fuel);
        if (value !== 0 && weight > least) ranking.add(this.#valueOf(name, value), likelihood);
      }
    }
  }

  /** Adds the usual values of the make: for fields with few values. */
  #addUsual({ market = 'europe', world }: Reading, known: Draft, draft: Draft, found: Possibilities['fields']): void {
    if (isNoCar(known) || !USUAL.some(({ name }) => isOpen(draft, name))) return;
    // Sizes differ by model: what others have helps only where nothing is known of this one.
    const given = new Set<OpenName>(found.displacementCc.size > 0 ? ['displacementCc'] : []);
    // Lists name the wheels of some variants only, most often the special ones.
    for (const name of ['driveType', 'fuelType'] as const) if (found[name].size > 1) given.add(name);
    // A model of one driven axle has none with the other.
    const [drive = ''] = found.driveType.values();
    const wrongAxle = found.driveType.size === 1 ? OTHER_AXLE.get(drive) : undefined;
    this.#usual.add(market, known, (column, word, share) => {
      const name = USUAL.find((usual) => usual.column === column)?.name;
      if (name === undefined || !isOpen(draft, name)) return;
      if (given.has(name)) return;
      const value = this.#valueOf(name, word);
      if (value !== wrongAxle && isOfTime(value, known, world)) found[name].add(value, USUAL_WEIGHT * share);
    });
  }

  /** Drops models and generations that were never built with the engine and the body that are known. */
  #dropOthers(
    reading: Reading,
    known: Draft,
    { model: models, generation: generations }: Possibilities['fields'],
  ): void {
    const market = reading.market ?? 'europe';
    models.narrow((model) => this.#rows.mayBeOf(market, { ...known, model: String(model) }, reading));
    if (known.powerKw === 0) return;
    generations.narrow((generation) => this.#rows.generationMayBeOf(market, known, String(generation)));
  }

  #valueOf(name: OpenName, value: number): string | number {
    if (NUMBERS.has(name)) return value;
    const word = this.#reader.specs.tables.word(value);
    return name === 'transmission' ? gearboxOf(word) : word;
  }

  #addModels({ world, pass, other, codes }: Reading, draft: Draft, models: Ranking<string | number>): void {
    for (const one of [pass, other]) {
      if (one === null || one === undefined) continue;
      this.#reader.weighVpicModels(one, codes, (model, weight) => models.add(model, weight));
    }
    if (world.layout >= 0) {
      this.#layouts.weigh(world.layout, draft.modelYear, codes.codes, (model, weight) =>
        models.add(this.#strings.get(model), weight),
      );
    }
  }

  #addBodies({ world, pass }: Reading, draft: Draft, bodies: Ranking<string | number>): void {
    for (const body of world.bodies) bodies.add(styleOf(body), FACT_WEIGHT + usualness(styleOf(body)));
    if (world.bodies.length > 0) {
      bodies.narrow((value) => world.bodies.some((body) => styleOf(body) === value));
      return;
    }
    const add = (body: number): void => bodies.add(styleOf(body), usualness(styleOf(body)));
    if (pass === null && world.layout >= 0) {
      const model = world.has(FIELD.model) ? (world.value[FIELD.model] ?? 0) : undefined;
      if (model !== undefined) this.#layouts.bodiesOf(world.layout, model, draft.modelYear, add);
      if (bodies.size === 0) this.#layouts.bodiesOf(world.layout, undefined, draft.modelYear, add);
    }
    // Lists of one body alone, or of some bodies of several models, are incomplete.
    const isIncomplete = bodies.size < 2 || draft.model === '' || draft.model.includes(' / ');
    if (isIncomplete && !isNoCar(draft)) addUsualBodies(bodies);
  }
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

/** Returns true if a draft has no value of a field, and the vehicle may have one. */
export function isOpen(draft: Draft, name: OpenName): boolean {
  const value = draft[name];
  return (value === '' || value === 0 || value === 'unknown') && (name !== 'displacementCc' || hasSize(draft));
}

function isNoCar({ body, vehicleType }: Draft): boolean {
  return BODIES_OF_NO_CAR.has(body) || TYPES_OF_NO_CAR.has(vehicleType);
}

function styleOf(body: number): string {
  return BODY_STYLES[body] ?? 'unknown';
}
