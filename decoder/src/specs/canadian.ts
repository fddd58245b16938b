import { SPEC_FIRST_YEAR } from '../report/spec-columns.ts';
import type { SpecTable } from './table.ts';
import type { SpecTables } from './tables.ts';

/** A query of Transport Canada's list; names by any part of them, in any case. */
export interface CanadianQuery {
  year: number;
  make: string;
  model: string;
}

/** One car of Transport Canada's list. Zero: unknown. */
export interface CanadianSpec {
  make: string;
  model: string;
  /** The words that distinguish it from others of its model. */
  badge: string;
  body: string;
  lengthMm: number;
  widthMm: number;
  heightMm: number;
  wheelbaseMm: number;
  curbWeightKg: number;
}

/**
 * Returns the cars of Transport Canada's list in a model year, by make and model, with the title of the table that has
 * them.
 */
export function canadianSpecs(tables: SpecTables, query: CanadianQuery): { source: string; specs: CanadianSpec[] } {
  // Imported tables come before the packaged one.
  const table = tables.tables.find((known) => known.isCanadian && hasYear(known, query.year - SPEC_FIRST_YEAR));
  if (table === undefined) return { source: '', specs: [] };
  const [make, model] = [query.make.trim().toLowerCase(), query.model.trim().toLowerCase()];
  const specs: CanadianSpec[] = [];
  for (const [key, family] of tables.families()) {
    if (!family.make.toLowerCase().includes(make) || !family.model.toLowerCase().includes(model)) continue;
    const end = table.rows[key + 1] ?? 0;
    for (let row = table.rows[key] ?? 0; row < end; row++) {
      const [from, to] = [table.columns.from[row] ?? 0, table.columns.to[row] ?? 0];
      const year = query.year - SPEC_FIRST_YEAR;
      if (from <= year && year <= to) specs.push(specOf(tables, table, row, family));
    }
  }
  return { source: table.title, specs };
}

function hasYear({ columns }: SpecTable, year: number): boolean {
  return columns.from.some((from, row) => from <= year && year <= (columns.to[row] ?? 0));
}

function specOf(
  tables: SpecTables,
  { columns }: SpecTable,
  row: number,
  { make, model }: { make: string; model: string },
): CanadianSpec {
  return {
    make,
    model,
    badge: tables.word(columns.badge[row] ?? 0),
    body: tables.word(columns.body[row] ?? 0),
    lengthMm: columns.lengthMm[row] ?? 0,
    widthMm: columns.widthMm[row] ?? 0,
    heightMm: columns.heightMm[row] ?? 0,
    wheelbaseMm: columns.wheelbaseMm[row] ?? 0,
    curbWeightKg: columns.curbKg[row] ?? 0,
  };
}
