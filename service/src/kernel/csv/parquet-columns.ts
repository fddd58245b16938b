import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';

import { type NumberedColumn, type ParquetValue, ValueList } from './parquet-values.ts';

/** Rows by which a column is known to have few values twice. */
const LOOKED_AT_ROWS = 1_000;

/** The longest page of texts without a dictionary, bytes. */
const PAGE_BYTES = 1_048_576;

/** Values as Parquet has them (PLAIN), and the first and the last one in their order. */
interface PlainValues {
  bytes: Uint8Array;
  min_value?: string | number;
  max_value?: string | number;
}

type Dictionary = PlainValues & { count: number };

/** The rows of a column chunk. */
interface Rows {
  /** By row: 0: it has no value. */
  levels: Uint8Array;
  nulls: number;
  /** The values of the others, or their places in the dictionary. */
  values: Uint8Array;
}

/**
 * Writes a column whose values are numbered, as a dictionary and the places of its rows in it. `hyparquet-writer` would
 * have to find these by the values of all rows.
 */
export function writeNumbered(
  writer: ByteWriter,
  element: SchemaElement,
  { list, numbers }: NumberedColumn,
): ColumnChunk {
  const known = new Uint32Array(list.values.length + 1);
  const places = new Uint32Array(numbers.length);
  const levels = new Uint8Array(numbers.length);
  const used: ParquetValue[] = [];
  let count = 0;
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] ?? 0;
    if (number === 0) continue;
    levels[row] = 1;
    let place = known[number] ?? 0;
    if (place === 0) known[number] = place = used.push(list.values[number - 1] ?? '');
    places[count++] = place - 1;
  }
  const nulls = numbers.length - count;
  if (count === 0) return writeChunk(writer, element, { levels, nulls, values: new Uint8Array() }, {});
  const values = new ByteWriter();
  const width = Math.ceil(Math.log2(used.length));
  values.appendUint8(width);
  writeRleBitPackedHybrid(values, places.subarray(0, count), width);
  const dictionary = { ...plainOf(used), count: used.length };
  return writeChunk(writer, element, { levels, nulls, values: values.getBytes() }, dictionary, dictionary);
}

/** Writes a column of texts. Returns undefined if they take more than a page. */
export function writeTexts(
  writer: ByteWriter,
  element: SchemaElement,
  cells: readonly ParquetValue[],
): ColumnChunk | undefined {
  const numbered = numberedOf(cells);
  if (numbered !== undefined) return writeNumbered(writer, element, numbered);
  const texts: string[] = [];
  const levels = new Uint8Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (typeof cell !== 'string') continue;
    levels[row] = 1;
    texts.push(cell);
  }
  const plain = plainTexts(texts);
  if (plain.bytes.length > PAGE_BYTES) return undefined;
  return writeChunk(writer, element, { levels, nulls: cells.length - texts.length, values: plain.bytes }, plain);
}

/** Numbers the values of a column; undefined if few of them come again. */
function numberedOf(cells: readonly ParquetValue[]): NumberedColumn | undefined {
  const list = new ValueList();
  const numbers = new Uint32Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    numbers[row] = list.numberOf(cells[row] ?? null);
    if (row === LOOKED_AT_ROWS && 2 * list.values.length > row) return undefined;
  }
  return 2 * list.values.length > cells.length ? undefined : { list, numbers };
}

/** Writes the pages of a column, and says where they are. */
function writeChunk(
  writer: ByteWriter,
  element: SchemaElement,
  rows: Rows,
  { min_value, max_value }: Omit<PlainValues, 'bytes'>,
  dictionary?: Dictionary,
): ColumnChunk {
  const offset = writer.offset;
  const dictionarySize = dictionary === undefined ? 0 : writeDictionary(writer, dictionary);
  const dataOffset = writer.offset;
  const size = dictionarySize + writeData(writer, dictionary === undefined ? 'PLAIN' : 'RLE_DICTIONARY', rows);
  return {
    file_offset: BigInt(offset),
    meta_data: {
      type: element.type ?? 'BYTE_ARRAY',
      encodings: dictionary === undefined ? ['PLAIN'] : ['PLAIN', 'RLE_DICTIONARY'],
      path_in_schema: [element.name],
      codec: 'SNAPPY',
      num_values: BigInt(rows.levels.length),
      total_compressed_size: BigInt(writer.offset - offset),
      total_uncompressed_size: BigInt(size),
      data_page_offset: BigInt(dataOffset),
      ...(dictionary !== undefined && { dictionary_page_offset: BigInt(offset) }),
      statistics: {
        null_count: BigInt(rows.nulls),
        ...(min_value !== undefined && { min_value }),
        ...(max_value !== undefined && { max_value }),
      },
    },
  };
}

/** Writes a page. Returns its bytes, if it was not compressed. */
function writeDictionary(writer: ByteWriter, { bytes, count }: Dictionary): number {
  const written = snappyCompress(bytes);
  const begin = writer.offset;
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: written.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  });
  const headerSize = writer.offset - begin;
  writer.appendBytes(written);
  return headerSize + bytes.length;
}

/** Writes a page. Returns its bytes, if it was not compressed. */
function writeData(writer: ByteWriter, encoding: Encoding, { levels, nulls, values }: Rows): number {
  const levelBytes = new ByteWriter();
  writeRleBitPackedHybrid(levelBytes, levels, 1);
  const written = snappyCompress(values);
  const begin = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levelBytes.offset + values.length,
    compressed_page_size: levelBytes.offset + written.length,
    data_page_header_v2: {
      num_values: levels.length,
      num_nulls: nulls,
      num_rows: levels.length,
      encoding,
      definition_levels_byte_length: levelBytes.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  writer.appendBytes(levelBytes.getBytes());
  const plainSize = writer.offset - begin + values.length;
  writer.appendBytes(written);
  return plainSize;
}

function plainOf(values: readonly ParquetValue[]): PlainValues {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length > 0 ? plainTexts(texts) : plainDoubles(values.map(Number));
}

function plainDoubles(values: readonly number[]): PlainValues {
  const view = new DataView(new ArrayBuffer(values.length * DOUBLE_BYTES));
  let [least, most] = [Infinity, -Infinity];
  for (const [index, value] of values.entries()) {
    view.setFloat64(index * DOUBLE_BYTES, value, true);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const bytes = new Uint8Array(view.buffer);
  if (!(least <= most)) return { bytes };
  // Zero has two forms, of which either may be among the values.
  return { bytes, min_value: least === 0 ? -0 : least, max_value: most === 0 ? 0 : most };
}

const DOUBLE_BYTES = 8;

function plainTexts(texts: readonly string[]): PlainValues {
  let room = 0;
  for (const text of texts) room += LENGTH_BYTES + text.length * UTF8_BYTES;
  const buffer = Buffer.allocUnsafeSlow(room);
  let end = 0;
  let [least, most]: (string | undefined)[] = [];
  for (const text of texts) {
    const from = end + LENGTH_BYTES;
    const length = buffer.write(text, from);
    buffer.writeUInt32LE(length, end);
    end = from + length;
    const isAscii = length === text.length;
    if (least === undefined || isBefore(text, least, isAscii)) least = text;
    if (most === undefined || isBefore(most, text, isAscii)) most = text;
  }
  const bytes = new Uint8Array(buffer.buffer, 0, end);
  return least === undefined || most === undefined ? { bytes } : { bytes, min_value: least, max_value: most };
}

/** Bytes of a text's length before it, and most of a unit of UTF-16. */
const LENGTH_BYTES = 4;
const UTF8_BYTES = 3;

/**
 * Returns true if a text comes before another by their bytes: the order of Parquet. That of JavaScript's strings is
 * another one only where neither is ASCII.
 */
function isBefore(text: string, other: string, isOneAscii: boolean): boolean {
  return isOneAscii ? text < other : Buffer.compare(Buffer.from(text), Buffer.from(other)) < 0;
}
