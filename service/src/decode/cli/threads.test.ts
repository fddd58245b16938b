import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { workbookOf } from '../../kernel/csv/workbook.ts';
import { catalog } from '../../testing/decoder.ts';
import { ioWith } from '../../testing/io.ts';
import { type DecodeJob, runDecode } from './run.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/marque.js', import.meta.url));
/** More than one thread reads at a time: a block is about 900 VINs. */
const ROWS = 2_000;
/** More rows than a pipe and all buffers have room for. */
const MANY_ROWS = 100_000;

const folder = mkdtempSync(join(tmpdir(), 'marque-threads-'));
const list = join(folder, 'vins.txt');
const table = join(folder, 'fleet.csv');
const quoted = join(folder, 'quoted.csv');
const workbook = join(folder, 'fleet.xlsx');
const long = join(folder, 'long.txt');

const STARTS = ['1HGCM82633A', 'WVWZZZ1JZ3W', 'JTDKN3DU5A0', 'WDB9634031L', 'not a VIN '];
const vinOf = (row: number): string => `${STARTS[row % STARTS.length]}${String(100_000 + row).slice(-6)}`;
const rowsOf = (count: number, text: (row: number) => string): string =>
  Array.from({ length: count }, (_, row) => `${text(row)}\n`).join('');

/** Returns a row: some have fewer or more cells than the names, or quotes that have to be parsed. */
const oddRow = (row: number): string => {
  const note = row < 5 ? 'a"b' : ['"ü, ""x"""', '', ' '][row % 3];
  return `${row},${note},${vinOf(row)}${row % 7 === 0 ? '' : ',diesel'}${row % 11 === 0 ? ',1,2' : ''}`;
};

beforeAll(async () => {
  writeFileSync(list, rowsOf(ROWS, vinOf));
  writeFileSync(table, `id,note,VIN,fuelType\n${rowsOf(ROWS, (row) => `${row},"a, b",${vinOf(row)},diesel`)}`);
  writeFileSync(quoted, `id,note,VIN,fuelType\n${rowsOf(ROWS, oddRow)}`);
  const columns = ['id', 'note', 'VIN', 'fuelType'].map((name) => ({ name, kind: 'text' }) as const);
  async function* pages(): AsyncGenerator<string[][]> {
    for (let row = 0; row < ROWS; row++) yield [[String(row), row % 3 === 0 ? ' "a,\n' : '', vinOf(row)]];
  }
  const parts: Uint8Array[] = [];
  for await (const part of workbookOf(columns, pages())) parts.push(part);
  writeFileSync(workbook, Buffer.concat(parts));
  writeFileSync(long, rowsOf(MANY_ROWS, vinOf));
});

afterAll(() => rmSync(folder, { recursive: true }));

const jobs: [string, Partial<DecodeJob>][] = [
  ['lines of JSON', { file: list, format: 'jsonl' }],
  ['a list of JSON', { file: list, format: 'json' }],
  ['a table', { file: list, format: 'table' }],
  ['CSV', { file: list, format: 'csv' }],
  ["NHTSA's elements", { file: list, format: 'vpic' }],
  ['rows with columns added', { file: table }],
  ['rows of which some have to be parsed', { file: quoted }],
  ['rows of a workbook', { file: workbook }],
  ['rows with hints from their columns', { file: table, candidates: {} }],
  ['a column as lines of JSON', { file: table, format: 'jsonl' }],
];

test.each(jobs)('threads print %s byte for byte as one does', async (_what, job) => {
  const print = async (most: number) => {
    const io = ioWith();
    const threads = { most, fromBytes: 0 };
    const count = await runDecode(catalog, { vins: [], file: undefined, explain: false, ...job, threads }, io);
    return { count, text: io.stdout.text };
  };
  const [one, several] = [await print(1), await print(2)];
  expect(several.count).toEqual(one.count);
  expect(one.count).toEqual({ decoded: (ROWS * 4) / 5, refused: ROWS / 5 });
  expect(several.text === one.text).toBe(true);
});

/** Starts a real process whose output is a pipe. */
function decodeLong(): { child: ChildProcess; errors: () => string } {
  const child = spawn(process.execPath, [LAUNCHER, 'decode', '--file', long, '--format', 'jsonl'], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += String(text);
  });
  return { child, errors: () => errors };
}

test('a reader that has seen enough ends the command without a word', async () => {
  const { child, errors } = decodeLong();
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('No pipe.');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await exited).toEqual([0, null]);
  expect(errors()).toBe('');
});

test('Ctrl-C ends the command and its threads without a word', async () => {
  const { child, errors } = decodeLong();
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('No pipe.');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await exited).toEqual([null, 'SIGINT']);
  expect(errors()).toBe('');
});
