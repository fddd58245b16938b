import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { parquetMetadata } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, expect, test } from 'vitest';

import { elementOf, kindOf } from '../kernel/csv/kinds.ts';
import { rowsText } from './file-pages.ts';
import { readParquet } from './read-parquet.ts';
import { textCell, workbookFile, workbookWith, zipOf } from './testing/workbook.ts';
import type { PackedTable, Unpacked } from './unpack.ts';
import { Unpacker } from './unpacker.ts';

const VIN = '1HGCM82633A004352';
const TOO_LARGE = 'too large when it is unpacked';

const unpacker = new Unpacker();

afterAll(() => unpacker.close());

/** Unpacks in a thread, as the service does. */
function unpacked(form: PackedTable['form'], bytes: Uint8Array, more: Partial<PackedTable> = {}): Promise<Unpacked> {
  return unpacker.unpack({
    form,
    bytes: new Uint8Array(bytes),
    column: '',
    mostRows: 100,
    mostBytes: 50_000_000,
    ...more,
  });
}

async function rowsOf(form: PackedTable['form'], bytes: Uint8Array, more: Partial<PackedTable> = {}) {
  const result = await unpacked(form, bytes, more);
  if (result.kind === 'refused') return result.message;
  const { layout, pages } = result;
  const rows = pages.flatMap((page): string[][] => JSON.parse(rowsText(page)));
  return layout.names === undefined ? rows : [layout.names, ...rows];
}

const parquetFile = (options: Parameters<typeof parquetWriteBuffer>[0]) => new Uint8Array(parquetWriteBuffer(options));

test('cells of a workbook become text: dates as ISO, numbers as they are shown, long ones exactly', async () => {
  const cells = [
    textCell('A1', VIN),
    '<c r="B1" s="1"><v>45413</v></c>',
    '<c r="C1" s="2"><v>45413.75</v></c>',
    '<c r="D1" s="3"><v>0.520833333333333</v></c>',
    '<c r="E1"><v>12345678901234567890</v></c>',
    '<c r="F1"><v>1.1000000000000001</v></c>',
    '<c r="G1"><v>4.0E4</v></c>',
    '<c r="H1" t="b"><v>1</v></c>',
    '<c r="J1"><f>1+1</f><v>2</v></c>',
  ];
  const row = [
    VIN,
    '2024-05-01',
    '2024-05-01T18:00:00',
    '12:30:00',
    '12345678901234567890',
    '1.1',
    '40000',
    'TRUE',
    '',
    '2',
  ];
  expect(await rowsOf('workbook', await workbookFile([cells]))).toEqual([row]);
});

test('of several sheets the first one with VINs is read, without its empty rows', async () => {
  const cover = [[textCell('A1', 'Fleet report')]];
  const cars = [[textCell('A1', 'No'), textCell('B1', 'VIN')], [], [textCell('B3', VIN)]];
  const other = [[textCell('A1', 'VIN')], [textCell('A2', 'WVWZZZ1KZCW000001')]];
  expect(await rowsOf('workbook', await workbookFile([], cover, cars, other))).toEqual([
    ['No', 'VIN'],
    ['', VIN],
  ]);
  expect(await rowsOf('workbook', await workbookFile([], cover))).toContain('No column contains VINs.');
});

test('values of Parquet become text: days as ISO, long numbers exactly, nothing as an empty cell', async () => {
  const columnData = [
    { name: 'VIN', data: [VIN, null], type: 'STRING' as const },
    { name: 'id', data: [12_345_678_901_234_567n, 1n], type: 'INT64' as const },
    { name: 'seen', data: [new Date('2024-05-01T18:00:00Z'), new Date(0)], type: 'TIMESTAMP' as const },
    { name: 'isNew', data: [true, false], type: 'BOOLEAN' as const },
  ];
  expect(await rowsOf('parquet', parquetFile({ columnData }))).toEqual([
    ['VIN', 'id', 'seen', 'isNew'],
    [VIN, '12345678901234567', '2024-05-01T18:00:00Z', 'true'],
    ['', '1', '1970-01-01T00:00:00Z', 'false'],
  ]);
});

test('a number whose schema gives its length in bits is read, as fastparquet (Python) writes it', async () => {
  const number = { type: 'INT64', type_length: 64, repetition_type: 'OPTIONAL' } as const;
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'id', ...number },
  ];
  const file = parquetFile({ columnData: [{ name: 'id', data: [7n] }], schema });
  expect((await readParquet(file.slice().buffer, 10)).rows).toEqual([{ line: 1, cells: ['7'] }]);
});

test('no more rows are unpacked than show that there are too many', async () => {
  const data = Array.from({ length: 5_000 }, () => VIN);
  const columnData = [{ name: 'VIN', data, type: 'STRING' as const }];
  const file = parquetFile({ columnData, rowGroupSize: 30 });
  expect((await readParquet(file.slice().buffer, 201)).rows).toHaveLength(201);
  expect(await rowsOf('parquet', file)).toContain('at most 100 rows');
  const sheet = data.map((vin, index) => [textCell(`A${index + 1}`, vin)]);
  expect(await rowsOf('workbook', await workbookFile(sheet))).toContain('at most 100 rows');
});

/** Changes the declared sizes of the parts of a zip, where the reader looks for them. */
function declaring(zip: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(zip);
  for (let at = bytes.indexOf('PK\u0001\u0002'); at !== -1; at = bytes.indexOf('PK\u0001\u0002', at + 4)) {
    bytes.writeUInt32LE(size, at + 24);
  }
  return bytes;
}

test('a zip bomb is refused before it is unpacked, and one with a false size takes no more than it declares', async () => {
  const whole = await workbookFile([[textCell('A1', VIN)]]);
  expect(await rowsOf('workbook', declaring(whole, 50_000_000))).toContain(TOO_LARGE);
  expect(await rowsOf('workbook', declaring(whole, 100))).toContain('damaged');
});

test('a sheet with a cell far away is refused, and the next file finds a thread', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => [textCell(`A${index + 1}`, VIN)]);
  rows[0]?.push('<c r="XFD1"><v>1</v></c>');
  expect(await rowsOf('workbook', await workbookFile(rows))).toContain(
    'Row 1 has a cell in column 16384; 256 are the most.',
  );
  expect(await rowsOf('workbook', await workbookFile([[textCell('A1', VIN)]]))).toEqual([[VIN]]);
});

test.each([
  ['rows without cells', await workbookFile(Array.from({ length: 300_000 }, () => []))],
  ['rows without cells, with a prefix', await workbookFile([['</row>', '<x:row/>'.repeat(300_000), '<row>']])],
  ['a text without end', await workbookFile([[textCell('A1', 'x'.repeat(20_000_000))]])],
  ['a text of nothing but entities', await workbookFile([[textCell('A1', '&amp;'.repeat(4_000_000))]])],
  ['a CDATA section without end', await workbookFile([['<![CDATA[', '<'.repeat(20_000_000)]])],
  ['a comment without end', await workbookFile([['<!--', '<a>'.repeat(6_000_000)]])],
  ['an instruction without end', await workbookFile([['<?x ', '<a>'.repeat(6_000_000)]])],
  ['a tag without end', await workbookFile([[`<c ${'a="" '.repeat(4_000_000)}/>`]])],
])('a small workbook with %s does not cost the reader more than its length', async (_, bytes) => {
  expect(bytes.length).toBeLessThan(1_000_000);
  const used = process.cpuUsage();
  await rowsOf('workbook', bytes);
  // It ended by itself: a thread that used up its time is ended after 10 s of it.
  const { user, system } = process.cpuUsage(used);
  expect((user + system) / 1_000).toBeLessThan(4_000);
});

const FORMS = `<styleSheet><cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs></styleSheet>`;

const SHARED = `<sst><si>${`<t>${'x'.repeat(200_000)}</t>`.repeat(2)}</si></sst>`;

// Where a thread's memory ends, V8 ends the process rather than make one list or text of tens of megabytes.
test.each([
  ['elements within one another', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`, {}],
  ['parts of a cell', `<c t="inlineStr"><is>${`<t>${'x'.repeat(200_000)}</t>`.repeat(2)}</is></c>`, {}],
  ['forms of cells', '', { 'xl/styles.xml': FORMS }],
  ['parts of a text that cells share', '', { 'xl/sharedStrings.xml': SHARED }],
])('a workbook with more %s than any has is refused', async (_, xml, parts) => {
  const bytes = await workbookWith(parts, [[textCell('A1', VIN)], [xml]]);
  expect(await rowsOf('workbook', bytes)).toMatch(/damaged|too large/);
});

test('a cell finds its text among any number of them', async () => {
  const texts = Array.from({ length: 70_000 }, (_, index) => `<si><t>${index === 69_000 ? VIN : 'x'}</t></si>`);
  const parts = { 'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>` };
  const cells = ['<c r="A1" t="s"><v>69000</v></c>', '<c r="B1" t="s"><v>0</v></c>'];
  expect(await rowsOf('workbook', await workbookWith(parts, [cells]))).toEqual([[VIN, 'x']]);
});

test('more text than a file may contain is refused, however short it is packed', async () => {
  const long = 'x'.repeat(1_000_000);
  const columnData = [{ name: 'VIN', data: Array.from({ length: 50 }, () => long), type: 'STRING' as const }];
  expect(await rowsOf('parquet', parquetFile({ columnData }))).toContain(TOO_LARGE);
});

test.each(['SNAPPY', 'UNCOMPRESSED', 'GZIP', 'ZSTD', 'BROTLI'] as const)('Parquet with %s is read', async (codec) => {
  const compressors = { GZIP: gzipSync, ZSTD: zstdCompressSync, BROTLI: brotliCompressSync };
  const columnData = [{ name: 'VIN', data: [VIN, 'x'], type: 'STRING' as const }];
  expect(await rowsOf('parquet', parquetFile({ columnData, codec, compressors }))).toEqual([['VIN'], [VIN], ['x']]);
});

/** A number as Thrift's compact protocol writes it. */
function varint(value: number): number[] {
  const zigzag = value * 2;
  const bytes: number[] = [];
  let rest = zigzag;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

/** Returns a file whose first page declares this, instead of its true sizes. The footer is kept. */
function lying(uncompressed: number, values: number): Uint8Array {
  const columnData = [{ name: 'VIN', data: [VIN], type: 'STRING' as const }];
  const file = parquetFile({ columnData, codec: 'UNCOMPRESSED' });
  const column = parquetMetadata(file.buffer).row_groups[0]?.columns[0]?.meta_data;
  const start = Number(column?.data_page_offset);
  const length = Number(column?.total_compressed_size);
  // A data page: its type, its sizes, and its own header with the count of values and three encodings.
  const header = [
    0x15,
    0,
    0x15,
    ...varint(uncompressed),
    0x15,
    ...varint(0),
    0x2c,
    0x15,
    ...varint(values),
    0x15,
    0,
    0x15,
    6,
    0x15,
    6,
    0,
    0,
  ];
  expect(header.length).toBeLessThanOrEqual(length);
  const page = new Uint8Array(length);
  page.set(header);
  const changed = new Uint8Array(file);
  changed.set(page, start);
  return changed;
}

test('Parquet whose pages declare more than a file may contain is refused before anything is unpacked', async () => {
  expect(await rowsOf('parquet', lying(2_000_000_000, 1))).toContain(TOO_LARGE);
  expect(await rowsOf('parquet', lying(1, 2_000_000_000))).toContain(TOO_LARGE);
});

test('Parquet with a value longer than a cell, or a decimal with more digits than any, is refused before its text is made', async () => {
  const long = '\u4e00'.repeat(20_000);
  const vins = { name: 'VIN', data: [VIN, VIN], type: 'STRING' as const };
  const texts = { name: 'text', data: [long, long], type: 'STRING' as const };
  const bytes = { name: 'bytes', data: [Buffer.from(long), Buffer.from(long)], type: 'BYTE_ARRAY' as const };
  for (const column of [texts, bytes]) {
    const file = parquetFile({ columnData: [vins, column] });
    expect(await rowsOf('parquet', file)).toContain('A value of the Parquet file is too large');
  }
  expect(() =>
    kindOf({ name: 'd', type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 400_000_000 }),
  ).toThrow('too many digits');
  expect(() => elementOf('d', 'decimal-2000000000-2')).toThrow('too many digits');
  expect(kindOf({ name: 'd', type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 2 })).toBe('decimal-9-2');
});

/** Returns a file of nothing but metadata. */
function footer(...bytes: number[]): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return new Uint8Array([...Buffer.from('PAR1'), ...bytes, ...length, ...Buffer.from('PAR1')]);
}

test('Parquet with a list as long as it likes, or structures without end, is refused before the library reads it', async () => {
  // The second field is the schema: a list of structures.
  expect(await rowsOf('parquet', footer(0x15, 2, 0x19, 0xfc, 0x80, 0x80, 0x80, 0x08, 0))).toContain(TOO_LARGE);
  expect(await rowsOf('parquet', footer(...Array<number>(100_000).fill(0x1c)))).toContain('damaged');
  expect(await rowsOf('parquet', footer(...Array<number>(100_000).fill(0x19)))).toContain('damaged');
  expect(await rowsOf('parquet', lying(1, 1_500_000))).toContain(TOO_LARGE);
});

test.each([
  ['a workbook', 'workbook', await workbookFile([[textCell('A1', VIN)]])],
  ['Parquet', 'parquet', parquetFile({ columnData: [{ name: 'VIN', data: [VIN, VIN], type: 'STRING' }] })],
] as const)('%s that is damaged anywhere is read or refused, and never harms the service', async (_, form, whole) => {
  for (let length = 4; length < whole.length; length += Math.ceil(whole.length / 40)) {
    const cut = whole.slice(0, length);
    expect(await rowsOf(form, cut)).toEqual(expect.any(String));
    const changed = new Uint8Array(whole);
    changed[length] = (changed[length] ?? 0) ^ 0xff;
    expect(['read', 'refused']).toContain((await unpacked(form, changed)).kind);
  }
});

test('a table that takes more than may be kept is refused before all of it is read', async () => {
  const rows = Array.from({ length: 90 }, (_, row) => [
    textCell(`A${row + 1}`, VIN),
    textCell(`B${row + 1}`, 'x'.repeat(900)),
  ]);
  const workbook = await workbookFile(rows);
  expect(await rowsOf('workbook', workbook, { mostBytes: 50_000 })).toContain('takes more than 0.05 MB');
  expect(await rowsOf('workbook', workbook, { mostBytes: 100_000 })).toHaveLength(90);
});

test('a zip that is not a workbook is refused with the remedy', async () => {
  expect(await rowsOf('workbook', await zipOf({ 'content.xml': '<x/>' }))).toContain('Save it as .xlsx or CSV');
});
