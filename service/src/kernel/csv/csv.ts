import type { Options } from 'csv-parse';

const DELIMITERS = [',', ';', '\t'];

const LONGEST_LINE = 65_536;

/** What a spreadsheet takes for the beginning of a formula, also behind an opening quote. */
const FORMULA = /^[=+\-@\t\r]/;

/** How strangers' files are read: RFC 4180, and what spreadsheets and people make of it. */
export const LENIENT = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
} as const satisfies Options;

/** The one of comma, semicolon and tab that the first line has most of. */
export function delimiterIn(text: string): string {
  // A table whose first line is longer is refused.
  const line = /^[^\r\n]*/.exec(text.slice(0, LONGEST_LINE))?.[0] ?? '';
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** What ends a line (RFC 4180). */
export const CSV_LINE_END = '\r\n';

/** One line of CSV, with its end. */
export function csvLine(cells: readonly string[], delimiter: string, end: string = CSV_LINE_END): string {
  return `${cells.map(quoted).join(delimiter)}${end}`;
}

/** A cell that no spreadsheet runs as a formula: such a one gets an apostrophe before it. */
export function harmless(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** A cell within a line: quoted if any reader could need it, whichever delimiter it guesses. */
function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Whether a file begins as spreadsheets begin their "Unicode text". */
export function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe;
}

/** Bytes as text: UTF-8, UTF-16 with its mark, or what Western spreadsheets wrote before them. */
export function textOf(bytes: Uint8Array): string {
  if (isUtf16(bytes)) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** A value of a typed table as the text of a cell. Lists and objects become JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}

/** A column of a table that is written for others. */
export interface Column {
  name: string;
  /** Whether its cells are numbers, or empty. */
  isNumber: boolean;
}

/** Rows that are written together; an empty cell is none. */
export type Page = readonly (readonly string[])[];
