import { readVinCell } from '@marque/catalog/cells';
import { type Decoder, type Hints, readVin } from '@marque/decoder';

import { csvLine } from '../../kernel/csv/csv.ts';
import { cellsOf } from '../../report/index.ts';
import { paintOf } from '../../kernel/cli/paint.ts';
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
  /** VINs of the rows of a table, and the hints that the rows give. */
  | { kind: 'cells'; delimiter: string; texts: string[]; hints: Hints[] | undefined };

/** The output for a block. */
export interface PrintedBlock extends DecodeCount {
  /** Results as UTF-8, with what separates two of them; of cells none. */
  bytes: Uint8Array<ArrayBuffer>;
  /** For cells: the columns added to each row, up to the end of its line. */
  added: string[];
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

  constructor(decoder: Decoder, printing: Printing) {
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
    return block.kind === 'texts' ? this.#list(block.texts) : this.#cells(block);
  }

  #list(texts: readonly string[]): PrintedBlock {
    const { between } = this.format;
    const count = { decoded: 0, refused: 0 };
    const text = texts.map((input) => this.#textOf(input, count)).join(between);
    return { ...count, bytes: this.#encodeUtf8.encode(text), added: [] };
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
    return { ...count, bytes: this.#encodeUtf8.encode(printed.join('')), added: [] };
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

  #cells({ delimiter, texts, hints }: Extract<Block, { kind: 'cells' }>): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const added = texts.map((text, row) => {
      const view = hints === undefined ? 'report' : 'candidates';
      const result = decodeText(this.#decoder, text, view, { hints: hints?.[row] ?? {}, read: this.#read });
      count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
      return csvLine(cellsOf(fieldsOf(result), ADDED_COLUMNS), delimiter);
    });
    return { ...count, bytes: new Uint8Array(), added };
  }
}

/** Returns a name that an object does not have yet, as for the columns that a table gets. */
function freeName(name: string, fields: readonly string[]): string {
  let free = name;
  while (fields.includes(free)) free = `decoded.${free}`;
  return free;
}
