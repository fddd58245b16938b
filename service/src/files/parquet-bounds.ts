import { TableError } from '@marque/catalog/tables';
import type { ColumnMetaData, Compressors, FileMetaData, PageHeader, SchemaElement, SchemaTree } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { getSchemaPath } from 'hyparquet/src/schema.js';

import { refuseLongLists } from './parquet-thrift.ts';
import { tooLarge, UNPACKED_BOUNDS } from '../kernel/csv/unpacked.ts';

/** The longest of values whose length is fixed, bytes: a decimal of 76 digits. */
const FIXED_BYTES = 32;

/**
 * The encoding in which each value continues the one before it, so that a few bytes make text without end; others
 * declare their size.
 */
const CONTINUED = 'DELTA_BYTE_ARRAY';

const UNREADABLE = 'The Parquet file has a part that is not read here. Send it as CSV or .xlsx.';

/** Bytes that are being read. */
type DataReader = Parameters<typeof parquetHeader>[0];

/**
 * Values of a column in a group of rows: five for each row of the longest file. The library keeps them in one list; where
 * a thread's memory ends, V8 ends the process rather than make room for a list of millions.
 */
const COLUMN_VALUES = 1_000_000;

/** Sums so far. */
interface Sum {
  bytes: number;
  values: number;
}

/**
 * Adds up the sizes that the headers of all pages declare, which reading would need. @throws TableError when they are
 * too large.
 */
export function refuseBombs(
  file: ArrayBuffer,
  { row_groups: groups, schema }: FileMetaData,
  compressors: Compressors,
): void {
  if (schema.some(isTooLong)) throw new TableError(UNREADABLE);
  const sum = { bytes: 0, values: 0 };
  for (const { columns } of groups) {
    for (const { meta_data: column } of columns) {
      if (column === undefined) throw new TableError(UNREADABLE);
      addPages(file, column, { sum, compressors, schema });
    }
  }
}

/** Returns true for values whose fixed length is too much; some writers give that of a number as well, in bits. */
function isTooLong({ type, type_length: length = 0 }: SchemaElement): boolean {
  return type === 'FIXED_LEN_BYTE_ARRAY' && length > FIXED_BYTES;
}

interface Measured {
  sum: Sum;
  compressors: Compressors;
  schema: SchemaElement[];
}

function addPages(file: ArrayBuffer, column: ColumnMetaData, { sum, compressors, schema }: Measured): void {
  const start = Number(column.dictionary_page_offset ?? 0) || Number(column.data_page_offset);
  // Throws where it is not within the file.
  const reader = { view: new DataView(file, start, Number(column.total_compressed_size)), offset: 0 };
  const before = sum.values;
  while (reader.offset < reader.view.byteLength - 1) {
    refuseLongLists({ ...reader });
    const header = parquetHeader(reader);
    const pages = [header.data_page_header, header.data_page_header_v2, header.dictionary_page_header];
    const values = pages.map((page) => page?.num_values ?? 0);
    const counts = [header.compressed_page_size, header.uncompressed_page_size, ...values, ...levelsOf(header)];
    if (!counts.every((count) => Number.isInteger(count) && count >= 0)) throw new TableError(UNREADABLE);
    sum.bytes += header.uncompressed_page_size;
    // A page without values takes time as well.
    sum.values += Math.max(...values, 1);
    refuseTooMuch(sum);
    if (sum.values - before > COLUMN_VALUES) throw tooLarge('A column of a group of rows');
    if (pages.some((page) => page?.encoding === CONTINUED)) {
      const page = new Uint8Array(file, start + reader.offset, header.compressed_page_size);
      sum.bytes += continuedBytes(page, header, { column, compressors, schema });
      refuseTooMuch(sum);
    }
    reader.offset += header.compressed_page_size;
  }
}

function refuseTooMuch({ bytes, values }: Sum): void {
  if (bytes > UNPACKED_BOUNDS.bytes || values > UNPACKED_BOUNDS.values) throw tooLarge();
}

/** Returns the level sizes that a page of the second version declares, and the number of values without the nulls. */
function levelsOf({ data_page_header_v2: page }: PageHeader): number[] {
  if (page === undefined) return [];
  const {
    definition_levels_byte_length: definition,
    repetition_levels_byte_length: repetition,
    num_nulls: nulls,
  } = page;
  return [definition, repetition, nulls, page.num_values - nulls];
}

/** Returns the bytes of a page whose values each continue the one before: the sum of their lengths. */
function continuedBytes(
  packed: Uint8Array,
  header: PageHeader,
  { column, compressors, schema }: Omit<Measured, 'sum'> & { column: ColumnMetaData },
): number {
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: size } = header;
  const levels = second === undefined ? 0 : second.definition_levels_byte_length + second.repetition_levels_byte_length;
  const isPacked = second === undefined || second.is_compressed !== false;
  const data = packed.subarray(levels);
  const page = isPacked ? decompressPage(data, size - levels, column.codec, compressors) : data;
  const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 };
  const count =
    second === undefined
      ? countPresent(reader, first?.num_values ?? 0, getSchemaPath(schema, column.path_in_schema))
      : second.num_values - second.num_nulls;
  return lengthsOf(reader, count) + lengthsOf(reader, count);
}

/** Counts the values of a page of the first version that are present; the reader is then behind their levels. */
function countPresent(reader: DataReader, values: number, path: readonly SchemaTree[]): number {
  const repetition = path[1]?.element.repetition_type;
  if (path.length > 2 || repetition === 'REPEATED') throw new TableError(UNREADABLE);
  if (repetition === 'REQUIRED') return values;
  const levels = Array<number>(values).fill(0);
  readRleBitPackedHybrid(reader, 1, levels);
  return levels.filter((level) => level === 1).length;
}

/** Sums a list of lengths: those that each value takes from the one before it, or those that it adds. */
function lengthsOf(reader: DataReader, count: number): number {
  const lengths = new Int32Array(count);
  deltaBinaryUnpack(reader, count, lengths);
  let sum = 0;
  for (const length of lengths) {
    if (length < 0) throw new TableError(UNREADABLE);
    sum += length;
  }
  return sum;
}
