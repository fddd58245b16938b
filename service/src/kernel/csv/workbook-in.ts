import { asNumberShown, findLayout, LOOKED_AT, type Row, TableError, type TableLayout } from '@marque/catalog/tables';
import { unzipSync, zipSync } from 'fflate';
import { readSheet, SheetNotFoundError } from 'read-excel-file/universal';

import { cellText, type ColumnKind, fitsSpreadsheet } from './kinds.ts';
import { dateText, tooLarge, UNPACKED_BOUNDS } from './unpacked.ts';

/** Sheets that are looked at. */
const MOST_SHEETS = 20;

/** The part that makes a zip an .xlsx workbook. */
const WORKBOOK = 'xl/workbook.xml';

/** Digits that a spreadsheet's own numbers have. */
const DIGITS = 15;

/** Before this year a spreadsheet's date is a time of day alone. */
const FIRST_YEAR = 1900;

/** A number in a cell, as it is written there. */
class NumberCell {
  readonly text: string;

  constructor(written: string) {
    this.text = numberText(written);
  }
}

type Cells = readonly (string | NumberCell)[];

/** The rows of a sheet that have anything, each with its line. */
type Sheet = readonly { line: number; cells: Cells }[];

/** A workbook's table. */
interface WorkbookTable {
  form: string;
  rows: Row[];
  kinds?: ColumnKind[];
}

const FORM = 'Excel workbook';

/**
 * Reads an .xlsx workbook: the first sheet with a column of VINs, else the first one with anything.
 *
 * @throws TableError when it is not a workbook, or too large; else the libraries' errors for a damaged one.
 */
export async function readWorkbook(bytes: Uint8Array, column: string): Promise<WorkbookTable> {
  const workbook = repacked(bytes);
  let first: Sheet = [];
  for (let number = 1; number <= MOST_SHEETS; number++) {
    const sheet = await sheetOf(workbook, number);
    if (sheet === undefined) break;
    const looked = sheet.slice(0, LOOKED_AT).map(({ cells }) => cells.map(cellOf));
    const layout = findLayout(looked, column);
    if (sheet.length > 0 && layout.kind === 'found') return tableOf(sheet, layout);
    if (first.length === 0) first = sheet;
  }
  return { form: FORM, rows: first.map(({ line, cells }) => ({ line, cells: cells.map(cellOf) })) };
}

function cellOf(cell: string | NumberCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Converts a sheet to text. A long number in the column of VINs is not a VIN: the sheet has only its first 15 digits. */
function tableOf(sheet: Sheet, { column, firstRow }: TableLayout): WorkbookTable {
  const rows = sheet.map(({ line, cells }) => ({
    line,
    cells: cells.map((cell, place) => {
      const text = cellOf(cell);
      return place === column && typeof cell !== 'string' && text.length > DIGITS ? asNumberShown(text) : text;
    }),
  }));
  const width = sheet[0]?.cells.length ?? 0;
  const data = sheet.slice(firstRow);
  const kinds = Array.from({ length: width }, (_, place): ColumnKind => {
    const filled = data.map(({ cells }) => cells[place] ?? '').filter((cell) => cell !== '');
    const isNumbers =
      filled.length > 0 && filled.every((cell) => typeof cell !== 'string' && fitsSpreadsheet(cell.text));
    return isNumbers && place !== column ? 'double' : 'text';
  });
  return { form: FORM, rows, kinds };
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

/** Reads the cells of a sheet; undefined: there is no such sheet. */
async function sheetOf(workbook: ArrayBuffer, number: number): Promise<Sheet | undefined> {
  try {
    const rows = await readSheet(workbook, number, { parseNumber: (written) => new NumberCell(written) });
    const [widest = []] = rows;
    // All rows are as wide as the widest.
    if (rows.length * widest.length > UNPACKED_BOUNDS.values) throw tooLarge();
    return rows.flatMap((row, index) => {
      const cells = row.map(textOf);
      return cells.some((cell) => cell !== '') ? [{ line: index + 1, cells }] : [];
    });
  } catch (error) {
    if (error instanceof SheetNotFoundError) return undefined;
    throw error;
  }
}

function textOf(value: unknown): string | NumberCell {
  if (value instanceof NumberCell) return value;
  if (value instanceof Date) return value.getUTCFullYear() < FIRST_YEAR ? dateText(value).slice(11) : dateText(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : cellText(value);
}

/** A number as its sheet shows it: a whole number as written, any other rounded to hide binary noise. */
function numberText(written: string): string {
  if (/^-?\d+$/.test(written)) return written;
  const number = Number(written);
  return Number.isSafeInteger(number) ? String(number) : String(Number(number.toPrecision(DIGITS)));
}
