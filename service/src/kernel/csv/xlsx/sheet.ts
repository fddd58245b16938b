import { TableError } from '@marque/catalog/tables';

import { type Book, CELL_CHARACTERS, unescaped } from './book.ts';
import { tooLarge } from '../unpacked.ts';
import { numberText } from './numbers.ts';
import { xmlParser } from './xml.ts';

/** A row of a sheet that has anything. */
export interface SheetRow {
  /** Its number in the sheet, from 1. */
  line: number;
  cells: string[];
  /** True for the cells that are numbers and shown as such. */
  numbers: boolean[];
}

/** Columns of a sheet: XFD is the last. */
export const COLUMNS = 16_384;

/**
 * Reads the rows of a sheet that have anything, some at a time, as far as they are asked for.
 *
 * @param columns the most that a row may have.
 * @throws TableError where a row has more.
 */
export async function* sheetRows(
  pieces: AsyncIterable<string>,
  book: Book,
  columns: number,
): AsyncGenerator<SheetRow[]> {
  const reader = new SheetReader(book, columns);
  const parser = xmlParser(reader);
  for await (const piece of pieces) {
    parser.write(piece);
    if (reader.rows.length > 0) yield reader.take();
  }
  parser.end();
  if (reader.rows.length > 0) yield reader.take();
}

/**
 * Reads the elements of a sheet, row by row. Rows and cells may lack their places: then each follows the one before.
 */
class SheetReader {
  rows: SheetRow[] = [];
  readonly #book: Book;
  readonly #columns: number;
  #line = 0;
  #column = -1;
  #cells: string[] = [];
  #numbers: boolean[] = [];
  #type = '';
  #style = 0;
  #value = '';
  #formula: string | undefined;
  #into: 'value' | 'formula' | undefined;
  #isPronounced = false;

  constructor(book: Book, columns: number) {
    this.#book = book;
    this.#columns = columns;
  }

  take(): SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  open = (element: string, attributes: () => Readonly<Record<string, string>>): void => {
    if (element === 'c') this.#openCell(attributes());
    else if (element === 'v' || element === 't') this.#into = this.#isPronounced ? undefined : 'value';
    else if (element === 'row') this.#openRow(attributes()['r']);
    else if (element === 'f') {
      this.#formula = '';
      this.#into = 'formula';
    } else if (element === 'rPh') this.#isPronounced = true;
  };

  close = (element: string): void => {
    if (element === 'v' || element === 't' || element === 'f') this.#into = undefined;
    else if (element === 'c') this.#closeCell();
    else if (element === 'row') this.#closeRow();
    else if (element === 'rPh') this.#isPronounced = false;
  };

  text = (text: string): void => {
    if (this.#into === 'value') this.#value += text;
    else if (this.#into === 'formula') this.#formula = (this.#formula ?? '') + text;
    if (this.#value.length + (this.#formula?.length ?? 0) > CELL_CHARACTERS) throw tooLarge('A cell of the workbook');
  };

  #openRow(number: string | undefined): void {
    this.#line = number === undefined ? this.#line + 1 : Number(number);
    this.#column = -1;
    this.#cells = [];
    this.#numbers = [];
  }

  #openCell({ r: place, t: type = '', s: style = '0' }: Readonly<Record<string, string>>): void {
    const named = place === undefined ? -1 : columnOf(place);
    this.#column = named === -1 ? this.#column + 1 : named;
    this.#type = type;
    this.#style = Number(style);
    this.#value = '';
    this.#formula = undefined;
  }

  #closeCell(): void {
    const text = this.#textOfCell();
    if (text === '') return;
    if (!(this.#column < this.#columns)) {
      throw new TableError(
        `Row ${this.#line} has a cell in column ${this.#column + 1}; ${this.#columns} are the most. Send only the columns that you need.`,
      );
    }
    while (this.#cells.length < this.#column) {
      this.#cells.push('');
      this.#numbers.push(false);
    }
    this.#cells[this.#column] = text;
    this.#numbers[this.#column] = this.#isNumber();
  }

  #isNumber(): boolean {
    const isPlain = this.#type === '' || this.#type === 'n';
    return isPlain && this.#value !== '' && (this.#book.forms[this.#style] ?? 'number') === 'number';
  }

  #textOfCell(): string {
    const [type, value] = [this.#type, this.#value];
    if (type === 's') return value === '' ? '' : this.#sharedText(value);
    if (type === 'inlineStr' || type === 'str') return unescaped(value);
    // What calculates it did not run: the formula says what is meant.
    if (value === '') return this.#formula === undefined ? '' : `=${this.#formula}`;
    if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (type === 'e' || type === 'd') return value;
    return numberText(value, this.#book.forms[this.#style] ?? 'number', this.#book.is1904);
  }

  #sharedText(index: string): string {
    const text = this.#book.strings.at(Number(index));
    if (text !== undefined) return text;
    throw new TableError(
      `A cell in row ${this.#line} refers to a text that the workbook does not have. Open the workbook, and save it as .xlsx or CSV.`,
    );
  }

  #closeRow(): void {
    if (this.#cells.length > 0) this.rows.push({ line: this.#line, cells: this.#cells, numbers: this.#numbers });
    this.#cells = [];
  }
}

/** Returns the column of a place such as "AB12", from 0; -1 if it names none. */
function columnOf(place: string): number {
  let column = 0;
  for (let index = 0; index < place.length; index++) {
    const code = place.charCodeAt(index) & ~32;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
}
