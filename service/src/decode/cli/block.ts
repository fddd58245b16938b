import { readVinCell } from '@marque/catalog/cells';
import type { CsvForm, CsvPiece, Row, RowSpan } from '@marque/catalog/tables';
import { type Decoder, type Hints, readVin } from '@marque/decoder';
import type { RowGroup } from 'hyparquet';

import type { Column } from '../../kernel/csv/csv.ts';
import { paintOf } from '../../kernel/cli/paint.ts';
import { lineWriter, sharedLineWriter } from '../../report/index.ts';
import { hintsOfRows } from './candidates.ts';
import { type Format, type FormatName, formatOf } from './format.ts';
import { isOf, type Share } from './lanes.ts';
import { type ObjectLine, objectLinesIn, rowsOfTexts, vinsIn } from './lines.ts';
import { Output, rowStart } from './output.ts';
import { ADDED_COLUMNS, type DecodeCount, decodeText, fieldsOf, type View } from './result.ts';

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
  /**
   * The columns of a file of Parquet, of which every block is a row group: a list's VIN or a table's own, and those
   * added.
   */
  parquet?: readonly Column[];
}

/** A part of the input. */
export type Block =
  /** Lines of UTF-8, each a VIN, or a JSON object with one in a field. */
  | { kind: 'lines'; bytes: Uint8Array<ArrayBuffer>; field: string | undefined }
  | { kind: 'texts'; texts: readonly string[] }
  /** Rows of a table, as JSON: one text is handed to a thread in less time than many. */
  | { kind: 'rows'; json: string; lines: readonly number[]; table: TableForm }
  /** Rows of a table as CSV, of which the first ones may be its titles and names. */
  | { kind: 'csv'; piece: CsvPiece; form: CsvForm; skipped: number; table: TableForm; share?: Share }
  /** Texts with a VIN each, as JSON; their rows, which are not printed here, get its columns. */
  | { kind: 'cells'; json: string; delimiter: string };

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

/** Reads rows of CSV. */
export interface CsvReader {
  rowsOf: (piece: CsvPiece, form: CsvForm) => { rows: readonly Row[]; fault?: Error };
  /** Finds rows whose bytes can be passed on; undefined if they have to be parsed. */
  spansOf: (piece: CsvPiece, form: CsvForm, column: number) => readonly RowSpan[] | undefined;
}

/** The output for a block. */
export interface PrintedBlock extends DecodeCount {
  /** Results as UTF-8, with what separates two of them. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The end of each row in the bytes, where they are not all that is printed of the block. */
  ends?: Uint32Array<ArrayBuffer>;
  /** The row group that the bytes are, where Parquet is written. */
  group?: RowGroup;
  /** The reason why the file is not read any further. */
  fault?: string;
}

/** A printer of rows as row groups of Parquet. */
interface RowGroupPrinter {
  print: (rows: readonly Row[], table?: TableForm) => PrintedBlock;
}

/** Decodes and prints blocks, one at a time. */
export class BlockPrinter {
  readonly format: Format;
  readonly #decoder: Decoder;
  readonly #printing: Printing;
  readonly #decodeUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encodeUtf8 = new TextEncoder();
  readonly #read: typeof readVin;
  readonly #csv: CsvReader | undefined;
  readonly #groups: RowGroupPrinter | undefined;
  /** The writers of added columns, by their delimiter. */
  readonly #writers = new Map<string, LineWriters>();
  readonly #output = new Output();

  /**
   * @param csv a reader of CSV, which decodes without a file need not load.
   * @param groups needed where Parquet is written.
   */
  constructor(decoder: Decoder, printing: Printing, csv?: CsvReader, groups?: RowGroupPrinter) {
    this.#csv = csv;
    this.#groups = groups;
    this.#decoder = decoder;
    this.#printing = printing;
    this.#read = printing.isFile ? readVinCell : readVin;
    const { format, single, view, isColored, width } = printing;
    this.format = formatOf(format, { single, explain: view === 'explanation' }, paintOf(isColored), width);
  }

  print(block: Block): PrintedBlock {
    const { keepsFields, view, parquet } = this.#printing;
    if (parquet !== undefined) return this.#group(block);
    if (block.kind === 'lines') {
      const [text, { field }] = [this.#decodeUtf8.decode(block.bytes), block];
      return keepsFields && field !== undefined
        ? this.#objects(objectLinesIn(text, field))
        : this.#list(vinsIn(text, field));
    }
    if (block.kind === 'texts') return this.#list(block.texts);
    if (block.kind === 'csv' && block.table.isKept && view !== 'candidates') {
      const { piece, form, skipped, table, share } = block;
      const isSame = form.delimiter === table.delimiter;
      const spans = isSame ? this.#csv?.spansOf(piece, form, table.column) : undefined;
      if (spans !== undefined) return this.#spans(piece.bytes, spans.slice(skipped), table, share);
      if (share?.parses === false) return { decoded: 0, refused: 0, bytes: new Uint8Array() };
    }
    if (block.kind === 'cells') return this.#cells(block);
    const { rows, fault } = this.#rowsOf(block);
    const printed = this.#table(rows, block.table);
    return fault === undefined ? printed : { ...printed, fault };
  }

  #rowsOf(block: Extract<Block, { kind: 'rows' | 'csv' }>): { rows: readonly Row[]; fault?: string } {
    if (block.kind === 'rows') {
      const rows: string[][] = JSON.parse(block.json);
      return { rows: rows.map((cells, index) => ({ line: block.lines[index] ?? 0, cells })) };
    }
    if (this.#csv === undefined) throw new Error('This printer has no reader of CSV.');
    const { rows, fault } = this.#csv.rowsOf(block.piece, block.form);
    const own = rows.slice(block.skipped);
    return fault === undefined ? { rows: own } : { rows: own, fault: fault.message };
  }

  #table(rows: readonly Row[], table: TableForm): PrintedBlock {
    return table.isKept ? this.#rows(rows, table) : this.#list(rows.map(({ cells }) => cells[table.column] ?? ''));
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
  #rows(rows: readonly Row[], { header, column, delimiter }: TableForm): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const { view, hints } = this.#printing;
    const hintsOf = view === 'candidates' ? hintsOfRows(header, hints) : undefined;
    const writers = this.#writersFor(delimiter);
    const output = this.#output;
    for (const { cells } of rows) {
      output.add(Buffer.from(rowStart(cells, header.length, delimiter)));
      output.add(this.#addedTo(cells[column] ?? '', hintsOf?.(cells), writers, count));
    }
    return { ...count, bytes: output.take() };
  }

  /** Prints a block, or a share of it, from the bytes of its rows. */
  #spans(
    bytes: Uint8Array,
    spans: readonly RowSpan[],
    { header, delimiter }: TableForm,
    share: Share | undefined,
  ): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const writers = this.#writersFor(delimiter);
    const output = this.#output;
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = Buffer.from(delimiter);
    const ends = new Uint32Array(spans.length);
    for (const [row, { start, end: to, cells, from, to: cellEnd }] of spans.entries()) {
      const cell = plainCell(source.toString('utf8', from, cellEnd));
      if (isOf(cell, share)) {
        output.add(source.subarray(start, to));
        for (let place = Math.min(cells, header.length); place <= header.length; place++) output.add(end);
        output.add(this.#addedTo(cell, undefined, writers, count));
      }
      ends[row] = output.length;
    }
    return { ...count, bytes: output.take(), ends };
  }

  /** Prints the columns that rows get. */
  #cells({ json, delimiter }: Extract<Block, { kind: 'cells' }>): PrintedBlock {
    const cells: string[] = JSON.parse(json);
    const count = { decoded: 0, refused: 0 };
    const writers = this.#writersFor(delimiter);
    const ends = new Uint32Array(cells.length);
    for (const [row, cell] of cells.entries()) {
      this.#output.add(this.#addedTo(cell, undefined, writers, count));
      ends[row] = this.#output.length;
    }
    return { ...count, bytes: this.#output.take(), ends };
  }

  /** Writes the rows of a table, or the texts of a list, as a row group. */
  #group(block: Block): PrintedBlock {
    if (this.#groups === undefined) throw new Error('This printer has no writer of Parquet.');
    if (block.kind === 'texts') return this.#groups.print(rowsOfTexts(block.texts));
    if (block.kind === 'lines') {
      return this.#groups.print(rowsOfTexts(vinsIn(this.#decodeUtf8.decode(block.bytes), block.field)));
    }
    if (block.kind === 'cells') throw new Error('Parquet has its rows whole.');
    const { rows, fault } = this.#rowsOf(block);
    const printed = this.#groups.print(rows, block.table);
    return fault === undefined ? printed : { fault, ...printed };
  }

  /** Returns the columns that a row gets, with the end of its line, as UTF-8. */
  #addedTo(
    cell: string,
    hints: Hints | undefined,
    { ofShared, ofReport }: LineWriters,
    count: DecodeCount,
  ): Uint8Array {
    if (hints === undefined) {
      const form = this.#read(cell);
      count[form.kind === 'vin' ? 'decoded' : 'refused'] += 1;
      if (form.kind === 'vin') return ofShared(this.#decoder.shared(form.vin), form.vin);
      return Buffer.from(ofReport({ error: form.message }));
    }
    const result = decodeText(this.#decoder, cell, 'candidates', { hints, read: this.#read });
    count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
    return Buffer.from(ofReport(fieldsOf(result)));
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

/** Returns the text of a cell that may be in quotes. */
function plainCell(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

/** Returns a name that an object does not have yet, as for the columns that a table gets. */
function freeName(name: string, fields: readonly string[]): string {
  let free = name;
  while (fields.includes(free)) free = `decoded.${free}`;
  return free;
}
