import type { SpecColumnName } from './spec-columns.ts';
import type { WorldField } from './world-fields.ts';
import type { Draft } from './draft.ts';
import type { Tolerance } from './tolerance.ts';

/** The rule by which tables of specifications and type approvals fill a field. */
export interface SpecRule {
  /** The tables' column. */
  column: SpecColumnName;
  /** The largest difference of all variants, for numbers. */
  tolerance?: Tolerance;
  /** A variant whose value no source gives: blocks the answer, or does not if most variants have one. */
  unknown: 'blocks' | 'minority';
  /** A factor for a table's whole number. */
  factor?: number;
}

/** The source of a field's value. */
export interface SettledField {
  /** Its name in a draft; absent if the VIN itself contains it, or several values make it. */
  draft?: keyof Draft;
  /** vPIC's elements of the field, in the order of their precedence. */
  elements?: readonly number[];
  /** The field of the world's facts. */
  world?: WorldField;
  specs?: SpecRule;
}

/** One field of a report: all that anything needs to know to copy, write, show, explain, correct or export it. */
export interface ReportField extends SettledField {
  kind: 'text' | 'number' | 'boolean' | 'list';
  /** A sentence for schemas. */
  description: string;
  example?: string | number;
  /** Pages show the field under this; absent: they draw the VIN's segments in another way. */
  label?: string;
  unit?: string;
  /** Its column in the tables of facts, which accepted corrections are exported to. */
  factColumn?: string;
}

/** Makes a rule by which one variant without a value blocks the answer. */
export const blocked = (column: SpecRule['column'], tolerance?: Tolerance): SpecRule =>
  tolerance === undefined ? { column, unknown: 'blocks' } : { column, tolerance, unknown: 'blocks' };

/** Makes a rule by which most variants need a value. */
export const common = (column: SpecRule['column'], tolerance?: Tolerance): SpecRule =>
  tolerance === undefined ? { column, unknown: 'minority' } : { column, tolerance, unknown: 'minority' };
