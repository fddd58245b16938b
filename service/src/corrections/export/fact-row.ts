import { FUEL_TYPES } from '@marque/catalog/values';
import { REPORT_ENTRIES } from '@marque/decoder';

import { positionsOf } from '../scope.ts';
import type { FieldValue, Override, OverrideFields, Scope } from '../types.ts';

/** A row of a facts table, by column. Cells are text as the file holds it. */
export type FactRow = Readonly<Record<string, string>>;

/** What facts cannot express of an override, in a sentence. */
export interface LeftOut {
  overrideId: string;
  why: string;
}

/** The column of a table for each field that facts can hold, in the order of the report's fields. */
const COLUMN_OF_FIELD: Readonly<Record<string, string>> = Object.fromEntries(
  REPORT_ENTRIES.flatMap(([path, { factColumn }]) => (factColumn === undefined ? [] : [[path, factColumn]])),
);

const DRIVES: Readonly<Record<string, string>> = {
  'Front-wheel drive': 'FWD',
  'Rear-wheel drive': 'RWD',
  'All-wheel drive': 'AWD',
};

/** Columns of an exported table, in order. */
export const COLUMNS = [
  'positions',
  'code',
  'wmi',
  'from',
  'to',
  ...Object.values(COLUMN_OF_FIELD),
  'confidence',
  'source',
  'note',
];

/** The source key of an override: the report that it was created for. */
export function sourceKey({ reportId }: Pick<Override, 'reportId'>): string {
  return `REPORT-${reportId}`;
}

/**
 * The row of a facts table that expresses an override; undefined if a row cannot express any of it.
 *
 * @param sources keys of the overrides that it replaces.
 */
export function factRowOf(
  { id, scope, fields }: Pick<Override, 'id' | 'scope' | 'fields'>,
  sources: readonly string[],
): { row: FactRow | undefined; leftOut: LeftOut[] } {
  const { outputs, leftOut } = outputsOf(id, fields);
  if (Object.keys(outputs).length === 0) return { row: undefined, leftOut };
  const row = { ...placesOf(scope), ...outputs, confidence: 'B', source: sources.join('+'), note: '' };
  return { row, leftOut };
}

/** The WMI that an override is for, as layouts name it. */
export function wmiOf(scope: Scope): string {
  if (scope.kind === 'pattern') return scope.wmi;
  return scope.vin.charAt(2) === '9' ? scope.vin.slice(0, 3) + scope.vin.slice(11, 14) : scope.vin.slice(0, 3);
}

function outputsOf(overrideId: string, fields: OverrideFields): { outputs: FactRow; leftOut: LeftOut[] } {
  const outputs: Record<string, string> = {};
  const leftOut: LeftOut[] = [];
  for (const [field, value] of Object.entries(fields)) {
    const column = COLUMN_OF_FIELD[field];
    const cell = column === undefined || value === null ? undefined : cellOf(column, value);
    if (column !== undefined && cell !== undefined) outputs[column] = cell;
    else leftOut.push({ overrideId, why: reasonFor(field, value, column) });
  }
  if (outputs['body'] === undefined) delete outputs['body_label'];
  return { outputs, leftOut };
}

function reasonFor(field: string, value: FieldValue | null, column: string | undefined): string {
  if (column === undefined) return `${field} has no column in the tables of facts.`;
  if (value === null) return `${field} is left out by the correction: drop or change the row that says it.`;
  return `${field} cannot be "${String(value)}" in the tables of facts.`;
}

/** A value as the column holds it; undefined: the column cannot. */
function cellOf(column: string, value: FieldValue): string | undefined {
  const text = String(value);
  switch (column) {
    case 'body':
      return text === 'unknown' ? undefined : text;
    case 'fuel':
      return FUEL_TYPES.some((fuel) => fuel === text) ? text : undefined;
    case 'drive':
      return DRIVES[text];
    case 'transmission':
      return /^(?:Manual|Automatic)(?:, .+)?$/.test(text) ? text : undefined;
    default:
      return text;
  }
}

function placesOf(scope: Scope): FactRow {
  if (scope.kind === 'vin') return { positions: '4-17', code: scope.vin.slice(3), wmi: scope.vin.slice(0, 3) };
  const sets = positionsOf(scope);
  const fixed = sets.flatMap((set, index) => (set === undefined || index < 3 ? [] : [{ position: index + 1, set }]));
  const [from, to] = scope.years;
  const years = { ...(from === null ? {} : { from: String(from) }), ...(to === null ? {} : { to: String(to) }) };
  const wmi = scope.wmi.slice(0, 3);
  // A row needs positions: if the pattern fixes none, the row is for the WMI itself.
  if (fixed.length === 0) return { positions: '1-3', code: wmi, wmi, ...years };
  return {
    positions: ranges(fixed.map(({ position }) => position)),
    code: fixed.map(({ set }) => (set.length === 1 ? set : `[${set}]`)).join(''),
    wmi,
    ...years,
  };
}

/** Positions as tables write them: 4, 5, 6, 8 is "4-6+8". */
function ranges(positions: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const position of positions) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === position - 1) last[1] = position;
    else parts.push([position, position]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join('+');
}
