import type { TableRow } from './columns.ts';
import { parseCsv } from './csv.ts';
import type { Problem } from './problem.ts';

/** What a row says, as against where and how surely it says it. */
const SAYING = new Set<string>([
  'make',
  'model',
  'model_code',
  'generation',
  'trim',
  'body',
  'body_label',
  'doors',
  'vehicle_type',
  'fuel',
  'engine',
  'engine_code',
  'cylinders',
  'cc',
  'kw',
  'battery_kwh',
  'drive',
  'transmission',
  'emissions',
  'market',
  'plant_city',
  'plant_country',
  'model_year',
]);

/** By table ("honda/types.csv"): the columns whose thin rows something independent bears out. */
export type Agreements = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads `agreements.csv`: `table,columns,reason`. A line lets the rows of confidence C and G of a whole table answer in
 * these columns, because a sample or a rule that the reason names bears them out.
 */
export function readAgreements(name: string, text: string): { agreements: Agreements; problems: Problem[] } {
  const agreements = new Map<string, Set<string>>();
  const problems: Problem[] = [];
  for (const { line, cells } of parseCsv(text).rows) {
    const [table = '', columns = '', reason = ''] = cells;
    const where = `${name}:${line}`;
    if (reason === '') problems.push({ where, what: 'the reason is missing: say what bears these rows out' });
    for (const column of columns.split('+')) {
      if (!SAYING.has(column)) problems.push({ where, what: `"${column}" is no column that says something` });
      let known = agreements.get(table);
      if (known === undefined) agreements.set(table, (known = new Set()));
      known.add(column);
    }
  }
  return { agreements, problems };
}

/**
 * The part of a row that may answer: all of it from confidence A or B, or where it names what agrees; else the columns
 * that an agreement on its table bears out. Undefined when nothing is left.
 */
export function answering(row: TableRow, borneOut: ReadonlySet<string> | undefined): TableRow | undefined {
  if (row.confidence === 'A' || row.confidence === 'B' || row.agreed !== undefined) return row;
  if (borneOut === undefined) return undefined;
  const kept = { ...row };
  let says = false;
  for (const column of SAYING) {
    if (!(column in kept)) continue;
    if (borneOut.has(column)) says = true;
    else Reflect.deleteProperty(kept, column);
  }
  return says ? kept : undefined;
}
