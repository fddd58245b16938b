import { pipeline } from 'node:stream';

import type { Hints } from '@marque/decoder';
import { CsvError, parse } from 'csv-parse';

import { CSV_LINE_END, csvLine, delimiterIn, LENIENT } from '../../platform/csv/csv.ts';
import { CommandError, type Io, write } from '../io.ts';
import { visible } from '../visible.ts';
import { ADDED_COLUMNS, type Block } from './block.ts';
import { hintsOfRows } from './candidates.ts';
import type { InputFile } from './input.ts';
import type { BlockInput, Printed } from './print-blocks.ts';
import type { DecodeCount } from './result.ts';

/** A longer row is no list of vehicles; without a bound a quote that is never closed would fill the memory. */
const LONGEST_ROW_BYTES = 1_048_576;

/** Rows that are decoded together. */
const ROWS_A_BLOCK = 1_000;

/** The VINs of rows, with what is printed before what is added to each. */
interface RowBlock {
  block: Extract<Block, { kind: 'cells' }>;
  rows: string[];
}

/** The first row: names of columns, and what follows from them. */
interface Header {
  line: string;
  /** Where the VINs are, and how many columns the file has. */
  place: number;
  width: number;
  hintsOf: (row: readonly string[]) => Hints;
}

/**
 * Writes every row of a CSV file as it is, with what its VIN says behind it. Memory does not grow with the file.
 *
 * @returns how many were decoded, and how many were invalid.
 * @throws CommandError when the file is not valid CSV, or has no such column.
 */
export async function decodeColumn(
  file: InputFile,
  order: ColumnOrder,
  print: (blocks: AsyncIterable<RowBlock>) => AsyncIterable<Printed<RowBlock>>,
  io: Io,
): Promise<DecodeCount> {
  const count = { decoded: 0, refused: 0 };
  let hasHeader = false;
  const blocks = blocksOfRows(file, order, async (header) => {
    hasHeader = true;
    await write(io.stdout, header);
  });
  for await (const { input, printed } of print(blocks)) {
    count.decoded += printed.decoded;
    count.refused += printed.refused;
    await write(io.stdout, input.rows.map((row, index) => row + (printed.added[index] ?? '')).join(''));
  }
  if (!hasHeader) throw new CommandError('The file is empty: its first line must name the columns.');
  return count;
}

/**
 * The VINs of a named column, in the order of the file.
 *
 * @throws CommandError when the file is not valid CSV, or has no such column.
 */
export async function* blocksOfColumn({ chunks, progress }: InputFile, column: string): AsyncGenerator<BlockInput> {
  let place: number | undefined;
  let texts: string[] = [];
  for await (const { row } of rowsOf(chunks, (bytes) => progress.advance(bytes))) {
    if (place === undefined) {
      place = placeOf(column, row);
      continue;
    }
    texts.push(row[place] ?? '');
    if (texts.length < ROWS_A_BLOCK) continue;
    yield { block: { kind: 'texts', texts } };
    texts = [];
  }
  yield { block: { kind: 'texts', texts } };
}

/** What of a CSV file is read. */
export interface ColumnOrder {
  /** The column of VINs. */
  column: string;
  /** Hints for every row; columns that are named like hints are added. Undefined: none are used. */
  candidates: Hints | undefined;
}

async function* blocksOfRows(
  { chunks, progress }: InputFile,
  { column, candidates }: ColumnOrder,
  onHeader: (line: string) => Promise<void>,
): AsyncGenerator<RowBlock> {
  let header: Header | undefined;
  let rows: RowBlock | undefined;
  for await (const { row, delimiter } of rowsOf(chunks, (bytes) => progress.advance(bytes))) {
    if (header === undefined) {
      header = headerOf(row, column, delimiter, candidates);
      await onHeader(header.line);
      continue;
    }
    rows ??= { block: { kind: 'cells', delimiter, texts: [], hints: candidates && [] }, rows: [] };
    rows.block.texts.push(row[header.place] ?? '');
    rows.block.hints?.push(header.hintsOf(row));
    rows.rows.push(csvLine(padded(row, header.width), delimiter).slice(0, -CSV_LINE_END.length) + delimiter);
    if (rows.rows.length < ROWS_A_BLOCK) continue;
    yield rows;
    rows = undefined;
  }
  if (rows !== undefined) yield rows;
}

function headerOf(row: readonly string[], column: string, delimiter: string, hints: Hints | undefined): Header {
  return {
    line: csvLine([...row, ...namesBeside(row)], delimiter),
    place: placeOf(column, row),
    width: row.length,
    hintsOf: hintsOfRows(row, hints ?? {}),
  };
}

async function* rowsOf(
  chunks: AsyncIterable<Buffer | string>,
  onBytes: (count: number) => void,
): AsyncGenerator<{ row: string[]; delimiter: string }> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) return;
  const delimiter = delimiterIn(String(first.value));
  const parser = parse({ ...LENIENT, delimiter, max_record_size: LONGEST_ROW_BYTES });
  async function* counted(): AsyncGenerator<Buffer | string> {
    for (let next = first; next.done !== true; next = await source.next()) {
      onBytes(next.value.length);
      yield next.value;
    }
  }
  // What goes wrong in it is thrown where the parser is read.
  pipeline(counted(), parser, () => undefined);
  try {
    for await (const row of parser) yield { row, delimiter };
  } catch (error) {
    if (error instanceof CsvError) throw new CommandError(`The file is not valid CSV: ${error.message}`);
    throw error;
  }
}

/** The column by its name; where none is written so, by its name without regard to case. */
function placeOf(column: string, names: readonly string[]): number {
  const exact = names.indexOf(column);
  if (exact !== -1) return exact;
  const place = names.findIndex((name) => name.trim().toLowerCase() === column.trim().toLowerCase());
  if (place === -1) {
    throw new CommandError(`The file has no column ${visible(column)}. It has: ${visible(names.join(', '))}.`);
  }
  return place;
}

/** Names of the added columns, distinct from those of the file. */
function namesBeside(names: readonly string[]): string[] {
  return ADDED_COLUMNS.map((name) => (names.includes(name) ? `decoded.${name}` : name));
}

/** A short row would shift what is added into the columns of the file. */
function padded(row: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(width, row.length) }, (_, index) => row[index] ?? '');
}
