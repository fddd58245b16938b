import { type Explanation, openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';
import { loadSpecs } from '../../specs/load.ts';
import { vinsOutsideSchemas } from '../../testing/filed-vins.ts';
import { packagedTables } from '../../testing/packaged-tables.ts';
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
const tables = packagedTables();
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

/** Rows and tables whose years are known, with the number of years beside them that count. */
interface Dated {
  name: string;
  spans: Span[];
  slack: number;
}

/** Returns NHTSA's rows that an explanation gives for a value, with the years in which NHTSA uses their schemas. */
function filedRows(vin: string, { fields }: Explanation): Dated[] {
  const starts = [vin.slice(0, 3), vin.slice(0, 3) + vin.slice(11, 14)];
  return fields.flatMap((field) =>
    field.rows.flatMap(({ source, row }) => {
      const schema = source === 'vPIC' ? SCHEMA_ROW.exec(row)?.groups?.['schema'] : undefined;
      const spans = schema === undefined ? [] : starts.flatMap((wmi) => uses.get(`${wmi} ${schema}`) ?? []);
      return spans.length > 0 ? [{ name: row, spans, slack: 0 }] : [];
    }),
  );
}

/**
 * Returns the tables of specifications that an explanation gives for a value, with the years of their rows. A list may
 * lack a year between two others, and a generation's first cars are of the model year before or after.
 */
function listedTables({ report: { manufacturer = '', model = '' }, fields }: Explanation): Dated[] {
  return fields.flatMap((field) =>
    field.rows.flatMap(({ source }) => {
      const names = titles.has(source) ? [model, ...model.split(' / ')] : [];
      const spans = names.flatMap((name) => rowsOf.get(`${source}|${manufacturer}|${name}`) ?? []);
      return spans.length > 0 ? [{ name: source, spans, slack: 1 }] : [];
    }),
  );
}

/** Returns the names of rows and tables none of whose years is the given one. */
function strays(dated: readonly Dated[], year: number): string[] {
  const outside = dated.filter(
    ({ spans, slack }) => !spans.some(({ from, to }) => year >= from - slack && year <= to + slack),
  );
  return [...new Set(outside.map(({ name }) => name))];
}

test('no schema of NHTSA and no row of specifications answers outside its years', { timeout: 300_000 }, () => {
  const wrong: string[] = [];
  let [filed, listed] = [0, 0];
  for (const { vin, year } of vinsOutsideSchemas(tables, LATEST, randomFrom(20_261_128), ONE_OF)) {
    if (/[IOQ]/.test(vin)) continue;
    const explanation = decoder.explain(vin);
    const { modelYear } = explanation.report;
    if (modelYear === undefined) continue;
    const [rows, lists] = [filedRows(vin, explanation), listedTables(explanation)];
    filed += rows.length;
    listed += lists.length;
    for (const stray of strays([...rows, ...lists], Number(modelYear))) wrong.push(`${vin} of ${year}: ${stray}`);
  }
  expect(wrong).toEqual([]);
  // Renamed sources would leave nothing to compare.
  expect(filed, 'rows of NHTSA').toBeGreaterThan(100);
  expect(listed, 'tables of specifications').toBeGreaterThan(100);
});
