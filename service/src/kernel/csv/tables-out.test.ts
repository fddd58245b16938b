import { setImmediate as nextTurn } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';

import { array, assert, asyncProperty, double, record, string } from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { readSheet } from 'read-excel-file/universal';
import { expect, test } from 'vitest';

import type { Column, Page } from './csv.ts';
import { textOfValue, valueOf } from './cells.ts';
import { parquetOf } from './parquet.ts';
import { workbookOf } from './workbook.ts';
import { anyCharacter } from '../../testing/any-character.ts';

const COLUMNS: readonly Column[] = [
  { name: 'VIN', kind: 'text' },
  { name: 'power', kind: 'double' },
];

async function* pagesOf(...pages: Page[]): AsyncGenerator<Page> {
  for (const page of pages) yield page;
}

async function* failingPages(): AsyncGenerator<Page> {
  yield [['1', '2']];
  throw new Error('The rows are away.');
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return new Uint8Array(Buffer.concat(read)).buffer;
}

const parquet = (pages: AsyncIterable<Page>, columns = COLUMNS, groupRows = 1_000) =>
  bytesOf(parquetOf(columns, pages, groupRows));
const workbook = (pages: AsyncIterable<Page>, columns = COLUMNS) => bytesOf(workbookOf(columns, pages));

/** Whole characters: half of a surrogate pair has no UTF-8. */
const rows = array(
  record({ text: string({ unit: anyCharacter }), number: double({ noNaN: true, noDefaultInfinity: true }) }),
  { minLength: 1, maxLength: 20 },
);

test('rows written as Parquet are read back: text as text, numbers as numbers, nothing as null', async () => {
  const rule = asyncProperty(rows, async (written) => {
    const page = written.map(({ text, number }) => [text, String(number)]);
    const read = await parquetReadObjects({ file: await parquet(pagesOf(page, [['', '']]), COLUMNS, 7) });
    const expected = written.map(({ text, number }) => ({
      VIN: text === '' ? null : text,
      power: Number(String(number)),
    }));
    expect(read).toEqual([...expected, { VIN: null, power: null }]);
  });
  await expect(assert(rule)).resolves.toBeUndefined();
});

test.each([
  ['int32', '-2147483648', '2147483647'],
  ['uint32', '0', '4294967295'],
  ['int64', '-9223372036854775808', '9223372036854775807'],
  ['uint64', '0', '18446744073709551615'],
] as const)('the least and the greatest %s are written as Parquet and read back', async (kind, least, most) => {
  const columns: Column[] = [{ name: 'n', kind }];
  const read = await parquetReadObjects({ file: await parquet(pagesOf([[least], [''], [most]]), columns) });
  expect(read.map(({ n }) => n === null || String(n))).toEqual([least, true, most]);
});

test.each([
  ['date', '2147483647'],
  ['timestamp-micros', '9223372036854775807'],
  ['timestamp-micros-utc', '-9223372036854775807'],
] as const)('infinity as a database writes it in a %s is kept', async (kind, number) => {
  expect(textOfValue(BigInt(number), kind)).toBe(number);
  expect(String(valueOf(number, kind))).toBe(number);
});

test('rows written as a workbook are read back: text as text, numbers as numbers', async () => {
  const rule = asyncProperty(rows, async (written) => {
    const page = written.map(({ text, number }) => [text, String(number)]);
    const read = await readSheet(await workbook(pagesOf(page, [['end', '1']])), 1, { trim: false });
    const expected = written.map(({ text, number }) => [text === '' ? null : text, Number(String(number))]);
    expect(read).toEqual([['VIN', 'power'], ...expected, ['end', 1]]);
  });
  await expect(assert(rule)).resolves.toBeUndefined();
});

test('cells that a spreadsheet would take for a formula, a number or a date are text in a workbook', async () => {
  const texts = [
    '=1+1',
    '1E51234',
    '00123',
    '2024-05-01',
    '_x0041_',
    'a\r\nb',
    '<b>&',
    '\u0001\u0001\u007F\u0085\uFFFE\uFFFF',
  ];
  const read = await readSheet(await workbook(pagesOf(texts.map((text) => [text, '']))));
  expect(read.slice(1).map(([text]) => text)).toEqual(texts);
});

test("a cell longer than a spreadsheet's limit is cut", async () => {
  const read = await readSheet(await workbook(pagesOf([['x'.repeat(40_000), '1']])));
  expect(String(read[1]?.[0])).toHaveLength(32_767);
});

test('a workbook ends with the error of its rows, and stops reading them when its reader stops', async () => {
  await expect(workbook(failingPages())).rejects.toThrow('The rows are away.');
  const ended = Promise.withResolvers<string>();
  async function* endless(): AsyncGenerator<Page> {
    try {
      for (let at = 0; ; at++) yield Array.from({ length: 1_000 }, (_, row) => [`${at} ${row}`, '']);
    } finally {
      ended.resolve('ended');
    }
  }
  for await (const piece of workbookOf(COLUMNS, endless())) if (piece.length > 1_000) break;
  await expect(ended.promise).resolves.toBe('ended');
});

test.each([
  ['a workbook', (pages: AsyncIterable<Page>) => workbookOf(COLUMNS, pages)],
  ['Parquet', (pages: AsyncIterable<Page>) => parquetOf(COLUMNS, pages, 1_000)],
])('%s makes no page before somebody asks for it', async (_, write) => {
  let made = 0;
  async function* counted(): AsyncGenerator<Page> {
    for (;;) {
      made += 1;
      yield Array.from({ length: 20 }, (_, row) => [`${made} ${row}`, '']);
    }
  }
  const pieces = write(counted());
  for (const asked of [1, 2, 3, 4, 5]) {
    await pieces.next();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(made).toBeLessThanOrEqual(asked);
  }
  await pieces.return(undefined);
});

test('a workbook names its normal style, without which readers such as openpyxl warn', async () => {
  const bytes = Buffer.from(await workbook(pagesOf()));
  const name = bytes.indexOf('xl/styles.xml');
  const header = name - 30;
  const styles = inflateRawSync(
    bytes.subarray(name + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)),
  );
  expect(styles.toString()).toContain('<cellStyle name="Normal" xfId="0" builtinId="0"/>');
});

test('columns beyond Z keep their places', async () => {
  const columns = Array.from({ length: 800 }, (_, index) => ({ name: `c${index}`, kind: 'double' as const }));
  const read = await readSheet(await workbook(pagesOf([columns.map((_, index) => String(index))]), columns));
  expect(read[1]).toEqual(columns.map((_, index) => index));
});

test('columns of one name keep their own cells in Parquet', async () => {
  const columns = ['a', 'a', 'a', 'a 2', ''].map((name) => ({ name, kind: 'text' as const }));
  const file = await parquet(pagesOf([['1', '2', '3', '4', '5']]), columns);
  expect(await parquetReadObjects({ file })).toEqual([{ a: '1', 'a 3': '2', 'a 4': '3', 'a 2': '4', 'column 5': '5' }]);
});

test('a row group ends after so many rows, or where its rows are long', async () => {
  const short = await parquet(pagesOf(Array.from({ length: 2_500 }, () => ['x', ''])));
  expect(parquetMetadata(short).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([1_000, 1_000, 500]);
  const long = await parquet(pagesOf(Array.from({ length: 5 }, () => ['x'.repeat(500_000), ''])));
  expect(parquetMetadata(long).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([2, 2, 1]);
});

test('tables without rows have their columns', async () => {
  expect(await readSheet(await workbook(pagesOf()))).toEqual([['VIN', 'power']]);
  expect(parquetMetadata(await parquet(pagesOf())).schema.map(({ name }) => name)).toEqual(['root', 'VIN', 'power']);
});
