import type { ColumnChunk, RowGroup } from 'hyparquet';
import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';

import type { Column, Page } from './csv.ts';
import { elementOf, valueOf } from './kinds.ts';
import type { NumberedColumn, ParquetValue } from './parquet-values.ts';

/** The text of a row group, in characters: together with its rows this bounds the memory in use. */
const GROUP_CHARACTERS = 4_000_000;

/** The bytes that a file begins with. */
const MAGIC_BYTES = 4;

/** Rows that are encoded and compressed, with the places of their columns as if a file began with them. */
export interface WrittenGroup {
  bytes: Uint8Array<ArrayBuffer>;
  group: RowGroup;
}

/** The values of a column, of all rows. */
export type ColumnValues = readonly ParquetValue[] | NumberedColumn;

/** Writes the values of columns, for at least one row; names have to be unique. */
export type GroupWriter = (columns: readonly Column[], data: readonly ColumnValues[], rows: number) => WrittenGroup;

/** Returns the element of a schema for each column, and the root before them. */
function schemaOf(columns: readonly Column[]): ReturnType<typeof elementOf>[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.map(({ name, kind }) => elementOf(name, kind))];
}

/** Returns a writer of row groups. Loaded with the first such file: a start of the service does not need it. */
export async function groupWriter(): Promise<GroupWriter> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const { writeNumbered, writeTexts } = await import('./parquet-columns.ts');
  return (columns, data, rows) => {
    const bytes = new ByteWriter();
    const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(columns) });
    const chunkOf = ({ name, kind }: Column, values: ColumnValues): ColumnChunk => {
      const element = elementOf(name, kind);
      if ('list' in values) return writeNumbered(bytes, element, values);
      const chunk = kind === 'text' ? writeTexts(bytes, element, values) : undefined;
      if (chunk !== undefined) return chunk;
      // Done when it returns, since nothing is flushed.
      void writer.write({ columnData: [{ name, data: [...values], offsetIndex: false }], rowGroupSize: rows });
      const written = writer.row_groups.pop()?.columns[0];
      if (written === undefined) throw new Error('A row group has at least one row.');
      return written;
    };
    const chunks = columns.map((column, index) => chunkOf(column, data[index] ?? []));
    const group: RowGroup = {
      columns: chunks,
      num_rows: BigInt(rows),
      total_byte_size: chunks.reduce((sum, { meta_data: places }) => sum + (places?.total_uncompressed_size ?? 0n), 0n),
      total_compressed_size: BigInt(bytes.offset - MAGIC_BYTES),
    };
    return { bytes: bytes.getBytes().slice(MAGIC_BYTES), group };
  };
}

/** Joins row groups to a file. */
export class ParquetFile {
  readonly #bytes: ByteWriter;
  readonly #writer: ParquetWriter;

  private constructor(bytes: ByteWriter, writer: ParquetWriter) {
    this.#bytes = bytes;
    this.#writer = writer;
  }

  static async of(columns: readonly Column[]): Promise<ParquetFile> {
    const hyparquet = await import('hyparquet-writer');
    const bytes = new hyparquet.ByteWriter();
    return new ParquetFile(bytes, new hyparquet.ParquetWriter({ writer: bytes, schema: schemaOf(columns) }));
  }

  /** Yields the bytes that follow: those of the next row group. */
  *add({ bytes, group }: WrittenGroup): Generator<Uint8Array> {
    const moved = BigInt(this.#bytes.offset - MAGIC_BYTES);
    for (const column of group.columns) {
      column.file_offset += moved;
      const { meta_data: places } = column;
      if (places === undefined) continue;
      places.data_page_offset += moved;
      if (places.dictionary_page_offset !== undefined) places.dictionary_page_offset += moved;
    }
    this.#writer.row_groups.push(group);
    this.#writer.num_rows += group.num_rows;
    if (this.#bytes.index > 0) yield this.#taken();
    this.#bytes.offset += bytes.length;
    yield bytes;
  }

  /** Returns the bytes that the file ends with. */
  async end(): Promise<Uint8Array> {
    await this.#writer.finish();
    return this.#taken();
  }

  #taken(): Uint8Array {
    const written = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return written;
  }
}

/**
 * Yields a table as the bytes of a Parquet file, compressed with Snappy. Empty cells are null, and names that occur
 * twice get a number.
 *
 * @param groupRows rows of a row group: nothing else runs while one is written.
 */
export async function* parquetOf(
  columns: readonly Column[],
  pages: AsyncIterable<Page>,
  groupRows: number,
): AsyncGenerator<Uint8Array> {
  const table = uniqueColumns(columns);
  const [file, write] = [await ParquetFile.of(table), await groupWriter()];
  let group: (readonly string[])[] = [];
  let characters = 0;
  const written = (): WrittenGroup => {
    const rows = group;
    group = [];
    characters = 0;
    const data = table.map(({ kind }, index) => rows.map((row) => valueOf(row[index] ?? '', kind)));
    return write(table, data, rows.length);
  };
  for await (const page of pages) {
    for (const row of page) {
      group.push(row);
      characters += row.reduce((sum, cell) => sum + cell.length, 0);
      if (group.length >= groupRows || characters >= GROUP_CHARACTERS) yield* file.add(written());
    }
  }
  if (group.length > 0) yield* file.add(written());
  yield await file.end();
}

/** Returns columns of which each name is unique: one that is empty or occurs twice gets a number. */
export function uniqueColumns(columns: readonly Column[]): Column[] {
  const names = uniqueNames(columns);
  return columns.map(({ kind }, index) => ({ name: names[index] ?? '', kind }));
}

/** Returns names of which each is unique: one that is empty or occurs twice gets a number. */
export function uniqueNames(columns: readonly Column[]): string[] {
  const names = columns.map(({ name }, index) => (name === '' ? `column ${index + 1}` : name));
  const [taken, used] = [new Set(names), new Set<string>()];
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique) || (unique !== name && taken.has(unique)); number++)
      unique = `${name} ${number}`;
    used.add(unique);
    return unique;
  });
}
