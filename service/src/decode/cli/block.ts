import { readVinCell } from '@marque/catalog/cells';
import { type Decoder, type Hints, readVin } from '@marque/decoder';

import { lineWriter } from '../../report/index.ts';
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
  /** Rows of a table as they are printed, up to the columns added to each, with their VINs and the hints that they give. */
  | { kind: 'cells'; delimiter: string; lines: string[]; texts: string[]; hints: Hints[] | undefined };

/** The output for a block. */
export interface PrintedBlock extends DecodeCount {
  /** Results as UTF-8, with what separates two of them. */
  bytes: Uint8Array<ArrayBuffer>;
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
  /** The writers of added columns, by their delimiter. */
  readonly #lines = new Map<string, (report: object) => string>();

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

  #cells({ delimiter, lines, texts, hints }: Extract<Block, { kind: 'cells' }>): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const lineOf = this.#lines.get(delimiter) ?? lineWriter(ADDED_COLUMNS, delimiter);
    this.#lines.set(delimiter, lineOf);
    let text = '';
    for (const [row, line] of lines.entries()) {
      const view = hints === undefined ? 'report' : 'candidates';
      const order = { hints: hints?.[row] ?? {}, read: this.#read };
      const result = decodeText(this.#decoder, texts[row] ?? '', view, order);
      count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
      text += line + lineOf(fieldsOf(result));
    }
    return { ...count, bytes: this.#encodeUtf8.encode(text) };
  }
}

/** Returns a name that an object does not have yet, as for the columns that a table gets. */
function freeName(name: string, fields: readonly string[]): string {
  let free = name;
  while (fields.includes(free)) free = `decoded.${free}`;
  return free;
}
