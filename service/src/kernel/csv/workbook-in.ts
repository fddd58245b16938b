import { asNumberShown, findLayout, LOOKED_AT, readVinCell, type Row, TableError } from '@marque/catalog/tables';

import { type ColumnKind, fitsSpreadsheet } from './kinds.ts';
import { CSV_BOUNDS } from './read.ts';
import { tooLarge, UNPACKED_BOUNDS } from './unpacked.ts';
import { type Book, readBook, type StringBounds } from './xlsx/book.ts';
import { openParts, type PartBounds } from './xlsx/parts.ts';
import { type SheetRow, sheetRows } from './xlsx/sheet.ts';

/** Sheets that are looked at. */
const MOST_SHEETS = 20;

/** Digits that a spreadsheet's own numbers have. */
const DIGITS = 15;

const FORM = 'Excel workbook';

/** Limits on a workbook: the memory that it takes grows with the texts that its cells share. */
export type WorkbookBounds = PartBounds & StringBounds & { columns: number };

/** The table of a workbook, which is read as it is asked for. */
export interface OpenWorkbook {
  form: string;
  /** The name of its sheet. */
  sheet: string;
  rows: AsyncIterable<Row[]>;
  /** Returns the kinds of the cells of each column: reads the sheet to its end. */
  kinds: () => Promise<ColumnKind[]>;
  close: () => void;
}

/** A sheet, and where it has its VINs. */
interface ChosenSheet {
  name: string;
  part: string;
  /** The column of VINs; -1: it has none. */
  column: number;
  /** The first row of data, of those that have anything. */
  firstRow: number;
}

/**
 * Opens an .xlsx workbook: its first visible sheet with VINs, else the one whose names say so, else the first one with
 * anything.
 *
 * @param source its path or its bytes.
 * @param column the column of VINs that was asked for; empty: detected.
 * @throws TableError when it is not a workbook, or too large; else what the libraries throw of a damaged one.
 */
export async function openWorkbook(
  source: string | Uint8Array,
  column: string,
  bounds: WorkbookBounds,
): Promise<OpenWorkbook> {
  const parts = await openParts(source, bounds);
  try {
    const book = await readBook(parts, bounds);
    const read = (part: string): AsyncIterable<SheetRow[]> => sheetRows(parts.textOf(part), book, bounds.columns);
    const sheet = await chosenSheet(book, read, column);
    const all = (): AsyncIterable<SheetRow[]> => read(sheet.part);
    async function* rows(): AsyncGenerator<Row[]> {
      for await (const some of all()) yield some.map((row) => plainRow(row, sheet.column));
    }
    return {
      form: FORM,
      sheet: sheet.name,
      rows: rows(),
      kinds: async () => {
        const counter = new KindCounter(sheet);
        for await (const some of all()) for (const row of some) counter.add(row);
        return counter.kinds();
      },
      close: parts.close,
    };
  } catch (error) {
    parts.close();
    throw error;
  }
}

/**
 * Reads the first rows of a workbook that someone sent.
 *
 * @throws as `openWorkbook`.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  column: string,
  most: number,
): Promise<{ form: string; sheet: string; rows: Row[]; kinds: ColumnKind[] }> {
  const parts = await openParts(bytes, { bytes: UNPACKED_BOUNDS.xmlBytes });
  const book = await readBook(parts, UNPACKED_BOUNDS);
  const read = (part: string): AsyncIterable<SheetRow[]> => sheetRows(parts.textOf(part), book, CSV_BOUNDS.columns);
  const sheet = await chosenSheet(book, read, column);
  const counter = new KindCounter(sheet);
  const rows: Row[] = [];
  let values = 0;
  for await (const some of read(sheet.part)) {
    for (const row of some) {
      values += row.cells.length;
      if (values > UNPACKED_BOUNDS.values) throw tooLarge();
      counter.add(row);
      rows.push(plainRow(row, sheet.column));
    }
    if (rows.length >= most) break;
  }
  return { form: FORM, sheet: sheet.name, rows, kinds: counter.kinds() };
}

type ReadPart = (part: string) => AsyncIterable<SheetRow[]>;

async function chosenSheet(book: Book, read: ReadPart, asked: string): Promise<ChosenSheet> {
  let [named, filled]: (ChosenSheet | undefined)[] = [];
  for (const { name, part } of book.sheets.slice(0, MOST_SHEETS)) {
    const looked = await firstRows(read(part));
    if (looked.length === 0) continue;
    filled ??= { name, part, column: -1, firstRow: 0 };
    const layout = findLayout(looked, asked);
    if (layout.kind !== 'found') continue;
    const { column, firstRow } = layout;
    const found = { name, part, column, firstRow };
    if (looked.some((cells) => readVinCell(cells[column] ?? '').kind === 'vin')) return found;
    named ??= found;
  }
  const chosen = named ?? filled;
  if (chosen === undefined) {
    throw new TableError(
      book.sheets.length > MOST_SHEETS
        ? `The first ${MOST_SHEETS} visible sheets of the workbook are empty. Put the sheet with the VINs first.`
        : 'The workbook has no visible sheet with anything in it. Unhide the sheet with the VINs.',
    );
  }
  return chosen;
}

/** Returns the first rows of a sheet that are not empty. */
async function firstRows(rows: AsyncIterable<SheetRow[]>): Promise<string[][]> {
  const first: string[][] = [];
  for await (const some of rows) {
    for (const { cells } of some) first.push(cells);
    if (first.length >= LOOKED_AT) break;
  }
  return first.slice(0, LOOKED_AT);
}

/**
 * Returns a row as text. A long number in the column of VINs is not a VIN: the sheet holds only its first 15 digits.
 */
function plainRow({ line, cells, numbers }: SheetRow, column: number): Row {
  const vin = cells[column];
  if (vin !== undefined && vin.length > DIGITS && numbers[column] === true) cells[column] = asNumberShown(vin);
  return { line, cells };
}

/** Finds the columns of a sheet that have nothing but numbers which a spreadsheet keeps exactly. */
class KindCounter {
  readonly #sheet: ChosenSheet;
  readonly #isNumbers: boolean[] = [];
  #row = 0;

  constructor(sheet: ChosenSheet) {
    this.#sheet = sheet;
  }

  add({ cells, numbers }: SheetRow): void {
    this.#row += 1;
    if (this.#row <= this.#sheet.firstRow) return;
    for (const [place, cell] of cells.entries()) {
      if (cell === '' || this.#isNumbers[place] === false) continue;
      this.#isNumbers[place] = numbers[place] === true && fitsSpreadsheet(cell);
    }
  }

  kinds(): ColumnKind[] {
    return Array.from(this.#isNumbers, (isNumbers, place) =>
      isNumbers && place !== this.#sheet.column ? 'double' : 'text',
    );
  }
}
