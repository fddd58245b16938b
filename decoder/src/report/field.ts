import type { SpecColumnName } from './spec-columns.ts';
import type { WorldField } from './world-fields.ts';
import type { Draft } from './draft.ts';
import type { Tolerance } from './tolerance.ts';

/** How tables of specifications and type approvals fill a field. */
export interface SpecRule {
  /** The tables' column. */
  column: SpecColumnName;
  /** How near the values of all variants must be, for numbers. */
  tolerance?: Tolerance;
  /** A variant whose value no source gives: blocks the answer, or does not if most variants have one. */
  unknown: 'blocks' | 'minority';
  /** What a table's whole number is multiplied by. */
  factor?: number;
}

/** Where a field's value is settled, and from what. */
export interface SettledField {
  /** Its name in a draft; absent where the VIN itself holds it, or several values make it. */
  draft?: keyof Draft;
  /** vPIC's elements that tell it, the first that counts first. */
  elements?: readonly number[];
  /** The field of the world's facts. */
  world?: WorldField;
  specs?: SpecRule;
}

/** One field of a report: all that anything needs to know to copy, write, show, explain, correct or export it. */
export interface ReportField extends SettledField {
  kind: 'text' | 'number' | 'boolean' | 'list';
  /** For schemas: a sentence. */
  description: string;
  example?: string | number;
  /** Pages show the field under this; absent: they draw the VIN's segments in another way. */
  label?: string;
  unit?: string;
  /** Its column in the tables of facts, which accepted corrections are exported to. */
  factColumn?: string;
}

/** A rule by which one variant without a value blocks the answer. */
export const blocked = (column: SpecRule['column'], tolerance?: Tolerance): SpecRule =>
  tolerance === undefined ? { column, unknown: 'blocks' } : { column, tolerance, unknown: 'blocks' };

/** A rule by which most variants need a value. */
export const common = (column: SpecRule['column'], tolerance?: Tolerance): SpecRule =>
  tolerance === undefined ? { column, unknown: 'minority' } : { column, tolerance, unknown: 'minority' };
