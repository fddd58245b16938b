import { coverageSummary } from './coverage-table.ts';
import { lowerCell } from './print.ts';
import type { Field } from '../../labels/compare.ts';
import { type Scored, tally } from './tally.ts';

/** Titles in the README of the sets that it shows, by the names of their files. */
const TITLES: Readonly<Record<string, string>> = {
  na: 'North America',
  'na-ads': 'North America, car ads',
  world: 'Worldwide',
  'world-ads': 'Worldwide, car ads',
  'world-detail': 'Worldwide, with engines',
  'world-heavy': 'Trucks, buses, motorcycles',
  brazil: 'Brazil',
  'europe-2026': 'Europe, newer ads',
  'new-cars': 'Cars since 2024, and elsewhere',
};

const COLUMNS: readonly (readonly [title: string, field: Field])[] = [
  ['make', 'manufacturer'],
  ['model', 'model'],
  ['year', 'modelYear'],
  ['body', 'body'],
  ['fuel', 'fuelType'],
];

/** Fewer labels say little about a field. */
const FEWEST_LABELS = 100;

const [BEGIN, END] = ['<!-- Written by `npm run accuracy` -->', '<!-- End of what it wrote -->'];
const BEGIN_COVERAGE = '<!-- Written by `npm run accuracy -- --coverage` -->';

/** Returns the README with a table of these sets, % answered and right in each cell, in the place of the one it has. */
export function withFigures(readme: string, sets: ReadonlyMap<string, Measured>): string {
  return withBlock(readme, BEGIN, tableOf(sets));
}

/** Returns the README with a table of the % of these cars that have each field, in the place of the one it has. */
export function withCoverage(readme: string, scored: readonly Scored[]): string {
  const { head, rows } = coverageSummary(scored);
  return withBlock(readme, BEGIN_COVERAGE, alignedTable(head, rows));
}

function withBlock(readme: string, beginning: string, table: string): string {
  const begin = readme.indexOf(beginning);
  const end = readme.indexOf(END, begin);
  if (begin < 0 || end < begin)
    throw new Error(`The README has no place for figures, between ${beginning} and ${END}.`);
  return `${readme.slice(0, begin)}${beginning}\n\n${table}\n\n${readme.slice(end)}`;
}

/** A set's decoded VINs, once for each way of leaving out: the lower share of each figure is shown. */
export type Measured = readonly (readonly Scored[])[];

function tableOf(sets: ReadonlyMap<string, Measured>): string {
  const head = ['VINs', 'how many', ...COLUMNS.map(([title]) => title)];
  const rows = Object.entries(TITLES).flatMap(([name, title]) => {
    const measured = sets.get(name);
    return measured === undefined ? [] : [rowOf(title, measured)];
  });
  return alignedTable(head, rows);
}

function alignedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((text, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? text.length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

function rowOf(title: string, measured: Measured): string[] {
  const counts = measured.map((scored) => tally(scored));
  const cells = COLUMNS.map(([, field]) => {
    const own = counts.map((count) => count[field]);
    if (own.some(({ labeled }) => labeled < FEWEST_LABELS)) return '';
    return lowerCell(own, 1).replaceAll(' %', '');
  });
  return [title, (measured[0]?.length ?? 0).toLocaleString('en-US'), ...cells];
}
