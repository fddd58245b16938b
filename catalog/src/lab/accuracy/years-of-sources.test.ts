import { type Explanation, openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { openNpmPackage } from '../../../sources/vpic/npm-package.ts';
import { readVpicTables } from '../../../sources/vpic/read-npm-package.ts';
import { catalogFile } from '../../root.ts';
import { loadSpecs } from '../../specs/load.ts';
import { vinsOutsideSchemas } from '../../testing/filed-vins.ts';
import { randomFrom } from '../../testing/random.ts';

/** A VIN may be of a model year two years ahead. */
const LATEST = 2028;
/** One use of a schema of so many is read. MARQUE_ROWS=all reads each. */
const ONE_OF = process.env['MARQUE_ROWS'] === 'all' ? 1 : 16;

/** "Volvo 7 (from 2017) · ......A": a row of NHTSA's, as an explanation has it. */
const SCHEMA_ROW = /^(?<schema>.+) \(from \d+\) · /;

interface Span {
  from: number;
  to: number;
}

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });
const database = openNpmPackage();
const tables = readVpicTables(database);
database.close();
const { sources } = loadSpecs();

/** The years in which NHTSA uses a schema with a WMI, by "WMI schema". */
const uses = new Map<string, Span[]>();
const wmis = new Map(tables.wmis.map(({ id, wmi }) => [id, wmi]));
for (const { wmiId, schemaId, yearFrom, yearTo } of tables.links) {
  add(uses, `${wmis.get(wmiId)} ${tables.schemas.get(schemaId)}`, { from: yearFrom, to: yearTo ?? LATEST });
}

/** The years of the rows that a table has of a family, by "title|make|model". */
const rowsOf = new Map<string, Span[]>();
for (const { title, rows } of sources) {
  for (const { make, model, from, to } of rows) add(rowsOf, `${title}|${make}|${model}`, { from, to });
}
const titles = new Set(sources.map(({ title }) => title));

function add(spans: Map<string, Span[]>, key: string, span: Span): void {
  const known = spans.get(key) ?? [];
  spans.set(key, known);
  known.push(span);
}

/** Returns true if spans are known, and none holds a year; `slack` years beside them count. */
function isOutside(spans: readonly Span[], year: number, slack: number): boolean {
  return spans.length > 0 && !spans.some(({ from, to }) => year >= from - slack && year <= to + slack);
}

/** Returns the rows and tables that an explanation gives for a value, although they exclude the model year of the report. */
function strays(vin: string, { report, fields }: Explanation): string[] {
  const { manufacturer = '', model = '', modelYear } = report;
  if (modelYear === undefined) return [];
  const year = Number(modelYear);
  const used = fields.flatMap((field) => field.rows);
  const filed = used.filter(({ source, row }) => {
    const schema = source === 'vPIC' ? SCHEMA_ROW.exec(row)?.groups?.['schema'] : undefined;
    const starts = [vin.slice(0, 3), vin.slice(0, 3) + vin.slice(11, 14)];
    return isOutside(schema === undefined ? [] : starts.flatMap((wmi) => uses.get(`${wmi} ${schema}`) ?? []), year, 0);
  });
  // A list may lack a year between two others, and a generation's first cars are of the model year before or after.
  const listed = used.filter(({ source }) => {
    const names = titles.has(source) ? [model, ...model.split(' / ')] : [];
    return isOutside(
      names.flatMap((name) => rowsOf.get(`${source}|${manufacturer}|${name}`) ?? []),
      year,
      1,
    );
  });
  return [...new Set([...filed.map(({ row }) => row), ...listed.map(({ source }) => source)])];
}

test('no schema of NHTSA and no row of specifications answers outside its years', { timeout: 300_000 }, () => {
  const wrong: string[] = [];
  let [dated, measured] = [0, 0];
  for (const { vin, year } of vinsOutsideSchemas(tables, LATEST, randomFrom(20_261_128), ONE_OF)) {
    if (/[IOQ]/.test(vin)) continue;
    const explanation = decoder.explain(vin);
    const { report } = explanation;
    if (report.modelYear !== undefined) dated++;
    if (report.modelYear !== undefined && report.technicalSpecs !== undefined) measured++;
    for (const stray of strays(vin, explanation)) wrong.push(`${vin} of ${year}: ${stray}`);
  }
  expect(wrong).toEqual([]);
  expect(Math.min(dated, measured)).toBeGreaterThan(100);
});
