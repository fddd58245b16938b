import { writeFileSync } from 'node:fs';

import { csvLine } from '../../src/csv.ts';
import { SPEC_COLUMNS, type SpecColumn, type SpecRow } from '../../src/specs/columns.ts';

const COLUMNS = Object.keys(SPEC_COLUMNS) as SpecColumn[];

/**
 * Merges rows of one year each to rows over spans of years: equal rows of consecutive years become one. Doubles go.
 * Sorted, so that the same source gives the same file.
 */
export function mergeYears(rows: readonly SpecRow[]): SpecRow[] {
  const spans = new Map<string, { row: SpecRow; years: Set<number> }>();
  for (const row of rows) {
    const key = COLUMNS.map((name) => (name === 'from' || name === 'to' ? '' : (row[name] ?? ''))).join('\u0000');
    const span = spans.get(key) ?? { row, years: new Set() };
    spans.set(key, span);
    for (let year = row.from; year <= row.to; year++) span.years.add(year);
  }
  const merged: { key: string; row: SpecRow }[] = [];
  for (const [key, { row, years }] of spans) {
    const sorted = [...years].toSorted((a, b) => a - b);
    let from = sorted[0] ?? 0;
    for (const [index, year] of sorted.entries()) {
      if (sorted[index + 1] === year + 1) continue;
      merged.push({ key, row: { ...row, from, to: year } });
      from = sorted[index + 1] ?? 0;
    }
  }
  return merged.toSorted((a, b) => compare(a.key, b.key) || a.row.from - b.row.from).map(({ row }) => row);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Writes a table of facts/specs with the columns that any row has. */
export function writeTable(file: string | URL, rows: readonly SpecRow[]): void {
  const columns = COLUMNS.filter((name) => rows.some((row) => row[name] !== undefined));
  const lines = rows.map((row) => csvLine(columns.map((name) => row[name])));
  writeFileSync(file, `${[columns.join(','), ...lines].join('\n')}\n`);
}
