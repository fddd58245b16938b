import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';

import {
  type CsvBounds,
  type CsvForm,
  failureOf,
  LENIENT,
  LONGEST_OPEN,
  type Row,
  RowLines,
  tooLongRow,
} from './csv.ts';

/** Whole rows of a CSV text as UTF-8, which are parsed without those before them. */
export interface CsvPiece {
  bytes: Uint8Array<ArrayBuffer>;
  /** The line of the file that it begins on, from 1. */
  line: number;
  /** True if it is the beginning of a row that exceeds the bounds, and ends within it. */
  isCut?: boolean;
}

/**
 * Bytes of a piece, unless a single row is longer: what is made of it stays among V8's young objects, which cost least
 * to free.
 */
const PIECE_BYTES = 32_768;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a CSV text into pieces at the ends of rows, in less time than it takes to parse them: threads parse the pieces
 * at once. A row that is longer than the bounds is cut where it exceeds them and ends the pieces, so that a quote that
 * is never closed does not fill the memory.
 *
 * @param chunks text, or its UTF-8; without what `form` skips.
 */
export async function* csvPieces(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  { delimiter, skipped, skippedLines }: CsvForm,
  { rowCharacters }: CsvBounds,
): AsyncGenerator<CsvPiece> {
  const cutter = new Cutter(delimiter, LONGEST_OPEN * rowCharacters);
  let line = skippedLines + 1;
  let left = skipped;
  const next = (bytes: Uint8Array<ArrayBuffer>): CsvPiece => {
    const piece = { bytes, line };
    line += linesIn(bytes);
    return piece;
  };
  for await (const chunk of chunks) {
    const bytes = bytesOf(left === 0 ? chunk : chunk.slice(left));
    left = 0;
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      const rows = cutter.add(bytes.subarray(from, from + PIECE_BYTES));
      if (rows !== undefined) yield next(rows);
      if (cutter.isTooLong) {
        yield { ...next(cutter.end()), isCut: true };
        return;
      }
    }
  }
  const rest = cutter.end();
  if (rest.length > 0) yield next(rest);
}

/** Returns a text as UTF-8: bytes are not copied. */
function bytesOf(chunk: string | Uint8Array): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/**
 * Parses a piece, blank rows left out.
 *
 * @returns its rows; `fault`: why the text ends with them, a TableError where it is not valid CSV or a row exceeds the
 *   bounds.
 */
export function rowsOfPiece(
  { bytes, line, isCut }: CsvPiece,
  { delimiter }: CsvForm,
  bounds: CsvBounds,
): { rows: Row[]; fault?: Error } {
  // The parser counts neither delimiters nor quotes, so it may find the row short enough.
  if (isCut === true) return { rows: [], fault: tooLongRow(line, bounds.rowCharacters) };
  const lines = new RowLines(line);
  const rows: Row[] = [];
  try {
    parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      ...LENIENT,
      bom: line === 1,
      delimiter,
      max_record_size: bounds.rowCharacters,
      on_record: (cells: string[]) => {
        const row = lines.rowOf(cells);
        if (row !== undefined) rows.push(row);
        // The parser keeps nothing.
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows, fault: failureOf(error, lines.next, bounds) };
  }
  return { rows };
}

/**
 * Finds the ends of rows by the rules of csv-parse with `relax_quotes`: a quote opens at the beginning of a cell alone.
 */
class Cutter {
  readonly #delimiter: Buffer;
  readonly #mostBytes: number;
  /** Bytes behind the last row that has ended. */
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the rest that were looked at. */
  #at = 0;
  #isQuoted = false;

  constructor(delimiter: string, mostBytes: number) {
    this.#delimiter = Buffer.from(delimiter);
    this.#mostBytes = mostBytes;
  }

  /** Adds bytes. @returns the rows that have ended; undefined: none has. */
  add(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    const text = (this.#rest = this.#rest.length === 0 ? bytesOf(bytes) : Buffer.concat([this.#rest, bytes]));
    const end = this.#ends(text);
    if (end === 0) return undefined;
    this.#rest = text.subarray(end);
    this.#at = Math.max(0, this.#at - end);
    return new Uint8Array(text.subarray(0, end));
  }

  /** True if what follows the last row that has ended is more than a row may have. */
  get isTooLong(): boolean {
    return this.#rest.length > this.#mostBytes;
  }

  /** Returns what follows the last row that has ended. */
  end(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#rest);
  }

  /** Reads on to the end of a text. @returns the end of the last row in it; 0: none. */
  #ends(text: Buffer): number {
    let end = 0;
    while (this.#at < text.length) {
      const quote = text.indexOf(QUOTE, this.#at);
      if (this.#isQuoted) {
        // A quote after a quote is one of the text; it may be in the next chunk.
        if (quote === -1 || quote + 1 >= text.length) {
          this.#at = quote === -1 ? text.length : quote;
          return end;
        }
        const isEscape = text[quote + 1] === QUOTE;
        this.#isQuoted = isEscape;
        this.#at = quote + (isEscape ? 2 : 1);
        continue;
      }
      const to = quote === -1 ? text.length : quote;
      end = lastEndIn(text, this.#at, to) ?? end;
      this.#isQuoted = quote !== -1 && this.#opens(text, quote);
      this.#at = to + 1;
    }
    // A CR at the end is looked at again together with what follows it.
    this.#at = text.length - (text.at(-1) === CR ? 1 : 0);
    return end;
  }

  /** Returns true if a quote is the first character of a cell. */
  #opens(text: Buffer, quote: number): boolean {
    const before = text[quote - 1];
    if (quote === 0 || before === LF || before === CR) return true;
    const from = quote - this.#delimiter.length;
    return from >= 0 && text.compare(this.#delimiter, 0, this.#delimiter.length, from, quote) === 0;
  }
}

/** Returns the end of the last row that ends within a part; a CR at its end may be one half of a line end. */
function lastEndIn(text: Buffer, from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at--) {
    if (text[at] === LF || (text[at] === CR && at + 1 < text.length)) return at + 1;
  }
  return undefined;
}

/** Counts ends of lines: LF, CR LF, and CR alone. */
function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines += 1;
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] !== LF) lines += 1;
  }
  return lines;
}
