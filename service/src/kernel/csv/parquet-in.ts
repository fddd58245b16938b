import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet';

import { cellText, textOfValue } from './cells.ts';
import { type ColumnKind, kindOf } from './kinds.ts';
import { tooLarge } from './unpacked.ts';

/** A Parquet file that can be read in parts. */
export interface ParquetTable {
  names: string[];
  kinds: ColumnKind[];
  /** Rows of each row group. */
  groups: number[];
  /** The cells of rows within one row group, as text. */
  rows: (from: number, to: number) => Promise<string[][]>;
}

/**
 * Returns the table in a Parquet file. Its values keep their digits and their time zone, which the library's own types
 * do not: a decimal of 38 digits, nanoseconds, 64 bits without a sign.
 *
 * @param mostBytes those of a value: a dictionary has it once for millions of rows. Reading throws a TableError beyond.
 */
export function parquetTable(
  file: AsyncBuffer | ArrayBuffer,
  whole: FileMetaData,
  compressors: Compressors,
  mostBytes = Infinity,
): ParquetTable {
  const parsers = parsersOf(mostBytes);
  const children = parquetSchema(whole).children;
  const names = children.map(({ element }) => element.name);
  const flat = new Set(children.filter(isFlat).map(({ element }) => element));
  const kinds = children.map((child) => (isFlat(child) ? flatKind(child.element) : 'text'));
  // The elements of nested columns stay as they are: their values become JSON.
  const schema = whole.schema.map((element) => (flat.has(element) ? rawElement(element) : element));
  const metadata = { ...whole, schema };
  const places = new Map(names.map((name, index) => [name, index]));
  const rows = async (from: number, to: number): Promise<string[][]> => {
    const table = Array.from({ length: to - from }, () => Array<string>(names.length).fill(''));
    let fault: { error: unknown } | undefined;
    const fill = (columnName: string, columnData: ArrayLike<unknown>, rowStart: number): void => {
      const place = places.get(columnName) ?? 0;
      const kind = kinds[place] ?? 'text';
      for (let row = Math.max(rowStart, from); row < Math.min(rowStart + columnData.length, to); row++) {
        const cells = table[row - from];
        if (cells !== undefined) cells[place] = textOf(columnData[row - rowStart], kind, mostBytes);
      }
    };
    await withoutLeftovers(parquetRead, {
      file,
      metadata,
      compressors,
      geoparquet: false,
      utf8: false,
      parsers,
      columns: names,
      rowStart: from,
      rowEnd: to,
      // The library awaits nothing that is thrown here.
      onChunk: ({ columnName, columnData, rowStart }) => {
        try {
          if (fault === undefined) fill(columnName, columnData, rowStart);
        } catch (error) {
          fault = { error };
        }
      },
    });
    if (fault !== undefined) throw fault.error;
    return table;
  };
  return { names, kinds, groups: whole.row_groups.map((group) => Number(group.num_rows)), rows };
}

const ignore = (): void => {};

/**
 * Reads with the library. Of the columns of a damaged file that it reads side by side, it awaits some only until the
 * first error: the other errors would be unhandled rejections, which end the process or thread, and with it what came
 * next.
 */
async function withoutLeftovers<Options>(read: (options: Options) => Promise<void>, options: Options): Promise<void> {
  process.on('unhandledRejection', ignore);
  try {
    await read(options);
  } finally {
    await nextTurn();
    process.off('unhandledRejection', ignore);
  }
}

function isFlat({ element, children }: { element: SchemaElement; children: readonly unknown[] }): boolean {
  return children.length === 0 && element.repetition_type !== 'REPEATED';
}

/** Identifiers and half-precision numbers are left to the library. */
const LIBRARY = new Set(['UUID', 'FLOAT16']);

function flatKind(element: SchemaElement): ColumnKind {
  if (element.logical_type?.type === 'FLOAT16') return 'float';
  return LIBRARY.has(element.logical_type?.type ?? '') ? 'text' : kindOf(element);
}

/** Returns the element without the types that the library would convert the values to. */
function rawElement(element: SchemaElement): SchemaElement {
  const isText = element.converted_type === 'UTF8' || element.logical_type?.type === 'STRING';
  if (isText || LIBRARY.has(element.logical_type?.type ?? '')) return element;
  const { converted_type: _converted, logical_type: _logical, ...raw } = element;
  return raw;
}

function textOf(value: unknown, kind: ColumnKind, mostBytes: number): string {
  if (typeof value === 'string') return value;
  if (kind !== 'text') return textOfValue(value, kind);
  return value instanceof Uint8Array ? bytesText(value, mostBytes) : cellText(value);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Converts bytes to their text, without the padding of a fixed length; to hexadecimal digits if they are not text. */
function bytesText(bytes: Uint8Array, mostBytes: number): string {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  if (end > mostBytes) throw tooLarge('A value of the Parquet file');
  try {
    return UTF8.decode(bytes.subarray(0, end));
  } catch {
    return `0x${Buffer.from(bytes).toString('hex')}`;
  }
}

/** Returns parsers of values within lists and structs. */
const parsersOf = (mostBytes: number) => ({
  timestampFromMilliseconds: (value: bigint) => textOfValue(value, 'timestamp-millis-utc'),
  timestampFromMicroseconds: (value: bigint) => textOfValue(value, 'timestamp-micros-utc'),
  timestampFromNanoseconds: (value: bigint) => textOfValue(value, 'timestamp-nanos-utc'),
  dateFromDays: (days: number) => textOfValue(days, 'date'),
  stringFromBytes: (bytes: Uint8Array) => bytes && bytesText(bytes, mostBytes),
});
