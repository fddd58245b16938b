import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

import { FACTS_ROOT } from '../root.ts';
import { csvRecords } from '../csv.ts';
import { type LayoutEntry, readLayouts } from './layouts.ts';
import { TableTrust, TABLE_TRUST, readTableTrust } from './table-trust.ts';
import type { VinLayout, WorldRow } from './model.ts';
import { FactsError, type Problem } from './problem.ts';
import { modelsOf, rowsOfModels } from './own-models.ts';
import { toWorldRows } from './rows.ts';
import { readTable, type ReadRow } from './table.ts';

/** The file of a maker's learned rows, beside the facts: rows, and layouts of WMIs that had none. */
export const LEARNED_TABLE = 'learned.csv';
export const LEARNED_LAYOUTS = 'learned.yaml';

function isLearned(file: string): boolean {
  return file === LEARNED_TABLE || file === LEARNED_LAYOUTS;
}

/**
 * Kinds of sources. `labelled`: cars whose data was given with them. `untraceable`: it was not recorded well enough for
 * others to find it, so it counts as general knowledge.
 */
export const SOURCE_KINDS = [
  'official',
  'document',
  'page',
  'repository',
  'labelled',
  'knowledge',
  'untraceable',
] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** All facts as read, before and after the rows without support were held back. */
export interface WorldFacts {
  layouts: VinLayout[];
  /** Every table with all of its rows, including those that may not answer. */
  tables: ReadonlyMap<string, readonly ReadRow[]>;
  /** The kind of each source, by its key. */
  sources: ReadonlyMap<string, SourceKind>;
  /** The rows that are held back for want of a confirmation, by their place. */
  held: ReadonlySet<string>;
}

/** Returns the folder of the world's facts. */
function worldFactsFolder(): string {
  return join(FACTS_ROOT, 'world');
}

/** The project's own layouts: they take seconds to read, and do not change while a program runs. */
let ownWorld: readonly VinLayout[] | undefined;

/**
 * Reads the layouts of makers outside North America with the rows that may answer.
 *
 * @param folder unset: the project's own facts, which are read once.
 * @throws FactsError that lists every fault in the files.
 */
export function loadWorld(folder?: string): readonly VinLayout[] {
  if (folder !== undefined) return readWorld(folder).layouts;
  ownWorld ??= readWorld().layouts;
  return ownWorld;
}

/**
 * Reads the facts, including rows that are held back.
 *
 * @throws FactsError that lists every fault in the files.
 */
export function readWorld(
  folder: string = worldFactsFolder(),
  which: 'answering' | 'unlearned' | 'all' = 'answering',
): WorldFacts {
  const problems: Problem[] = [];
  const note = <T extends { problems: Problem[] }>(read: T): T => {
    problems.push(...read.problems);
    return read;
  };
  const { sources } = note(readSources(join(folder, 'sources.csv')));
  const makers = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  const entries: { maker: string; entry: LayoutEntry }[] = [];
  const tables = new Map<string, ReadRow[]>();
  for (const maker of makers.toSorted()) {
    const files = readdirSync(join(folder, maker)).filter((name) => which !== 'unlearned' || !isLearned(name));
    for (const file of files.filter((name) => name.endsWith('.yaml'))) {
      const read = note(readLayouts(`${maker}/${file}`, readText(join(folder, maker, file))));
      for (const entry of read.entries) entries.push({ maker, entry });
    }
    for (const file of files.filter((name) => name.endsWith('.csv'))) {
      const name = `${maker}/${file}`;
      tables.set(name, note(readTable(name, readText(join(folder, maker, file)), sources)).rows);
    }
  }
  const trust = new TableTrust(readTableTrust(readText(join(folder, TABLE_TRUST))));
  const speaking = new Map<string, WorldRow[]>();
  const held = new Set<string>();
  for (const [name, rows] of tables) {
    const read = note(answeringRows(name, rows, which === 'all' ? undefined : trust));
    speaking.set(name, read.rows);
    for (const origin of read.held) held.add(origin);
  }
  const layouts = entries.map(({ maker, entry }) => note(toLayout(maker, entry, speaking)).layout);
  problems.push(...unusedTables(entries, tables));
  if (problems.length > 0) throw new FactsError(problems);
  return { layouts, tables, sources, held };
}

/** Returns the rows of a table that may answer. @param trust undefined: all rows answer */
function answeringRows(
  table: string,
  rows: readonly ReadRow[],
  trust: TableTrust | undefined,
): { rows: WorldRow[]; held: string[]; problems: Problem[] } {
  const read: WorldRow[] = [];
  const problems: Problem[] = [];
  const held: string[] = [];
  for (const row of rows) {
    try {
      const worldRows = toWorldRows(row);
      const carried = trust === undefined ? row.row : trust.carried(table, row.row);
      if (carried === row.row) read.push(...worldRows);
      else if (carried !== undefined) read.push(...toWorldRows({ origin: row.origin, row: carried }));
      else held.push(row.origin);
    } catch (error) {
      problems.push({ where: row.origin, what: error instanceof Error ? error.message : String(error) });
    }
  }
  return { rows: read, held, problems };
}

/** Returns the layout of a maker with those rows of its tables, by their names, that apply to it. */
export function toLayout(
  maker: string,
  entry: LayoutEntry,
  tables: ReadonlyMap<string, readonly WorldRow[]>,
): { layout: VinLayout; problems: Problem[] } {
  const problems: Problem[] = [];
  const rows: WorldRow[] = [];
  for (const name of tablesOf(maker, entry)) {
    const table = tables.get(name);
    if (table !== undefined) for (const row of table) if (holdsUnder(row, entry)) rows.push(row);
  }
  for (const file of entry.tables ?? []) {
    const name = posix.join(maker, file);
    if (!tables.has(name)) problems.push({ where: `${maker}/layouts.yaml`, what: `there is no table ${name}` });
  }
  const layout: VinLayout = {
    id: `${maker}/${entry.name}`,
    make: entry.make,
    wmis: entry.wmis,
    when: entry.when ?? [],
    whenCheckDigit: entry.when_check_digit ?? 'any',
    year: entry.year,
    years: [entry.years?.[0] ?? null, entry.years?.[1] ?? null],
    checkDigit: entry.check_digit,
    vehicleType: entry.vehicle_type,
    makeNeedsModel: entry.when === undefined || entry.make_needs === 'model',
    rows: entry.models === undefined ? rows : rowsOfModels(rows, entry.models),
  };
  for (const model of entry.models ?? []) {
    if (!rows.some((row) => modelsOf(row).includes(model)))
      problems.push({ where: `${maker}/layouts.yaml`, what: `no row of layout ${entry.name} has the model ${model}` });
  }
  return { layout, problems };
}

/** Returns the tables of a layout: its learned rows belong to it without being named. */
function tablesOf(maker: string, entry: LayoutEntry): string[] {
  return [...(entry.tables ?? []).map((file) => posix.join(maker, file)), posix.join(maker, LEARNED_TABLE)];
}

/** Returns true if a row applies to the layout, if it names a layout or a WMI: a table may serve several layouts. */
export function holdsUnder(
  row: WorldRow,
  { name, wmis }: Pick<LayoutEntry, 'name'> & Pick<VinLayout, 'wmis'>,
): boolean {
  if (row.layout !== undefined && row.layout !== name) return false;
  const wmi = row.pattern.slice(0, 3);
  return wmi.startsWith('.') || wmi.includes('[') || wmis.some((known) => known.startsWith(wmi));
}

function unusedTables(
  entries: readonly { maker: string; entry: LayoutEntry }[],
  tables: ReadonlyMap<string, unknown>,
): Problem[] {
  const used = new Set(entries.flatMap(({ maker, entry }) => tablesOf(maker, entry)));
  return [...tables.keys()]
    .filter((name) => !used.has(name))
    .map((name) => ({ where: name, what: 'no layout uses this table: name it in a layouts.yaml' }));
}

function readSources(file: string): { sources: Map<string, SourceKind>; problems: Problem[] } {
  const sources = new Map<string, SourceKind>();
  const problems: Problem[] = [];
  for (const [index, { key = '', kind: text }] of csvRecords(readText(file), 'sources.csv').entries()) {
    const kind = SOURCE_KINDS.find((known) => known === text);
    if (kind === undefined) {
      problems.push({ where: `sources.csv:${index + 2}`, what: `"${text}" is none of ${SOURCE_KINDS.join(', ')}` });
    } else sources.set(key, kind);
  }
  return { sources, problems };
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
