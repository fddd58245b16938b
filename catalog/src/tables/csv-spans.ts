import type { CsvForm } from './csv.ts';
import type { CsvPiece } from './csv-pieces.ts';

/** A row of a piece as places in its bytes. */
export interface RowSpan {
  start: number;
  /** Behind its last cell: its line end is not part of it. */
  end: number;
  cells: number;
  /** The cell of the column that was asked for, with its quotes; both 0: the row has none. */
  from: number;
  to: number;
}

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const UTF8_MARK = 0xef;

/**
 * Finds the rows of a piece without parsing their cells: bytes that are passed on as they are need not be cut into
 * texts. Blank rows are left out, as `rowsOfPiece` does.
 *
 * @returns undefined: it has something for the parser, such as a quote within a cell, or more bytes than a row may have
 *   characters.
 */
export function spansOfPiece(
  { bytes, line, isCut }: CsvPiece,
  { delimiter }: CsvForm,
  rowCharacters: number,
  column: number,
): RowSpan[] | undefined {
  const between = delimiter.charCodeAt(0);
  const isPlain = delimiter.length === 1 && between < 0x80 && ![QUOTE, LF, CR].includes(between);
  if (!isPlain || isCut === true || bytes.length > rowCharacters) return undefined;
  if (line === 1 && bytes[0] === UTF8_MARK) return undefined;
  const spans: RowSpan[] = [];
  for (let at = 0; at < bytes.length;) {
    const span: RowSpan = { start: at, end: at, cells: 0, from: 0, to: 0 };
    let isFilled = false;
    for (let isLast = false; !isLast;) {
      const from = at;
      const end = bytes[at] === QUOTE ? endOfQuoted(bytes, at, between) : endOfPlain(bytes, at, between);
      if (end === undefined) return undefined;
      isFilled ||= end - from > (bytes[from] === QUOTE ? 2 : 0);
      if (span.cells === column) [span.from, span.to] = [from, end];
      span.cells += 1;
      span.end = end;
      isLast = bytes[end] !== between;
      at = isLast ? end : end + 1;
    }
    at += bytes[at] === CR && bytes[at + 1] === LF ? 2 : 1;
    if (isFilled) spans.push(span);
  }
  return spans;
}

/** Returns the end of a cell without quotes; undefined: it has one. */
function endOfPlain(bytes: Uint8Array, from: number, between: number): number | undefined {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === between || byte === LF || byte === CR) return at;
    if (byte === QUOTE) return undefined;
  }
  return bytes.length;
}

/** Returns the end of a cell in quotes; undefined: they are not closed, or text follows them. */
function endOfQuoted(bytes: Uint8Array, from: number, between: number): number | undefined {
  let at = bytes.indexOf(QUOTE, from + 1);
  while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2);
  if (at === -1) return undefined;
  const next = bytes[at + 1];
  return next === undefined || next === between || next === LF || next === CR ? at + 1 : undefined;
}
