import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { csvRecords } from '../../csv.ts';
import { FACTS_ROOT, PROJECT_ROOT } from '../../root.ts';
import { SPEC_COLUMNS } from '../../specs/columns.ts';
import { readWorld } from '../../world/load.ts';

/** The page that `npm run sources` writes. */
export const SOURCES_PAGE = join(PROJECT_ROOT, 'docs', 'sources.md');

/** A source of facts with what rests on it. */
export interface SourceUse {
  key: string;
  kind: string;
  licence: string;
  /** Its full name, and where it can be opened. */
  where: string;
  /** Rows that name it, and those that name no other source beside general knowledge. */
  rows: number;
  alone: number;
  /** The fields of these rows, in the words of the reports, in alphabetical order. */
  fields: readonly string[];
}

/** The sources of one part of the facts. */
export interface SourceList {
  title: string;
  about: string;
  sources: readonly SourceUse[];
  /** Sources that rows name and the list does not have. */
  unknown: readonly string[];
}

interface Row {
  keys: readonly string[];
  fields: readonly string[];
}

/** Returns all sources of the facts in this repository, by part. */
export function sourceLists(): SourceList[] {
  return [worldSources(), specSources(), wmiSources()];
}

/** Names on the page of the columns of the tables of codes. */
const WORLD_FIELDS: Readonly<Record<string, string>> = {
  make: 'make',
  model: 'model',
  model_code: 'model code',
  generation: 'generation',
  trim: 'trim',
  body: 'body',
  body_label: 'body',
  doors: 'body',
  fuel: 'fuel',
  engine: 'engine',
  engine_code: 'engine',
  cylinders: 'engine',
  cc: 'displacement',
  kw: 'power',
  battery_kwh: 'battery',
  drive: 'drive',
  transmission: 'gearbox',
  emissions: 'emissions',
  plant_city: 'plant',
  plant_country: 'plant',
  model_year: 'year',
};

function worldSources(): SourceList {
  const rows = [...readWorld().tables.values()].flat().map(({ row }): Row => ({
    keys: row.source.split('+'),
    fields: Object.keys(row).flatMap((column) => WORLD_FIELDS[column] ?? []),
  }));
  return {
    title: 'Codes of VINs outside North America',
    about: 'The tables under `catalog/facts/world`.',
    ...uses(readList('world/sources.csv'), rows),
  };
}

function wmiSources(): SourceList {
  const rows = readList('wmi.csv').map(({ source = '', ...row }): Row => {
    const fields = ['make', 'manufacturer', 'country', 'vehicle_type'].filter((name) => (row[name] ?? '') !== '');
    return { keys: source.split('+'), fields: fields.map((name) => name.replace('_', ' ')) };
  });
  return {
    title: 'World manufacturer identifiers',
    about: '`catalog/facts/wmi.csv`.',
    ...uses(readList('wmi-sources.csv'), rows),
  };
}

const DRIVE_CODES = {
  key: 'drive-codes',
  kind: 'knowledge',
  licence: 'CC0-1.0',
  where: 'Marque contributors: which character of a VIN tells the driven wheels; 352 of 352 labeled VINs agree',
} as const;

/** Returns tables of specifications, each as one source. */
function specSources(): SourceList {
  const sources = readList('specs/sources.csv').map((source): SourceUse => {
    const { id = '', title = '', publisher = '', url = '', kind = '', licence = '' } = source;
    const rows = readList(`specs/${id}.csv`);
    const fields = Object.keys(SPEC_COLUMNS).filter(
      (name) => !NARROWING.has(name) && rows.some((row) => (row[name] ?? '') !== ''),
    );
    const where = `${publisher}: ${title}${url === '' ? '' : `. ${url}`}`;
    return { key: id, kind, licence, where, rows: rows.length, alone: rows.length, fields: fields.toSorted() };
  });
  const codes = readList('specs/drive-codes.csv').length;
  sources.push({ ...DRIVE_CODES, rows: codes, alone: codes, fields: ['drive'] });
  return {
    title: 'Specifications',
    about: 'The tables under `catalog/facts/specs`, one a source.',
    sources,
    unknown: [],
  };
}

/** Columns that identify the car of a row, and contain no figure. */
const NARROWING: ReadonlySet<string> = new Set(['make', 'model', 'badge', 'generation', 'vin', 'from', 'to', 'body']);

function uses(list: Record<string, string>[], rows: readonly Row[]): Pick<SourceList, 'sources' | 'unknown'> {
  const knowledge = new Set(list.filter(({ kind }) => kind === 'knowledge').map(({ key }) => key));
  const byKey = Map.groupBy(
    rows.flatMap(({ keys, fields }) => keys.map((key) => ({ key, keys, fields }))),
    ({ key }) => key,
  );
  const sources = list.map(({ key = '', kind = '', licence = '', where = '' }): SourceUse => {
    const own = byKey.get(key) ?? [];
    const alone = own.filter(({ keys }) => keys.every((other) => other === key || knowledge.has(other)));
    const fields = [...new Set(own.flatMap((row) => row.fields))].toSorted();
    return { key, kind, licence, where, rows: own.length, alone: alone.length, fields };
  });
  const listed = new Set(list.map(({ key }) => key));
  return { sources, unknown: [...byKey.keys()].filter((key) => !listed.has(key)) };
}

function readList(file: string): Record<string, string>[] {
  return csvRecords(readFileSync(join(FACTS_ROOT, file), 'utf8'), file);
}
