import { readVinCell } from '@marque/catalog/cells';
import type { CsvForm, CsvPiece, Row } from '@marque/catalog/tables';
import { type Decoder, type Hints, readVin } from '@marque/decoder';

import { CSV_LINE_END, csvLine } from '../../kernel/csv/csv.ts';
import { paintOf } from '../../kernel/cli/paint.ts';
import { lineWriter, sharedLineWriter } from '../../report/index.ts';
import { hintsOfRows } from './candidates.ts';
import { type Format, type FormatName, formatOf } from './format.ts';
import { type ObjectLine, objectLinesIn, vinsIn } from './lines.ts';
import { CSV_COLUMNS, type DecodeCount, decodeText, fieldsOf, type View } from './result.ts';

/** The decoding and printing of VINs: the part of a request that a thread needs. */
export interface Printing {
  view: View;
  format: FormatName;
  /** Exactly one VIN was asked for. */
  single: boolean;
  isColored: boolean;
  /** Columns of the terminal that a table must fit. */
  width: number | undefined;
  /** Hints for every VIN; used where the view is of candidates. */
  hints: Hints;
  /** True if the texts are from a file, where a VIN may be among other text. */
  isFile: boolean;
  /** Lines of JSON keep their fields, and get the report in one more. */
  keepsFields: boolean;
}

/** A part of the input. */
export type Block =
  /** Lines of UTF-8, each a VIN, or a JSON object with one in a field. */
  | { kind: 'lines'; bytes: Uint8Array<ArrayBuffer>; field: string | undefined }
  | { kind: 'texts'; texts: readonly string[] }
  /** Rows of a table, as JSON: one text is handed to a thread in less time than many. */
  | { kind: 'rows'; json: string; table: TableForm }
  /** Rows of a table as CSV, of which the first ones may be its titles and names. */
  | { kind: 'csv'; piece: CsvPiece; form: CsvForm; skipped: number; table: TableForm };

/** The properties that all rows of a table share. */
export interface TableForm {
  /** The names of its own columns; a row with fewer cells is padded. */
  header: readonly string[];
  /** The column of VINs, from 0. */
  column: number;
  /** The delimiter of its results. */
  delimiter: string;
  /** True if its rows are printed, with columns added; else its VINs are printed as a list. */
  isKept: boolean;
}

/** Parses rows of CSV. */
export type RowsOf = (piece: CsvPiece, form: CsvForm) => { rows: readonly Row[]; fault?: Error };

/** The output for a block. */
export interface PrintedBlock extends DecodeCount {
  /** Results as UTF-8, with what separates two of them. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The reason why the file is not read any further. */
  fault?: string;
}

/** The columns added to a table: all but the VIN, which it has. */
export const ADDED_COLUMNS = CSV_COLUMNS.filter((column) => column !== 'vin');

/** Decodes and prints blocks, one at a time. */
export class BlockPrinter {
  readonly format: Format;
  readonly #decoder: Decoder;
  readonly #printing: Printing;
  readonly #decodeUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encodeUtf8 = new TextEncoder();
  readonly #read: typeof readVin;
  readonly #rowsOf: RowsOf | undefined;
  /** The writers of added columns, by their delimiter. */
  readonly #writers = new Map<string, LineWriters>();

  /** @param rowsOf a parser of CSV, which decodes without a file need not load. */
  constructor(decoder: Decoder, printing: Printing, rowsOf?: RowsOf) {
    this.#rowsOf = rowsOf;
    this.#decoder = decoder;
    this.#printing = printing;
    this.#read = printing.isFile ? readVinCell : readVin;
    const { format, single, view, isColored, width } = printing;
    this.format = formatOf(format, { single, explain: view === 'explanation' }, paintOf(isColored), width);
  }

  print(block: Block): PrintedBlock {
    if (block.kind === 'lines') {
      const [text, { field }] = [this.#decodeUtf8.decode(block.bytes), block];
      const isKept = this.#printing.keepsFields && field !== undefined;
      return isKept ? this.#objects(objectLinesIn(text, field)) : this.#list(vinsIn(text, field));
    }
    if (block.kind === 'texts') return this.#list(block.texts);
    if (block.kind === 'rows') {
      const rows: string[][] = JSON.parse(block.json);
      return this.#table(rows, block.table);
    }
    if (this.#rowsOf === undefined) throw new Error('This printer has no parser of CSV.');
    const { rows, fault } = this.#rowsOf(block.piece, block.form);
    const cells = rows.slice(block.skipped).map((row) => row.cells);
    const printed = this.#table(cells, block.table);
    return fault === undefined ? printed : { ...printed, fault: fault.message };
  }

  #table(rows: readonly string[][], table: TableForm): PrintedBlock {
    return table.isKept ? this.#rows(rows, table) : this.#list(rows.map((row) => row[table.column] ?? ''));
  }

  #list(texts: readonly string[]): PrintedBlock {
    const { between } = this.format;
    const count = { decoded: 0, refused: 0 };
    const text = texts.map((input) => this.#textOf(input, count)).join(between);
    return { ...count, bytes: this.#encodeUtf8.encode(text) };
  }

  #objects(lines: readonly ObjectLine[]): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const printed = lines.map(({ vin, json, fields }) => {
      const form = this.#read(vin);
      count[form.kind === 'vin' ? 'decoded' : 'refused'] += 1;
      const [name, value] =
        form.kind === 'vin'
          ? ['report', this.#decoder.decodeToJson(form.vin)]
          : ['error', JSON.stringify(form.message)];
      const comma = fields.length === 0 ? '' : ',';
      return `${json.slice(0, -1)}${comma}${JSON.stringify(freeName(name, fields))}:${value}}\n`;
    });
    return { ...count, bytes: this.#encodeUtf8.encode(printed.join('')) };
  }

  #textOf(text: string, count: DecodeCount): string {
    const { view, hints } = this.#printing;
    const { ofJson } = this.format;
    if (view === 'report' && ofJson !== undefined) {
      const form = this.#read(text);
      if (form.kind === 'vin') {
        count.decoded += 1;
        return ofJson(this.#decoder.decodeToJson(form.vin));
      }
    }
    const result = decodeText(this.#decoder, text, view, { hints, read: this.#read });
    count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
    return this.format.textOf(result);
  }

  /** Prints every row of a table unchanged, followed by its VIN's decoded columns. */
  #rows(rows: readonly string[][], { header, column, delimiter }: TableForm): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const { view, hints } = this.#printing;
    const hintsOf = view === 'candidates' ? hintsOfRows(header, hints) : undefined;
    const writers = this.#writersFor(delimiter);
    let text = '';
    for (const row of rows) {
      const own = csvLine(padded(row, header.length), delimiter);
      const added = this.#addedTo(row[column] ?? '', hintsOf?.(row), writers, count);
      text += own.slice(0, -CSV_LINE_END.length) + delimiter + added;
    }
    return { ...count, bytes: this.#encodeUtf8.encode(text) };
  }

  /** Returns the columns that a row gets, with the end of its line. */
  #addedTo(cell: string, hints: Hints | undefined, { ofShared, ofReport }: LineWriters, count: DecodeCount): string {
    if (hints === undefined) {
      const form = this.#read(cell);
      count[form.kind === 'vin' ? 'decoded' : 'refused'] += 1;
      if (form.kind === 'vin') return ofShared(this.#decoder.shared(form.vin), form.vin);
      return ofReport({ error: form.message });
    }
    const result = decodeText(this.#decoder, cell, 'candidates', { hints, read: this.#read });
    count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
    return ofReport(fieldsOf(result));
  }

  #writersFor(delimiter: string): LineWriters {
    const known = this.#writers.get(delimiter);
    if (known !== undefined) return known;
    const [ofShared, ofReport] = [sharedLineWriter(ADDED_COLUMNS, delimiter), lineWriter(ADDED_COLUMNS, delimiter)];
    const writers = { ofShared, ofReport };
    this.#writers.set(delimiter, writers);
    return writers;
  }
}

/** Writers of the columns that rows get. */
interface LineWriters {
  ofShared: ReturnType<typeof sharedLineWriter>;
  ofReport: ReturnType<typeof lineWriter>;
}

/** Pads a row: a short one would shift the added columns into the file's own. */
function padded(row: readonly string[], width: number): readonly string[] {
  return row.length >= width ? row : Array.from({ length: width }, (_, index) => row[index] ?? '');
}

/** Returns a name that an object does not have yet, as for the columns that a table gets. */
function freeName(name: string, fields: readonly string[]): string {
  let free = name;
  while (fields.includes(free)) free = `decoded.${free}`;
  return free;
}
