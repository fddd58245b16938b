import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { workbookOf } from '../../kernel/csv/workbook.ts';
import { ioWith } from '../../testing/io.ts';
import { tableOf } from '../../testing/table.ts';
import { runCli } from '../../cli/program.ts';

const VIN = '1HGCM82633A004352';
const LAUNCHER = fileURLToPath(new URL('../../../bin/marque.js', import.meta.url));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marque-parquet-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function fleet(name: string, rows: number, codec: 'SNAPPY' | 'UNCOMPRESSED' = 'SNAPPY'): string {
  const file = join(folder, name);
  const numbers = Array.from({ length: rows }, (_, index) => index);
  const columnData = [
    { name: 'id', data: numbers.map(BigInt), type: 'INT64' as const },
    { name: 'VIN', data: numbers.map((index) => (index === 1 ? 'no VIN, "none"' : VIN)), type: 'STRING' as const },
    { name: 'seen', data: numbers.map(() => new Date(0)), type: 'TIMESTAMP' as const },
  ];
  writeFileSync(file, new Uint8Array(parquetWriteBuffer({ columnData, codec, rowGroupSize: 1_000 })));
  return file;
}

/** Runs the real program, whose standard output is bytes. */
async function decoded(...words: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, 'decode', ...words], {
    encoding: 'buffer',
    maxBuffer: 100_000_000,
    env: { PATH: process.env['PATH'] },
  });
  return parquetReadObjects({ file: new Uint8Array(stdout).buffer });
}

test.each(['SNAPPY', 'UNCOMPRESSED'] as const)(
  'the rows of a Parquet file (%s) get columns, like those of CSV',
  async (codec) => {
    const io = ioWith();
    expect(await runCli(['decode', '--file', fleet('few.parquet', 3, codec)], io)).toBe(0);
    const [header = [], ...rows] = await tableOf(io.stdout.text);
    const records = rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]])));
    expect(records).toMatchObject([
      { id: '0', VIN, seen: '1970-01-01T00:00:00Z', error: '', model: 'Accord' },
      { id: '1', VIN: 'no VIN, "none"', model: '' },
      { id: '2', VIN, model: 'Accord' },
    ]);
  },
);

test('Parquet goes in and comes out, with numbers as numbers and nothing as null, over many row groups', async () => {
  const rows = await decoded('--file', fleet('many.parquet', 12_345), '--format', 'parquet');
  expect(rows).toHaveLength(12_345);
  expect(rows.map(({ id }) => Number(id))).toEqual(rows.map((_, index) => index));
  expect(rows[0]).toMatchObject({ VIN, model: 'Accord', error: null, 'specs.displacementCc': expect.any(Number) });
  expect(rows[1]).toMatchObject({ VIN: 'no VIN, "none"', model: null, error: expect.any(String) });
});

test('a list of VINs comes out as Parquet', async () => {
  const file = join(folder, 'vins.txt');
  writeFileSync(file, `${VIN}\n`.repeat(12_345));
  const rows = await decoded('--file', file, '--format', 'parquet');
  expect(rows).toHaveLength(12_345);
  expect(new Set(rows.map(({ model }) => model))).toEqual(new Set(['Accord']));
});

test('a CSV file with semicolons comes out as Parquet', async () => {
  const file = join(folder, 'fleet.csv');
  writeFileSync(file, `Kennzeichen;VIN\r\nHH-A 1;${VIN}\r\n`);
  expect(await decoded('--file', file, '--format', 'parquet')).toMatchObject([
    { Kennzeichen: 'HH-A 1', model: 'Accord' },
  ]);
});

test.each([
  [
    'a column that is not there',
    ['--file', 'few.parquet', '--column', 'wim'],
    /no column "wim"\. The columns are: id, VIN, seen/,
  ],
  ['a damaged file', ['--file', 'damaged.parquet'], /damaged Parquet file/],
  ['a file without a column of VINs', ['--file', 'other.parquet'], /No column contains VINs\..*--column/],
])('%s is refused with what to do', async (_, [option = '', name = '', ...rest], says) => {
  fleet('few.parquet', 3);
  writeFileSync(join(folder, 'damaged.parquet'), 'PAR1 and nothing');
  const columnData = [{ name: 'id', data: [1], type: 'INT32' as const }];
  writeFileSync(join(folder, 'other.parquet'), new Uint8Array(parquetWriteBuffer({ columnData })));
  const io = ioWith();
  expect(await runCli(['decode', option, join(folder, name), ...rest], io)).toBe(1);
  expect(io.stderr.text).toMatch(says);
});

test('a row with more cells than the table has columns is named', async () => {
  const file = join(folder, 'wide.csv');
  writeFileSync(file, `VIN,note\n${`${VIN},\n`.repeat(15_000)}${VIN},a,b\n`);
  const io = ioWith();
  expect(await runCli(['decode', '--file', file, '--format', 'parquet'], io)).toBe(1);
  expect(io.stderr.text).toContain('Row 15002 has a cell in column 3');
});

async function* narrowThenWide(): AsyncGenerator<string[][]> {
  yield Array.from({ length: 2_000 }, () => [VIN]);
  yield [
    ['', '', ''],
    [VIN, 'a', 'b'],
  ];
}

test('a row of a workbook with more cells than its first rows have is named', async () => {
  const file = join(folder, 'wide.xlsx');
  const columns = ['VIN', 'note', ''].map((name) => ({ name, kind: 'text' }) as const);
  const parts: Uint8Array[] = [];
  for await (const part of workbookOf(columns, narrowThenWide())) parts.push(part);
  writeFileSync(file, Buffer.concat(parts));
  const io = ioWith();
  expect(await runCli(['decode', '--file', file, '--format', 'parquet'], io)).toBe(1);
  expect(io.stderr.text).toContain('Row 2003 has a cell in column 3');
});

test('Parquet is not printed on a terminal', async () => {
  const io = ioWith();
  io.stdout.isTTY = true;
  expect(await runCli(['decode', VIN, '--format', 'parquet'], io)).toBe(2);
  expect(io.stderr.text).toContain('> FILE.parquet');
});
