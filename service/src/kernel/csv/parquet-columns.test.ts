import { array, assert, constant, double, integer, oneof, property, string } from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { expect, test, vi } from 'vitest';

import { anyCharacter } from '../../testing/any-character.ts';
import { turnsDuring } from '../../testing/loop-turns.ts';
import type { Column } from './csv.ts';
import { type ColumnValues, groupWriter, ParquetFile, parquetOf } from './parquet.ts';
import { type ParquetValue, ValueList } from './parquet-values.ts';
import { elementOf } from './kinds.ts';

const TEXT: Column = { name: 'text', kind: 'text' };
const DOUBLE: Column = { name: 'number', kind: 'double' };

const write = await groupWriter();

/** Writes one column, and reads its values and their statistics. */
async function written(column: Column, values: ColumnValues, rows: number): Promise<object> {
  const file = await ParquetFile.of([column]);
  const parts = [...file.add(write([column], [values], rows)), ...file.end()];
  return contents(new Uint8Array(Buffer.concat(parts)).buffer);
}

/** The same with nothing but the library. */
async function byLibrary(column: Column, values: readonly ParquetValue[]): Promise<object> {
  const writer = new ByteWriter();
  const schema = [{ name: 'root', num_children: 1 }, elementOf(column.name, column.kind)];
  const whole = new ParquetWriter({ writer, schema });
  void whole.write({ columnData: [{ name: column.name, data: [...values] }], rowGroupSize: values.length });
  void whole.finish();
  return contents(writer.getBuffer());
}

async function contents(file: ArrayBuffer): Promise<object> {
  const { row_groups: groups } = parquetMetadata(file);
  const statistics = groups.map(({ columns }) => columns[0]?.meta_data?.statistics);
  return { values: await parquetReadObjects({ file }), statistics };
}

function numbered(values: readonly ParquetValue[]): ColumnValues {
  const list = new ValueList();
  // Values that other row groups have.
  for (const other of ['other', 12.5, '\u{1F600}']) list.numberOf(other);
  return { list, numbers: Uint32Array.from(values, (value) => list.numberOf(value)) };
}

const text = oneof(
  constant(null),
  string({ unit: anyCharacter, minLength: 1 }),
  string({ minLength: 1, maxLength: 2 }),
);
/** Without -0: it equals the other zero, so that the two have one number. */
const number = oneof(constant(null), double({ noNaN: true }), integer({ min: -3, max: 3 })).map((value) =>
  value === 0 ? 0 : value,
);

test.each([
  { column: TEXT, value: text },
  { column: DOUBLE, value: number },
])('a column of $column.kind is read back with the statistics that the library writes', async ({ column, value }) => {
  const lists: ParquetValue[][] = [];
  const rows = array<ParquetValue>(value, { minLength: 1, maxLength: 60, size: 'max' });
  assert(
    property(rows, (values) => void lists.push(values)),
    { seed: 60, numRuns: 60 },
  );
  for (const values of [...lists, [null, null]]) {
    const expected = await byLibrary(column, values);
    const found = [
      await written(column, numbered(values), values.length),
      await written(column, values, values.length),
    ];
    expect(found).toEqual([expected, expected]);
  }
});

test.each([1, 2, 3, 7, 8, 9, 256, 257, 5_000])('a column with %i different texts is read back', async (different) => {
  const values = Array.from({ length: 5_000 }, (_, row) => (row % 11 === 0 ? null : `text ${row % different}`));
  const expected = await byLibrary(TEXT, values);
  expect(await written(TEXT, numbered(values), values.length)).toEqual(expected);
  expect(await written(TEXT, values, values.length)).toEqual(expected);
});

test('texts longer than a page are read back', async () => {
  const values = Array.from({ length: 2_000 }, (_, row) => `${row}${'x'.repeat(1_000)}`);
  expect(await written(TEXT, values, values.length)).toEqual(await byLibrary(TEXT, values));
});

test.each([0, 1, 2, 14, 15, 16, 150])(
  'a file of %i row groups ends as the library would end it, a group at a time',
  async (count) => {
    const columns: Column[] = [TEXT, DOUBLE, { name: 'day', kind: 'date' }];
    const groups = Array.from({ length: count }, (_, group) =>
      write(
        columns,
        [
          ['a', `${group}`],
          [group, null],
          [group, 7],
        ],
        2,
      ),
    );
    const bytes = new ByteWriter();
    const schema = [{ name: 'root', num_children: 3 }, ...columns.map(({ name, kind }) => elementOf(name, kind))];
    const whole = new ParquetWriter({ writer: bytes, schema });
    const finish = vi.spyOn(ParquetWriter.prototype, 'finish');
    const file = await ParquetFile.of(columns);
    const parts: Uint8Array[] = [];
    for (const { bytes: own, group } of groups) {
      parts.push(...file.add({ bytes: own, group }));
      // With the places that it has in the file.
      whole.row_groups.push(group);
      whole.num_rows += group.num_rows;
      bytes.appendBytes(own);
    }
    parts.push(...file.end());
    const most = finish.mock.contexts.map((writer) => (writer instanceof ParquetWriter ? writer.row_groups.length : 0));
    expect(Math.max(...most)).toBeLessThanOrEqual(1);
    finish.mockRestore();
    void whole.finish();
    expect(Buffer.concat(parts).equals(bytes.getBytes())).toBe(true);
  },
);

test('a wide row group is written in many turns of the event loop, and its reader may leave after each', async () => {
  const columns = Array.from({ length: 100 }, (_, index): Column => ({ name: `${index}`, kind: 'decimal-76-0' }));
  async function* pages() {
    yield Array.from({ length: 1_000 }, (_, row) => columns.map(() => String(row)));
  }
  const parts: Uint8Array[] = [];
  const { turns } = await turnsDuring(async () => {
    for await (const part of parquetOf(columns, pages(), 1_000)) parts.push(part);
  });
  expect(turns).toBeGreaterThanOrEqual(25);
  expect(parts[0]).toEqual(Buffer.from('PAR1'));
  expect(parts.filter(({ length }) => length === 0).length).toBeGreaterThanOrEqual(25);
  const rows = await parquetReadObjects({ file: new Uint8Array(Buffer.concat(parts)).buffer, columns: ['99'] });
  expect(rows.at(-1)).toEqual({ 99: 999 });
});

/** Returns letters of three bytes each, none of which comes soon again. */
function longText(row: number): string {
  const codes = Array.from({ length: 10_000 }, (_, at) => 0x4e00 + ((row * 7_919 + at * at) % 20_000));
  return String.fromCharCode(...codes);
}

async function* longTexts(): AsyncGenerator<string[][]> {
  yield Array.from({ length: 100 }, (_, row) => [longText(row)]);
}

test('a row group has a megabyte of text, in bytes', async () => {
  const lengths: number[] = [];
  for await (const part of parquetOf([TEXT], longTexts(), 1_000)) lengths.push(part.length);
  expect(Math.max(...lengths)).toBeLessThan(1_100_000);
});
