import { unzipSync, zipSync } from 'fflate';
import { readSheet, SheetNotFoundError } from 'read-excel-file/universal';

import { findLayout, LOOKED_AT } from '../decode/column.ts';
import { cellText } from '../kernel/csv/csv.ts';
import { TableError } from '../kernel/csv/read.ts';
import { dateText, tooLarge, UNPACKED_BOUNDS } from './unpacked.ts';

/** Sheets that are looked at. */
const MOST_SHEETS = 20;

/** The part that makes a zip an .xlsx workbook. */
const WORKBOOK = 'xl/workbook.xml';

/** Digits that a spreadsheet's own numbers have. */
const DIGITS = 15;

/** Before this year a spreadsheet's date is a time of day alone. */
const FIRST_YEAR = 1900;

/**
 * Reads an .xlsx workbook: the first sheet with a column of VINs, else the first one with anything.
 *
 * @throws TableError when it is none, or too large; else what the libraries throw of a damaged one.
 */
export async function readWorkbook(bytes: Uint8Array, column: string): Promise<string[][]> {
  const workbook = repacked(bytes);
  let first: string[][] = [];
  for (let number = 1; number <= MOST_SHEETS; number++) {
    const rows = await sheetOf(workbook, number);
    if (rows === undefined) break;
    const filled = rows.filter((row) => row.some((cell) => cell !== ''));
    if (filled.length === 0) continue;
    if (findLayout(filled.slice(0, LOOKED_AT), column).kind === 'found') return filled;
    if (first.length === 0) first = filled;
  }
  return first;
}

/**
 * The workbook without compression. It is unpacked here into no more memory than it declares, after that was added up; the
 * reader then finds nothing that could grow.
 */
function repacked(bytes: Uint8Array): ArrayBuffer {
  let size = 0;
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(?:xml|rels)$/.test(name)) return false;
      size += originalSize;
      if (size > UNPACKED_BOUNDS.bytes) throw tooLarge();
      return true;
    },
  });
  if (parts[WORKBOOK] === undefined) {
    throw new TableError('This is a compressed file, but no .xlsx workbook. Save it as .xlsx or CSV.');
  }
  return zipSync(parts, { level: 0 }).buffer;
}

/** The cells of a sheet; undefined: there is no such sheet. */
async function sheetOf(workbook: ArrayBuffer, number: number): Promise<string[][] | undefined> {
  try {
    const rows = await readSheet(workbook, number, { parseNumber: numberText });
    const [widest = []] = rows;
    // All rows are as wide as the widest.
    if (rows.length * widest.length > UNPACKED_BOUNDS.values) throw tooLarge();
    return rows.map((row) => row.map(textOf));
  } catch (error) {
    if (error instanceof SheetNotFoundError) return undefined;
    throw error;
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.getUTCFullYear() < FIRST_YEAR ? dateText(value).slice(11) : dateText(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : cellText(value);
}

/** A number as its sheet shows it: a whole number as written, any other rounded to hide binary noise. */
function numberText(written: string): string {
  if (/^-?\d+$/.test(written)) return written;
  const number = Number(written);
  return Number.isSafeInteger(number) ? String(number) : String(Number(number.toPrecision(DIGITS)));
}
