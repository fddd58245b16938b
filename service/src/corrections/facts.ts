import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { interpret, type VinLayout } from '@marque/catalog';
import { isSeq, parseDocument } from 'yaml';
import { FUEL_TYPES } from '@marque/catalog/values';
import { REPORT_ENTRIES } from '@marque/decoder';

import { mergeFields } from './apply.ts';
import { mayMeet, positionsOf, scopeText } from './scope.ts';
import type { FieldValue, Override, OverrideFields, Scope } from './types.ts';
import { csvLine } from '../kernel/csv/csv.ts';
import { isoDay } from '../kernel/clock.ts';

/** A source as `sources.csv` names it. */
interface FactSource {
  key: string;
  /** Its kind (`SourceKind`): a reviewer identified the vehicle. */
  kind: 'labelled';
  licence: string;
  where: string;
}

/** Rows for one maker's folder. */
interface MakerFacts {
  /** The folder's name. */
  maker: string;
  /** Names of the layouts that have to name the table. */
  layouts: string[];
  rows: FactRow[];
}

/** Overrides as facts. */
interface ExportedFacts {
  makers: MakerFacts[];
  sources: FactSource[];
  leftOut: LeftOut[];
}

/**
 * Overrides in force as rows of the catalog's facts, one for each scope, with the reports as their sources.
 *
 * @param overrides newest first.
 * @param layouts the layouts that facts can go into.
 */
export function toFacts(overrides: readonly Override[], layouts: readonly VinLayout[]): ExportedFacts {
  const leftOut: LeftOut[] = [];
  const makers = new Map<string, MakerFacts>();
  const used = new Set<Override>();
  for (const group of Map.groupBy(overrides, ({ scope }) => scopeText(scope)).values()) {
    const [newest] = group;
    if (newest === undefined) continue;
    const homes = layouts.filter((layout) => isHomeOf(newest.scope, layout));
    const [home] = homes;
    if (home === undefined) {
      const why = `There is no layout for ${scopeText(newest.scope)}: North American facts come from vPIC alone.`;
      leftOut.push({ overrideId: newest.id, why });
      continue;
    }
    const merged = { ...newest, fields: mergeFields(group.map(({ fields }) => fields)) };
    const written = factRowOf(merged, [...new Set(group.map(sourceKey))]);
    leftOut.push(...written.leftOut);
    if (written.row === undefined) continue;
    for (const override of group) used.add(override);
    const maker = folderOf(home);
    const facts = makers.get(maker) ?? { maker, layouts: [], rows: [] };
    makers.set(maker, facts);
    facts.rows.push(written.row);
    const names = homes.filter((layout) => folderOf(layout) === maker).map(({ id }) => id.slice(maker.length + 1));
    facts.layouts = [...new Set([...facts.layouts, ...names])];
  }
  return { makers: [...makers.values()], sources: sourcesOf(used), leftOut };
}

function sourcesOf(overrides: Iterable<Override>): FactSource[] {
  const sources = new Map<string, FactSource>();
  for (const override of overrides) {
    const key = sourceKey(override);
    const day = isoDay(override.createdAtMs);
    const where = `decode issue reported to Marque, accepted ${day}`;
    sources.set(key, { key, kind: 'labelled', licence: 'facts only', where });
  }
  return [...sources.values()];
}

function isHomeOf(scope: Scope, layout: VinLayout): boolean {
  const { wmis, years } = layout;
  if (!wmis.includes(wmiOf(scope))) return false;
  // A layout may be for some vehicles of its WMIs only: a row in it would never be read for the others.
  if (scope.kind === 'vin') return interpret([layout], scope.vin) !== undefined;
  if (layout.when.length > 0 && !layout.when.some((condition) => mayMeet(scope, condition))) return false;
  const [from, to] = scope.years;
  return (from ?? -Infinity) <= (years[1] ?? Infinity) && (to ?? Infinity) >= (years[0] ?? -Infinity);
}

function folderOf({ id }: Pick<VinLayout, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

/** Name of the table that is written into a maker's folder. */
const TABLE = 'corrections.csv';

const EMPTY = 'positions,code,confidence,source\n';

/**
 * Writes exported facts into a folder of facts (`catalog/facts/world`): a table for each maker, whole, and an empty one
 * where a maker has no rows any more; new sources; and the table's name into the layouts that use it.
 *
 * @returns the files that were written, relative to the folder.
 */
export function writeFacts(folder: string, { makers, sources }: ExportedFacts): string[] {
  const written: string[] = [];
  const write = (name: string, text: string): void => {
    const file = join(folder, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    writeFileSync(file, text);
    written.push(name);
  };
  for (const { maker, layouts, rows } of makers) {
    write(join(maker, TABLE), toCsv(rows));
    const file = join(maker, 'layouts.yaml');
    write(file, withTable(readFileSync(join(folder, file), 'utf8'), layouts));
  }
  const others = readdirSync(folder).filter((maker) => !makers.some((of) => of.maker === maker));
  for (const maker of others) if (existsSync(join(folder, maker, TABLE))) write(join(maker, TABLE), EMPTY);
  write('sources.csv', withSources(readFileSync(join(folder, 'sources.csv'), 'utf8'), sources));
  return written;
}

/** Returns rows as a table, with the columns that they need. */
export function toCsv(rows: readonly FactRow[]): string {
  const columns = COLUMNS.filter((column) => rows.some((row) => (row[column] ?? '') !== ''));
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((cells) => csvLine(cells, ',', '\n')).join('');
}

function withSources(text: string, sources: readonly FactSource[]): string {
  const known = new Set(text.split('\n').map((line) => line.slice(0, line.indexOf(','))));
  const lines = sources
    .filter(({ key }) => !known.has(key))
    .map(({ key, kind, licence, where }) => csvLine([key, kind, licence, where], ',', '\n'));
  return (text.endsWith('\n') ? text : `${text}\n`) + lines.join('');
}

/** Returns the layouts with the table's name added where it is missing; the rest is unchanged. */
function withTable(text: string, layouts: readonly string[]): string {
  const document = parseDocument(text);
  const entries = document.get('layouts');
  if (!isSeq(entries)) return text;
  const inserts: { at: number; what: string }[] = [];
  for (const index of entries.items.keys()) {
    const name = document.getIn(['layouts', index, 'name']);
    const tables = document.getIn(['layouts', index, 'tables'], true);
    if (!layouts.includes(String(name)) || !isSeq(tables) || !tables.range) continue;
    const listed: unknown = tables.toJS(document);
    if (Array.isArray(listed) && listed.includes(TABLE)) continue;
    const [at] = tables.range;
    const indent = ' '.repeat(at - (text.lastIndexOf('\n', at) + 1));
    inserts.push(tables.flow === true ? { at: at + 1, what: `${TABLE}, ` } : { at, what: `- ${TABLE}\n${indent}` });
  }
  return inserts.toReversed().reduce((whole, { at, what }) => whole.slice(0, at) + what + whole.slice(at), text);
}

/** A row of a facts table, by column. Cells are text as in the file. */
type FactRow = Readonly<Record<string, string>>;

/** The reason why facts cannot express an override, in a sentence. */
interface LeftOut {
  overrideId: string;
  why: string;
}

/** The column of a table for each field that facts can express, in the order of the report's fields. */
const COLUMN_OF_FIELD: Readonly<Record<string, string>> = Object.fromEntries(
  REPORT_ENTRIES.flatMap(([path, { factColumn }]) => (factColumn === undefined ? [] : [[path, factColumn]])),
);

const DRIVES: ReadonlyMap<string, string> = new Map([
  ['Front-wheel drive', 'FWD'],
  ['Rear-wheel drive', 'RWD'],
  ['All-wheel drive', 'AWD'],
]);

/** Columns of an exported table, in order. */
const COLUMNS = [
  'positions',
  'code',
  'wmi',
  'from',
  'to',
  ...Object.values(COLUMN_OF_FIELD),
  'confidence',
  'source',
  'note',
];

/** Returns the source key of an override: the report that it was created for. */
function sourceKey({ reportId }: Pick<Override, 'reportId'>): string {
  return `REPORT-${reportId}`;
}

/**
 * Returns the row of a facts table that expresses an override; undefined if a row cannot express any of it.
 *
 * @param sources keys of the overrides that it replaces.
 */
function factRowOf(
  { id, scope, fields }: Pick<Override, 'id' | 'scope' | 'fields'>,
  sources: readonly string[],
): { row: FactRow | undefined; leftOut: LeftOut[] } {
  const { outputs, leftOut } = outputsOf(id, fields);
  if (Object.keys(outputs).length === 0) return { row: undefined, leftOut };
  const row = { ...placesOf(scope), ...outputs, confidence: 'B', source: sources.join('+'), note: '' };
  return { row, leftOut };
}

/** Returns the WMI that an override is for, as layouts name it. */
function wmiOf(scope: Scope): string {
  if (scope.kind === 'pattern') return scope.wmi;
  return scope.vin.charAt(2) === '9' ? scope.vin.slice(0, 3) + scope.vin.slice(11, 14) : scope.vin.slice(0, 3);
}

function outputsOf(overrideId: string, fields: OverrideFields): { outputs: FactRow; leftOut: LeftOut[] } {
  const outputs: Record<string, string> = {};
  const leftOut: LeftOut[] = [];
  for (const [field, value] of Object.entries(fields)) {
    const column = COLUMN_OF_FIELD[field];
    const cell = column === undefined || value === null ? undefined : cellOf(column, value);
    if (column !== undefined && cell !== undefined) outputs[column] = cell;
    else leftOut.push({ overrideId, why: reasonFor(field, value, column) });
  }
  if (outputs['body'] === undefined) delete outputs['body_label'];
  return { outputs, leftOut };
}

function reasonFor(field: string, value: FieldValue | null, column: string | undefined): string {
  if (column === undefined) return `${field} has no column in the tables of facts.`;
  if (value === null) return `${field} is left out by the correction: drop or change the row that says it.`;
  return `${field} cannot be "${String(value)}" in the tables of facts.`;
}

/** Returns a value as its column expresses it; undefined: the column cannot. */
function cellOf(column: string, value: FieldValue): string | undefined {
  const text = String(value);
  switch (column) {
    case 'body':
      return text === 'unknown' ? undefined : text;
    case 'fuel':
      return FUEL_TYPES.some((fuel) => fuel === text) ? text : undefined;
    case 'drive':
      return DRIVES.get(text);
    case 'transmission':
      return /^(?:Manual|Automatic)(?:, .+)?$/.test(text) ? text : undefined;
    default:
      return text;
  }
}

function placesOf(scope: Scope): FactRow {
  if (scope.kind === 'vin') return { positions: '4-17', code: scope.vin.slice(3), wmi: scope.vin.slice(0, 3) };
  const sets = positionsOf(scope);
  const fixed = sets.flatMap((set, index) => (set === undefined || index < 3 ? [] : [{ position: index + 1, set }]));
  const [from, to] = scope.years;
  const years = { ...(from === null ? {} : { from: String(from) }), ...(to === null ? {} : { to: String(to) }) };
  const wmi = scope.wmi.slice(0, 3);
  // A row needs positions: if the pattern fixes none, the row is for the WMI itself.
  if (fixed.length === 0) return { positions: '1-3', code: wmi, wmi, ...years };
  return {
    positions: ranges(fixed.map(({ position }) => position)),
    code: fixed.map(({ set }) => (set.length === 1 ? set : `[${set}]`)).join(''),
    wmi,
    ...years,
  };
}

/** Returns positions as tables write them: 4, 5, 6, 8 is "4-6+8". */
function ranges(positions: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const position of positions) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === position - 1) last[1] = position;
    else parts.push([position, position]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join('+');
}
