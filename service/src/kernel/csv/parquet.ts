import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ColumnChunk, RowGroup } from 'hyparquet';
import type * as hyparquet from 'hyparquet-writer';

import type { Column, Page } from './csv.ts';
import { valueOf } from './cells.ts';
import { elementOf } from './kinds.ts';
import type { NumberedColumn, ParquetValue } from './parquet-values.ts';

/** The text of a row group, in bytes: each reader who takes no more keeps one, and its columns are written in a turn each. */
const GROUP_BYTES = 1_000_000;

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

/** Writes one in steps, for who has other work. @param valuesOf returns the values of a column when it is written. */
type GroupSteps = (
  columns: readonly Column[],
  valuesOf: (index: number) => ColumnValues,
  rows: number,
) => Generator<undefined, WrittenGroup, undefined>;

/** Returns a writer of row groups. Loaded with the first such file: a start of the service does not need it. */
export async function groupWriter(): Promise<GroupWriter> {
  const stepsOf = await groupSteps();
  return (columns, data, rows) => {
    const steps = stepsOf(columns, (index) => data[index] ?? [], rows);
    for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
  };
}

/** Cells that are written in a step: a long decimal takes two microseconds, a text a tenth of that. */
const STEP_CELLS = { text: 5_000, other: 1_000 };

async function groupSteps(): Promise<GroupSteps> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const { writeNumbered, writeTexts } = await import('./parquet-columns.ts');
  return function* steps(columns, valuesOf, rows) {
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
    const chunks: ColumnChunk[] = [];
    let done = 0;
    for (const [index, column] of columns.entries()) {
      chunks.push(chunkOf(column, valuesOf(index)));
      done += rows / STEP_CELLS[column.kind === 'text' ? 'text' : 'other'];
      if (done < 1) continue;
      yield;
      done = 0;
    }
    const group: RowGroup = {
      columns: chunks,
      num_rows: BigInt(rows),
      total_byte_size: chunks.reduce((sum, { meta_data: places }) => sum + (places?.total_uncompressed_size ?? 0n), 0n),
      total_compressed_size: BigInt(bytes.offset - MAGIC_BYTES),
    };
    return { bytes: bytes.getBytes().slice(MAGIC_BYTES), group };
  };
}

/** Bytes after the metadata: its length, and the mark of the format. */
const END_BYTES = 8;

/** The type of a structure in a list of Thrift's compact protocol, and the most entries that fit beside it. */
const STRUCTURE = 12;
const MOST_BESIDE = 14;

type Library = typeof hyparquet;

/** Joins row groups to a file. */
export class ParquetFile {
  readonly #library: Library;
  readonly #columns: readonly Column[];
  /** The metadata of each group, as they are written. */
  readonly #groups: Uint8Array[] = [];
  #first: RowGroup | undefined;
  #isBegun = false;
  #offset = 0;
  #rows = 0n;

  private constructor(library: Library, columns: readonly Column[]) {
    this.#library = library;
    this.#columns = columns;
  }

  static async of(columns: readonly Column[]): Promise<ParquetFile> {
    return new ParquetFile(await import('hyparquet-writer'), columns);
  }

  /** Yields the bytes that the file begins with, once. */
  *begin(): Generator<Uint8Array> {
    if (!this.#isBegun) yield MAGIC;
    this.#isBegun = true;
  }

  /** Yields the bytes that follow: those of the next row group. */
  *add({ bytes, group }: WrittenGroup): Generator<Uint8Array> {
    yield* this.begin();
    for (const column of group.columns) {
      column.file_offset += BigInt(this.#offset);
      const { meta_data: places } = column;
      if (places === undefined) continue;
      places.data_page_offset += BigInt(this.#offset);
      if (places.dictionary_page_offset !== undefined) places.dictionary_page_offset += BigInt(this.#offset);
    }
    this.#first ??= group;
    this.#groups.push(this.#metadata(0n, group).group.slice());
    this.#offset += bytes.length;
    this.#rows += group.num_rows;
    yield bytes;
  }

  /** Yields the bytes that the file ends with. */
  *end(): Generator<Uint8Array> {
    yield* this.begin();
    const { before, after } = this.#metadata(this.#rows, this.#first);
    const groups = this.#first === undefined ? [] : [listHeader(this.#groups.length), ...this.#groups];
    const metadata = [before, ...groups, after];
    yield* metadata;
    const end = Buffer.alloc(END_BYTES);
    end.writeUInt32LE(metadata.reduce((sum, { length }) => sum + length, 0));
    end.set(MAGIC, END_BYTES - MAGIC.length);
    yield end;
  }

  /**
   * Returns the metadata of a file with one row group, in its parts. The library would write that of all groups in one
   * turn, half a second for many columns: it is taken apart where it differs from that of a file without any.
   */
  #metadata(rows: bigint, group: RowGroup | undefined): { before: Uint8Array; group: Uint8Array; after: Uint8Array } {
    const none = this.#written(rows, []);
    if (group === undefined) return { before: none, group: none.subarray(0, 0), after: none.subarray(0, 0) };
    const one = this.#written(rows, [group]);
    const at = none.findIndex((byte, place) => byte !== one[place]);
    const rest = none.length - at - 1;
    return {
      before: one.subarray(0, at),
      group: one.subarray(at + 1, one.length - rest),
      after: one.subarray(one.length - rest),
    };
  }

  #written(rows: bigint, groups: readonly RowGroup[]): Uint8Array {
    const { ByteWriter, ParquetWriter } = this.#library;
    const bytes = new ByteWriter();
    const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(this.#columns) });
    writer.row_groups.push(...groups);
    writer.num_rows = rows;
    // Done when it returns: the bytes are in memory.
    void writer.finish();
    return bytes.getBytes().subarray(MAGIC_BYTES, -END_BYTES);
  }
}

const MAGIC = Buffer.from('PAR1');

/** Returns the header of a list of structures. */
function listHeader(count: number): Uint8Array {
  if (count <= MOST_BESIDE) return Uint8Array.of((count << 4) | STRUCTURE);
  const bytes = [(MOST_BESIDE + 1) * 16 + STRUCTURE];
  let rest = count;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.of(...bytes, rest);
}

/** Nothing yet: who reads the file can stop after each step. */
const NOTHING = new Uint8Array(0);

/**
 * Yields a table as the bytes of a Parquet file, compressed with Snappy. Empty cells are null, and names that occur
 * twice get a number.
 *
 * Each chunk, which may be empty, costs a page or a step of a row group at most: nothing is made for a reader that left.
 *
 * @param groupRows rows of a row group.
 */
export async function* parquetOf(
  columns: readonly Column[],
  pages: AsyncIterable<Page>,
  groupRows: number,
): AsyncGenerator<Uint8Array> {
  const table = uniqueColumns(columns);
  const [file, stepsOf] = [await ParquetFile.of(table), await groupSteps()];
  let group: (readonly string[])[] = [];
  let bytes = 0;
  yield* file.begin();
  async function* written(): AsyncGenerator<Uint8Array> {
    const rows = group;
    group = [];
    bytes = 0;
    const kinds = table.map(({ kind }) => kind);
    const valuesOf = (index: number) => rows.map((row) => valueOf(row[index] ?? '', kinds[index] ?? 'text'));
    const steps = stepsOf(table, valuesOf, rows.length);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return yield* file.add(step.value);
      await nextTurn();
      yield NOTHING;
    }
  }
  for await (const page of pages) {
    for (const row of page) {
      group.push(row);
      bytes += row.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0);
      if (group.length >= groupRows || bytes >= GROUP_BYTES) yield* written();
    }
    yield NOTHING;
  }
  if (group.length > 0) yield* written();
  yield* file.end();
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
  /** The number at which the search goes on: from 2 each time it would be quadratic. */
  const next = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    let number = next.get(name) ?? 2;
    for (; used.has(unique) || (unique !== name && taken.has(unique)); number++) unique = `${name} ${number}`;
    next.set(name, number);
    used.add(unique);
    return unique;
  });
}
