import type { ColumnKind } from './kinds.ts';

/** Matches the beginning of a formula in a spreadsheet, also behind an opening quote, and as East Asian keyboards type it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The end of a line (RFC 4180). */
export const CSV_LINE_END = '\r\n';

/** Returns one line of CSV, with its end. */
export function csvLine(cells: readonly string[], delimiter: string, end: string = CSV_LINE_END): string {
  return `${cells.map(csvCell).join(delimiter)}${end}`;
}

/** Matches a number, which is not a formula: signed, with a point or a comma, an exponent or a percent sign. */
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:E[+-]?\d+)?\s?%?$/i;

/** Matches hyphens and nothing else, which people write where there is no value. */
const HYPHENS = /^-+$/;

/**
 * Returns a cell that no spreadsheet runs as a formula: such a one gets an apostrophe before it. A number, and hyphens
 * alone, stay as they are.
 */
export function harmless(cell: string): string {
  return FORMULA.test(cell) && !PLAIN_NUMBER.test(cell) && !HYPHENS.test(cell) ? `'${cell}` : cell;
}

/** Returns a cell within a line: quoted if any reader could need it, whichever delimiter it guesses. */
export function csvCell(cell: string): string {
  if (cell === '') return '';
  return /[",;\t\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A column of a table that is written for others. */
export interface Column {
  name: string;
  /** The kind of its cells, unless they are empty. */
  kind: ColumnKind;
}

/** Rows that are written together; an empty cell has no value. */
export type Page = readonly (readonly string[])[];
