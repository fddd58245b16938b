import { DIGITS_OF_VIN, ELEMENT } from '@marque/decoder/format';

import { putNarrow, type Sections } from '../binary/sections.ts';
import { StringTable } from '../binary/string-table.ts';
import { compileCorrections } from './compile-corrections.ts';
import { compileElements } from './compile-elements.ts';
import { compileKeys } from './compile-keys.ts';
import { compileLookups } from './compile-lookups.ts';
import { compileValues } from './compile-values.ts';
import { compileExceptions, compileVehicleSpecs } from './compile-vehicle-specs.ts';
import { compileWmis } from './compile-wmis.ts';
import { DISPLACEMENTS } from './conversions.ts';
import type { VpicFacts } from './facts.ts';
import { parseKey, type ParsedKey } from './keys.ts';
import { compareRows, competingRows } from './ranks.ts';
import type { VpicTables } from './tables.ts';
import { checkLimits, checkLimit } from './limits.ts';
import { ValueTable } from './values.ts';
import { makeName } from '../values/index.ts';

/** vPIC's tables as the sections `vpic.*` that decoder/src/vpic reads, with the strings that they name. */
export interface CompiledVpic {
  /** The tables' own name. */
  label: string;
  isReduced: boolean;
  wmis: readonly string[];
  /** Their number. */
  schemas: number;
  rows: number;
  /** The strings by the numbers that the sections use. */
  strings: readonly string[];
  sections: Sections;
}

/** Compiles vPIC. @throws FormatLimitError when there is more of something than the catalog's format has room for. */
export function compileVpic(tables: VpicTables, facts: VpicFacts): CompiledVpic {
  checkLimits(tables);
  const strings = new StringTable();
  const { patterns } = tables;
  const parsed = new Map<string, ParsedKey>();
  const keys: ParsedKey[] = Array.from({ length: patterns.count });
  for (let row = 0; row < patterns.count; row++) {
    const text = patterns.key[row] ?? '';
    let key = parsed.get(text);
    if (key === undefined) parsed.set(text, (key = parseKey(text)));
    keys[row] = key;
  }
  const rowsOfSchema = groupRows(tables);
  const ranks = rankRows(tables, rowsOfSchema, keys);
  const values = new ValueTable(tables, strings);
  const sections: Sections = new Map();
  const keyIds = compileKeys(inOrderOfUse(tables, rowsOfSchema, keys), sections);
  compileSchemas({ tables, strings, rowsOfSchema, keyIds, keys, ranks, values }, sections);
  compileWmis(tables, strings, sections);
  compileVehicleSpecs(tables, values, strings, sections);
  compileExceptions(tables, sections);
  compileElements(tables, { ...facts, ...tables.facts }, strings, values, sections);
  compileLookups(tables, facts, strings, sections);
  compileValues(tables, values, strings, makesOfTrims(tables), sections);
  compileCorrections(strings, sections);
  return {
    label: tables.label,
    isReduced: tables.isReduced,
    wmis: tables.wmis.map(({ wmi }) => wmi),
    schemas: tables.schemas.size,
    rows: tables.patterns.count,
    strings: strings.texts(),
    sections,
  };
}

/**
 * Returns the keys in the order in which schemas use them: the keys of a schema are side by side, and those of the next
 * year's are mostly the same, so that matching a VIN reads little memory.
 */
function inOrderOfUse(tables: VpicTables, rowsOfSchema: Map<number, number[]>, keys: ParsedKey[]): Set<ParsedKey> {
  const used = new Set<ParsedKey>();
  for (const schema of tables.schemas.keys()) {
    for (const row of rowsOfSchema.get(schema) ?? []) used.add(keys[row] as ParsedKey);
  }
  return used;
}

function groupRows(tables: VpicTables): Map<number, number[]> {
  const { patterns } = tables;
  const rowsOfSchema = new Map<number, number[]>();
  for (let row = 0; row < patterns.count; row++) {
    const schema = patterns.schema[row] ?? 0;
    if (!tables.schemas.has(schema)) continue;
    const list = rowsOfSchema.get(schema) ?? [];
    list.push(row);
    rowsOfSchema.set(schema, list);
  }
  return rowsOfSchema;
}

interface Ranks {
  /** Rank among the rows that can compete for the same element, 1 best; 0 = never competes. */
  general: Uint16Array;
  /** The same for engine models by vPIC's other order for them: newest, then inserted last. */
  engine: Map<number, number>;
}

function rankRows(tables: VpicTables, rowsOfSchema: Map<number, number[]>, keys: ParsedKey[]): Ranks {
  const { patterns } = tables;
  const competing = [...competingRows(tables, rowsOfSchema, keys)].toSorted((a, b) =>
    compareRows(patterns, keys, a, b),
  );
  const general = new Uint16Array(patterns.count);
  // Only rows of one element are ever compared, so each element has the numbers for itself.
  const last = new Map<number, number>();
  for (const row of competing) {
    const element = patterns.element[row] ?? 0;
    const rank = (last.get(element) ?? 0) + 1;
    checkLimit(`rows that compete for element ${element}`, rank, 0xffff);
    last.set(element, rank);
    general[row] = rank;
  }
  const engines = competing
    .filter((row) => patterns.element[row] === ELEMENT.engineModel)
    .toSorted(
      (a, b) =>
        (patterns.changed[b] ?? 0) - (patterns.changed[a] ?? 0) || (patterns.id[b] ?? 0) - (patterns.id[a] ?? 0),
    );
  return { general, engine: new Map(engines.map((row, index) => [row, index + 1])) };
}

interface SchemaInput {
  tables: VpicTables;
  strings: StringTable;
  rowsOfSchema: Map<number, number[]>;
  keyIds: Map<ParsedKey, number>;
  keys: ParsedKey[];
  ranks: Ranks;
  values: ValueTable;
}

/** Compiles schemas, which contain entries (one a key), which contain rows (one an element). */
function compileSchemas(input: SchemaInput, sections: Sections): void {
  const { tables, strings, rowsOfSchema, keyIds, keys } = input;
  const schemas = [...tables.schemas.keys()];
  const names = new Uint32Array(schemas.length);
  const entries: number[] = [];
  const entryKey: number[] = [];
  const entryRows: number[] = [];
  const rows = new RowWriter(input);
  for (const [index, schema] of schemas.entries()) {
    names[index] = strings.id(titleOf(tables.schemas.get(schema) ?? ''));
    const before = entryKey.length;
    for (const [key, members] of Map.groupBy(rowsOfSchema.get(schema) ?? [], (row) => keys[row] ?? keys[0])) {
      if (key === undefined) continue;
      entryKey.push(keyIds.get(key) ?? 0);
      entryRows.push(members.length);
      for (const row of members) rows.add(schema, row, key);
    }
    entries.push(entryKey.length - before);
  }
  sections.set('vpic.schema.name', names);
  putNarrow(sections, 'vpic.schema.entries', entries);
  sections.set('vpic.entry.key', Uint16Array.from(entryKey));
  sections.set('vpic.entry.rows', Uint8Array.from(entryRows));
  rows.finish(sections);
}

/** Collects rows in the order of their entries; what only few rows have is kept apart. */
class RowWriter {
  readonly #input: SchemaInput;
  readonly #mixed: ReadonlySet<number>;
  readonly #element: Uint8Array;
  readonly #value: Uint16Array;
  readonly #rank: [row: number, rank: number][] = [];
  readonly #engineRank: [row: number, rank: number][] = [];
  readonly #changed: [row: number, changed: number][] = [];
  #next = 0;

  constructor(input: SchemaInput) {
    this.#input = input;
    this.#mixed = schemasThatMixDisplacements(input.tables, input.rowsOfSchema);
    this.#element = new Uint8Array(input.tables.patterns.count);
    this.#value = new Uint16Array(input.tables.patterns.count);
  }

  add(schema: number, row: number, key: ParsedKey): void {
    const { ranks, values } = this.#input;
    const { patterns } = this.#input.tables;
    const element = patterns.element[row] ?? 0;
    this.#element[this.#next] = element;
    this.#value[this.#next] =
      key.digits === null ? values.index(element, patterns.attribute[row] ?? '') : DIGITS_OF_VIN;
    const rank = ranks.general[row] ?? 0;
    if (rank > 0) this.#rank.push([this.#next, rank]);
    const engine = ranks.engine.get(row);
    if (engine !== undefined) this.#engineRank.push([this.#next, engine]);
    if (this.#mixed.has(schema) && DISPLACEMENTS.has(element)) {
      this.#changed.push([this.#next, patterns.changed[row] ?? 0]);
    }
    this.#next++;
  }

  finish(sections: Sections): void {
    sections.set('vpic.row.element', this.#element.subarray(0, this.#next));
    sections.set('vpic.row.value', this.#value.subarray(0, this.#next));
    sections.set(
      'vpic.rank.row',
      Uint32Array.from(this.#rank, ([row]) => row),
    );
    sections.set(
      'vpic.rank.rank',
      Uint16Array.from(this.#rank, ([, rank]) => rank),
    );
    sections.set(
      'vpic.engineRank.row',
      Uint32Array.from(this.#engineRank, ([row]) => row),
    );
    sections.set(
      'vpic.engineRank.rank',
      Uint16Array.from(this.#engineRank, ([, rank]) => rank),
    );
    sections.set(
      'vpic.displacement.row',
      Uint32Array.from(this.#changed, ([row]) => row),
    );
    sections.set(
      'vpic.displacement.changed',
      Float64Array.from(this.#changed, ([, changed]) => changed),
    );
  }
}

/** Schemas of WMIs that know displacements in more than one unit: only there does it matter which row is newer. */
function schemasThatMixDisplacements(tables: VpicTables, rowsOfSchema: Map<number, number[]>): Set<number> {
  const units = new Map<number, number[]>();
  for (const [schema, rows] of rowsOfSchema) {
    const of = new Set(
      rows.map((row) => tables.patterns.element[row] ?? 0).filter((element) => DISPLACEMENTS.has(element)),
    );
    if (of.size > 0) units.set(schema, [...of]);
  }
  const mixed = new Set<number>();
  for (const links of Map.groupBy(tables.links, (link) => `${link.wmiId}:${link.yearFrom}`).values()) {
    const known = links.filter((link) => units.has(link.schemaId));
    if (new Set(known.flatMap((link) => units.get(link.schemaId) ?? [])).size < 2) continue;
    for (const link of known) mixed.add(link.schemaId);
  }
  return mixed;
}

const TRIM = 38;

/** Returns the make of each trim that only one make uses: some trims are written the maker's own way. */
function makesOfTrims(tables: VpicTables): Map<string, string> {
  const { patterns } = tables;
  const makesOfSchema = new Map<number, Set<string>>();
  for (let row = 0; row < patterns.count; row++) {
    if (patterns.element[row] !== ELEMENT.model) continue;
    const schema = patterns.schema[row] ?? 0;
    const makes = makesOfSchema.get(schema) ?? new Set<string>();
    makesOfSchema.set(schema, makes.add(tables.makeOfModel.get(patterns.attribute[row] ?? '') ?? ''));
  }
  const makesOf = new Map<string, Set<string>>();
  for (let row = 0; row < patterns.count; row++) {
    if (patterns.element[row] !== TRIM) continue;
    const trim = patterns.attribute[row] ?? '';
    const makes = makesOf.get(trim) ?? new Set<string>();
    for (const make of makesOfSchema.get(patterns.schema[row] ?? 0) ?? ['']) makes.add(make);
    makesOf.set(trim, makes);
  }
  const single = new Map<string, string>();
  for (const [trim, makes] of makesOf) {
    const [make, ...others] = makes;
    if (make !== undefined && make !== '' && others.length === 0) single.set(trim, makeName(make));
  }
  return single;
}

/**
 * Returns a schema's name without the parts that repeat its WMIs: "Honda Passenger Car Schema for 1HG - 2003" becomes
 * "Honda Passenger Car 2003".
 */
function titleOf(name: string): string {
  return name
    .replaceAll(/ ?\bschema\b/gi, '')
    .replaceAll(/ ?\bfor (?:[0-9A-Z]{3}(?:[0-9A-Z]{3})?[, /&-]*)+/g, ' ')
    .replaceAll(/[()]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/[ -]+$/, '')
    .trim();
}
