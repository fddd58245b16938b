import { pipeline } from 'node:stream';

import type { Decoder, Hints } from '@marque/decoder';
import { CsvError, parse } from 'csv-parse';

import { csvLine, delimiterIn, LENIENT } from '../../platform/csv/csv.ts';
import { cellsOf } from '../../platform/csv/report-cells.ts';
import { CommandError, type Io, write } from '../io.ts';
import { visible } from '../visible.ts';
import { hintsOfRows } from './candidates.ts';
import type { InputFile } from './input.ts';
import { CSV_COLUMNS, type DecodeCount, decodeText, fieldsOf } from './result.ts';

/** A longer row is no list of vehicles; without a bound a quote that is never closed would fill the memory. */
const LONGEST_ROW_BYTES = 1_048_576;

/** What is added: everything but the VIN, which the file has. */
const ADDED = CSV_COLUMNS.filter((column) => column !== 'vin');

/** Lines are written in pieces of about this many characters. */
const PIECE_CHARACTERS = 65_536;

/**
 * Writes every row of a CSV file as it is, with what its VIN says behind it. Memory does not grow with the file.
 *
 * @returns how many were decoded, and how many were no VIN.
 * @throws CommandError when the file is no CSV, or has no such column.
 */
export async function decodeColumn(
  decoder: Decoder,
  { chunks, progress }: InputFile,
  { column, candidates }: ColumnOrder,
  io: Io,
): Promise<DecodeCount> {
  const count = { decoded: 0, refused: 0 };
  let header: Header | undefined;
  let piece = '';
  try {
    for await (const { row, delimiter } of rowsOf(chunks, (bytes) => progress.advance(bytes))) {
      if (header === undefined) {
        header = { place: placeOf(column, row), width: row.length, hintsOf: hintsOfRows(row, candidates ?? {}) };
        piece += csvLine([...row, ...namesBeside(row)], delimiter);
        continue;
      }
      const text = row[header.place] ?? '';
      const result =
        candidates === undefined
          ? decodeText(decoder, text, 'report')
          : decodeText(decoder, text, 'candidates', header.hintsOf(row));
      count[result.kind === 'error' ? 'refused' : 'decoded'] += 1;
      piece += csvLine([...padded(row, header.width), ...cellsOf(fieldsOf(result), ADDED)], delimiter);
      if (piece.length < PIECE_CHARACTERS) continue;
      await write(io.stdout, piece);
      piece = '';
    }
    await write(io.stdout, piece);
  } finally {
    progress.stop();
  }
  if (header === undefined) throw new CommandError('The file is empty: its first line must name the columns.');
  return count;
}

/**
 * The VINs of a named column, in the order of the file.
 *
 * @throws CommandError when the file is no CSV, or has no such column.
 */
export async function* vinsOfColumn({ chunks, progress }: InputFile, column: string): AsyncGenerator<string[]> {
  let place: number | undefined;
  for await (const { row } of rowsOf(chunks, (bytes) => progress.advance(bytes))) {
    if (place === undefined) place = placeOf(column, row);
    else yield [row[place] ?? ''];
  }
}

/** What of a CSV file is read. */
export interface ColumnOrder {
  /** The column of VINs. */
  column: string;
  /** Hints for every row; columns that are named like hints are added. Undefined: none are used. */
  candidates: Hints | undefined;
}

/** Where the VINs and hints stand, and how many columns the file has. */
interface Header {
  place: number;
  width: number;
  hintsOf: (row: readonly string[]) => Hints;
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
    if (error instanceof CsvError) throw new CommandError(`The file is no CSV: ${error.message}`);
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

/** Names of what is added, told apart from those that the file has. */
function namesBeside(names: readonly string[]): string[] {
  return ADDED.map((name) => (names.includes(name) ? `decoded.${name}` : name));
}

/** A short row would shift what is added into the columns of the file. */
function padded(row: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(width, row.length) }, (_, index) => row[index] ?? '');
}
