import { pipeline } from 'node:stream';

import type { Hints } from '@marque/decoder';
import { CsvError, parse } from 'csv-parse';

import { CSV_LINE_END, csvLine, delimiterIn, LENIENT } from '../../kernel/csv/csv.ts';
import { CommandError, type Io, visible, write } from '../../kernel/cli/io.ts';
import { ADDED_COLUMNS, type Block } from './block.ts';
import { hintsOfRows } from './candidates.ts';
import type { InputFile } from './input.ts';
import type { BlockInput, Printed } from './print-blocks.ts';
import type { DecodeCount } from './result.ts';

/** A longer row is not a list of vehicles; without a bound a quote that is never closed would fill the memory. */
const LONGEST_ROW_BYTES = 1_048_576;

/** Rows that are decoded together. */
const ROWS_A_BLOCK = 1_000;

/** What of a CSV file is read. */
interface ColumnOrder {
  /** The column of VINs. */
  column: string;
  /** Hints for every row; columns that are named like hints are added. Undefined: none are used. */
  candidates: Hints | undefined;
}

/** Lines as they are printed, up to what is added to each: the header, or rows with their VINs. */
interface RowBlock {
  block: Extract<Block, { kind: 'cells' }>;
  lines: string[];
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
  let isEmpty = true;
  for await (const { input, printed } of print(blocksOfRows(file, order))) {
    isEmpty = false;
    count.decoded += printed.decoded;
    count.refused += printed.refused;
    await write(io.stdout, input.lines.map((line, index) => line + (printed.added[index] ?? '')).join(''));
  }
  if (isEmpty) throw new CommandError('The file is empty: its first line must name the columns.');
  return count;
}

/**
 * The VINs of a named column, in the order of the file.
 *
 * @throws CommandError when the file is not valid CSV, or has no such column.
 */
export async function* blocksOfColumn(file: InputFile, column: string): AsyncGenerator<BlockInput> {
  for await (const { place, rows } of batchesOf(file, column)) {
    yield { block: { kind: 'texts', texts: rows.map((row) => row[place] ?? '') } };
  }
}

async function* blocksOfRows(file: InputFile, { column, candidates }: ColumnOrder): AsyncGenerator<RowBlock> {
  for await (const { header, place, delimiter, rows } of batchesOf(file, column)) {
    const texts = rows.map((row) => row[place] ?? '');
    const hints = candidates && rows.map(hintsOfRows(header, candidates));
    const lines = rows.map(
      (row) => csvLine(padded(row, header.length), delimiter).slice(0, -CSV_LINE_END.length) + delimiter,
    );
    const head = csvLine([...header, ...namesBeside(header)], delimiter);
    yield { block: { kind: 'cells', delimiter, texts, hints }, lines: rows.length === 0 ? [head] : lines };
  }
}

/** Rows that are decoded together, and the header above them all. */
interface Batch {
  header: readonly string[];
  /** Where the VINs are. */
  place: number;
  delimiter: string;
  rows: string[][];
}

/** The rows of a CSV file; the first batch has none, so that the header comes before them and without any. */
async function* batchesOf({ chunks, progress }: InputFile, column: string): AsyncGenerator<Batch> {
  let batch: Batch | undefined;
  for await (const { row, delimiter } of rowsOf(chunks, (bytes) => progress.advance(bytes))) {
    if (batch !== undefined) batch.rows.push(row);
    batch ??= { header: row, place: placeOf(column, row), delimiter, rows: [] };
    if (batch.rows.length > 0 && batch.rows.length < ROWS_A_BLOCK) continue;
    yield batch;
    batch = { ...batch, rows: [] };
  }
  if (batch !== undefined && batch.rows.length > 0) yield batch;
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
