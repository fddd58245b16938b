import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import type { Row } from '@marque/catalog/tables';
import { TableError } from '@marque/catalog/tables';
import { type Compressors, type FileMetaData, parquetMetadata, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

import { parquetTable } from '../kernel/csv/parquet-in.ts';
import { CSV_BOUNDS } from '../kernel/csv/read.ts';
import { refuseLongLists } from './parquet-thrift.ts';
import { refuseBombs } from './parquet-bounds.ts';
import type { ColumnKind } from '../kernel/csv/kinds.ts';

/** Only such decompressors as take no more memory than a page declares. */
const BOUNDED: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: length }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: length }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: length }),
  ...only(compressors, 'LZ4', 'LZ4_RAW'),
};

/** No character takes more than three bytes: a longer value is refused before its text is made. */
const CELL_BYTES = 3 * CSV_BOUNDS.cellCharacters;

/**
 * Reads the first rows of a Parquet file.
 *
 * @throws TableError when it is too large; else the library's error for a damaged one.
 */
export async function readParquet(
  file: ArrayBuffer,
  most: number,
): Promise<{ form: string; names: string[]; kinds: ColumnKind[]; rows: Row[] }> {
  refuseLongFooter(file);
  const metadata: FileMetaData = parquetMetadata(file, { geoparquet: false });
  const columns = parquetSchema(metadata).children.length;
  if (columns > CSV_BOUNDS.columns) {
    throw new TableError(
      `The file has ${columns} columns; ${CSV_BOUNDS.columns} are the most. Send only the columns that you need.`,
    );
  }
  refuseBombs(file, metadata, BOUNDED);
  const { names, kinds, groups, rows } = parquetTable(file, metadata, BOUNDED, CELL_BYTES);
  const read: Row[] = [];
  let start = 0;
  for (const count of groups) {
    const end = start + Math.min(count, most - read.length);
    if (end <= start && count > 0) break;
    for (const cells of await rows(start, end)) read.push({ line: read.length + 1, cells });
    start += count;
  }
  return { form: 'Parquet', names, kinds, rows: read };
}

/** Bytes behind the metadata: its length, and the mark of the format. */
const FOOTER_BYTES = 8;

function refuseLongFooter(file: ArrayBuffer): void {
  const view = new DataView(file);
  const end = view.byteLength - FOOTER_BYTES;
  refuseLongLists({ view, offset: end - view.getUint32(end, true) });
}

function only(all: Compressors, ...codecs: readonly (keyof Compressors)[]): Compressors {
  return Object.fromEntries(codecs.map((codec) => [codec, all[codec]]));
}
