import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import {
  type ColumnMetaData,
  type Compressors,
  type FileMetaData,
  type PageHeader,
  parquetMetadata,
  parquetRead,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetHeader } from 'hyparquet/src/column.js';

import { cellText } from '../kernel/csv/csv.ts';
import { CSV_BOUNDS, TableError } from '../kernel/csv/read.ts';
import { dateText, tooLarge, UNPACKED_BOUNDS } from './unpacked.ts';

/** The longest of values whose length is fixed, bytes: a decimal of 76 digits. */
const FIXED_BYTES = 32;

/** Each value continues the one before it, so that a few bytes make text without end; others say how much they hold. */
const ENDLESS = 'DELTA_BYTE_ARRAY';

/** Only such decompressors as take no more memory than a page declares. */
const BOUNDED: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: length }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: length }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: length }),
  ...only(compressors, 'LZ4', 'LZ4_RAW'),
};

/**
 * Reads the first rows of a Parquet file, after its names.
 *
 * @throws TableError when it is too large; else what the library throws of a damaged one.
 */
export async function readParquet(file: ArrayBuffer, most: number): Promise<string[][]> {
  const metadata = parquetMetadata(file, { geoparquet: false });
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  if (names.length > CSV_BOUNDS.columns) return [names];
  refuseBombs(file, metadata);
  const table = [names];
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Math.min(Number(group.num_rows), most - table.length);
    if (rowEnd <= rowStart) break;
    await parquetRead({
      file,
      metadata,
      compressors: BOUNDED,
      geoparquet: false,
      parsers: { dateFromDays: (days) => dateText(new Date(days * 86_400_000)) },
      columns: names,
      rowStart,
      rowEnd,
      onComplete: (rows) => {
        for (const row of rows) table.push(names.map((_, index) => valueText(row[index])));
      },
    });
    rowStart += Number(group.num_rows);
  }
  return table;
}

function valueText(value: unknown): string {
  return value instanceof Date ? dateText(value) : cellText(value);
}

/** Adds up what the headers of all pages declare, which is what reading takes. */
function refuseBombs(file: ArrayBuffer, { row_groups: groups, schema }: FileMetaData): void {
  if (schema.some(({ type_length: length = 0 }) => length > FIXED_BYTES)) throw new TableError(UNREADABLE);
  const sum = { bytes: 0, values: 0 };
  for (const { columns } of groups) {
    for (const { meta_data: column } of columns) {
      if (column === undefined) throw new TableError(UNREADABLE);
      addPages(file, column, sum);
    }
  }
}

const UNREADABLE = 'The Parquet file has a part that is not read here. Send it as CSV or .xlsx.';

function addPages(file: ArrayBuffer, column: ColumnMetaData, sum: { bytes: number; values: number }): void {
  const start = Number(column.dictionary_page_offset ?? 0) || Number(column.data_page_offset);
  // Throws where it is not within the file.
  const reader = { view: new DataView(file, start, Number(column.total_compressed_size)), offset: 0 };
  while (reader.offset < reader.view.byteLength - 1) {
    const header = parquetHeader(reader);
    const pages = [header.data_page_header, header.data_page_header_v2, header.dictionary_page_header];
    const values = pages.map((page) => page?.num_values ?? 0);
    const counts = [header.compressed_page_size, header.uncompressed_page_size, ...values, ...levelsOf(header)];
    const isReadable = counts.every((count) => Number.isInteger(count) && count >= 0);
    if (!isReadable || pages.some((page) => page?.encoding === ENDLESS)) throw new TableError(UNREADABLE);
    sum.bytes += header.uncompressed_page_size;
    // A page without values takes time as well.
    sum.values += Math.max(...values, 1);
    if (sum.bytes > UNPACKED_BOUNDS.bytes || sum.values > UNPACKED_BOUNDS.values) throw tooLarge();
    reader.offset += header.compressed_page_size;
  }
}

/** What a page of the second version says of itself, and the values that are left without those that are null. */
function levelsOf({ data_page_header_v2: page }: PageHeader): number[] {
  if (page === undefined) return [];
  const {
    definition_levels_byte_length: definition,
    repetition_levels_byte_length: repetition,
    num_nulls: nulls,
  } = page;
  return [definition, repetition, nulls, page.num_values - nulls];
}

function only(all: Compressors, ...codecs: readonly (keyof Compressors)[]): Compressors {
  return Object.fromEntries(codecs.map((codec) => [codec, all[codec]]));
}
