import type { TableRow } from '../../world/columns.ts';
import type { YearRule } from '../../world/model.ts';
import type { LearnedField } from './fields.ts';
import { type LearnedRule, YEARS_BESIDE } from './search.ts';

/** The source of learned rows in sources.csv. */
export const LEARNED_SOURCE = 'LEARNED';

const COLUMN = {
  make: 'make',
  model: 'model',
  generation: 'generation',
  body: 'body',
  fuelType: 'fuel',
  displacementCc: 'cc',
  powerKw: 'kw',
  driveType: 'drive',
  transmission: 'transmission',
} as const satisfies Record<LearnedField, keyof TableRow>;

const NUMERIC: ReadonlySet<LearnedField> = new Set(['displacementCc', 'powerKw']);

/**
 * Converts a rule to a row of a table.
 *
 * @param layout the name of its layout, and the layout's own values
 */
export function toTableRow(
  rule: LearnedRule,
  layout: string,
  { make: layoutMake, year }: { make?: string | undefined; year: YearRule },
): TableRow {
  const wmiOnly = rule.positions.length === 0;
  const [first, last] = rule.years ?? [];
  // Without a year in the VIN, a window of years would be taken for one.
  const dated = year !== 'none' && first !== undefined && last !== undefined;
  const make = rule.field === 'model' && rule.make !== layoutMake ? rule.make : undefined;
  return {
    layout,
    positions: wmiOnly ? '1-3' : positionsCell(rule.positions),
    code: wmiOnly ? (rule.wmi ?? '...') : rule.code,
    ...(!wmiOnly && rule.wmi !== undefined && { wmi: rule.wmi }),
    ...(dated && { from: first - YEARS_BESIDE, to: last + YEARS_BESIDE }),
    ...(make !== undefined && { make }),
    [COLUMN[rule.field]]: NUMERIC.has(rule.field) ? Number(rule.value) : rule.value,
    confidence: 'B',
    source: LEARNED_SOURCE,
    vins: rule.cars,
    groups: rule.groups,
    against: rule.against,
  };
}

/** Returns positions from 0 as a cell: 3, 4, 6 is "4-5+7". */
export function positionsCell(positions: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const at of positions) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === at) run[1] = at + 1;
    else runs.push([at + 1, at + 1]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join('+');
}
