import { lowerBound } from '../../bound.ts';
import { TableTrust, type TableRecord } from '../../world/table-trust.ts';
import type { LeftOut, LoneRow } from './lone-rows.ts';
import type { HeldRow } from './tables.ts';

/** Returns the share of right answers of each table, as Markdown, the least sure first. */
export function tableOfRecords(records: readonly TableRecord[]): string {
  const trust = new TableTrust(records);
  const rows = records
    .map((record) => ({ record, bound: lowerBound(record.right, record.count) }))
    .toSorted((a, b) => a.bound - b.bound)
    .map(({ record, bound }) => {
      const { table, origin, part, right, count } = record;
      const refuted = trust.refutes(record) && origin !== 'published' ? 'held back' : '';
      return `| ${table} | ${origin} | ${part} | ${count} | ${percent(right / count)} | ${percent(bound)} | ${refuted} |`;
    });
  return ['| table | origin | says | answers | right | at least | |', '|---|---|---|--:|--:|--:|---|', ...rows].join(
    '\n',
  );
}

/** Returns rows with the answers that labeled groups confirm and contradict. */
export function tableOfRows(rows: readonly HeldRow[]): string {
  const sorted = rows.toSorted((a, b) => b.right + b.wrong - a.right - a.wrong || (a.row < b.row ? -1 : 1));
  return [
    '| row | right | wrong |',
    '|---|--:|--:|',
    ...sorted.map(({ row, right, wrong }) => `| ${row} | ${right} | ${wrong} |`),
  ].join('\n');
}

/** Returns the lone rows, and the labeled cars whose model changes without those of a source, as Markdown. */
export function tableOfLone(lone: readonly LoneRow[], changed: readonly LeftOut[]): string {
  const rows = lone.map(
    ({ row, reason, others }) =>
      `| ${row.origin} | ${row.pattern} | ${row.outputs.model} | ${row.source} | ${reason} | ${others.join(', ')} |`,
  );
  const cars = changed.map(
    ({ source, vin, label, before, after, change }) =>
      `| ${source} | ${vin} | ${label} | ${before} | ${after} | ${change} |`,
  );
  const counts = [...Map.groupBy(changed, ({ source, change }) => `${source} | ${change}`)].map(
    ([name, { length }]) => `| ${name} | ${length} |`,
  );
  return [
    `${lone.length} rows`,
    '',
    '| row | code | model | source | reason | one character apart |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '| without the rows of | change | cars |',
    '|---|---|--:|',
    ...counts.toSorted(),
    '',
    '| without the rows of | VIN | label | model | model without | change |',
    '|---|---|---|---|---|---|',
    ...cars.toSorted(),
  ].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
