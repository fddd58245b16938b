import type { VehicleReport } from './report.ts';

/**
 * The confidence of a fact. A: two or more independent sources. B: one explicit source. C: thin (one or two labeled
 * VINs). G: general knowledge. C and G rows answer only if an independent source agrees.
 */
export type Confidence = 'A' | 'B' | 'C' | 'G';

/** One row of the catalog that gives a value. */
export interface RowEvidence {
  /** The value that the row gives, as text. */
  value: string;
  /** The source of the fact: "vPIC", or the source keys of a facts file. */
  source: string;
  /** The row in words: its schema or layout and its pattern over the VIN, e.g. "Golf V-VI · 7-8=1K". */
  row: string;
  /** The VIN positions (1-17) that the row fixes. */
  positions: number[];
  confidence: Confidence;
}

/** The reason why one field of a report has its value, or was left out (`value` undefined). */
export interface FieldEvidence {
  /** The field's path in the report: "model", "specs.fuelType". */
  field: string;
  value: string | undefined;
  /** The rows that agree with the value, the deciding one first. */
  rows: RowEvidence[];
  /** Other possible values. */
  alternatives: RowEvidence[];
  /**
   * A sentence where the value does not come from rows alone: "position 10 is 3; position 7 is 2, a digit: up to 2009".
   */
  note?: string;
}

/** A decode with its evidence: for `--explain`, the administration pages and tests; never for clients. */
export interface Explanation {
  report: VehicleReport;
  fields: FieldEvidence[];
  /** The tables that decoded the VIN, e.g. "vPIC, Honda passenger cars 2003" or "volkswagen, rest of world". */
  reading: string;
}
