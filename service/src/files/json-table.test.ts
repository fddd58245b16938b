import { setImmediate } from 'node:timers/promises';

import type { Row } from '@marque/catalog/tables';
import { expect, test } from 'vitest';

import { anyTurn } from '../kernel/limits/loop-turns.ts';
import { previewTable } from './api/preview.ts';
import { tableOfJsonLines } from './json-table.ts';
import { type FileRead, readFile } from './read-file.ts';

const VIN = '1HGCM82633A004352';
const WIDE = JSON.stringify(Object.fromEntries(Array.from({ length: 256 }, (_, place) => [`f${place}`, place])));

test('lines of JSON are refused at the first row that is too many', async () => {
  const lines = [...Array.from({ length: 11 }, () => `{"vin":"${VIN}"}`), 'what follows is not read'];
  const read = tableOfJsonLines(lines.join('\n'), 'utf-8', 10);
  await expect(read).rejects.toThrow('A file has at most 10 rows; this one has more.');
});

test('lines of JSON are refused when a few wide lines make too many cells of short ones', async () => {
  const text = `${WIDE}\n${'{}\n'.repeat(20_000)}`;
  await expect(tableOfJsonLines(text, 'utf-8', 200_000)).rejects.toThrow(
    'Up to line 19532, there are 19532 rows with 256 fields, and a table has at most 5000000 cells.',
  );
  const late = `${'{}\n'.repeat(20_000)}${WIDE}\n`;
  await expect(tableOfJsonLines(late, 'utf-8', 200_000)).rejects.toThrow('Up to line 20001,');
});

test('a line of JSON with more values than a row has is refused', async () => {
  const text = `{"vin":"${VIN}"}\n{"vin":"${VIN}","n":[1234567890123456${',0'.repeat(10_000)}]}`;
  await expect(tableOfJsonLines(text, 'utf-8', 10)).rejects.toThrow('Line 2 has more than 10,000 values.');
});

test('the rows of lines of JSON are made when they are taken', async () => {
  const text = `\uFEFF{"vin":"${VIN}","n":1}\r\n\r\nnull\r{"n":2.5,"ok":true}\n`;
  const table = await tableOfJsonLines(text, 'utf-8', 3);
  expect(table).toMatchObject({ names: ['vin', 'n', 'ok'], kinds: ['text', 'double', 'boolean'] });
  expect(Array.isArray(table.rows)).toBe(false);
  const rows: Row[] = [];
  for await (const row of table.rows) rows.push(row);
  expect(rows).toEqual([
    { line: 1, cells: [VIN, '1', ''] },
    { line: 3, cells: ['', '', ''] },
    { line: 4, cells: ['', '2.5', 'true'] },
  ]);
});

test.each([
  ['that repeat a name', `{${'"a":0,'.repeat(9_000)}"vin":"${VIN}"}\n`.repeat(40), 40],
  ['of which nearly all are blank', `"${VIN}"\n${'\n'.repeat(20_000)}"${VIN}"`, 40],
])('others get their turn while rows are made from lines %s', async (_, text, least) => {
  const table = await tableOfJsonLines(text, 'utf-8', 100);
  const others = { turns: 0, areOver: false };
  const read = readFile(table, '', { rows: 100, bytes: 50_000_000 }).finally(() => (others.areOver = true));
  for (; !others.areOver; others.turns += 1) await setImmediate();
  expect(await read).toMatchObject({ kind: 'read' });
  expect(others.turns).toBeGreaterThanOrEqual(least);
});

test('cells with long texts are looked through in many turns', async () => {
  let count = 0;
  const content = `VIN\n${`${'x '.repeat(2_000)}\n`.repeat(100)}${VIN}`;
  await previewTable({ content, column: 'VIN', mostBytes: 50_000_000 }, async () => void (count += 1));
  const turns = count;
  count = 0;
  await readFile(content, 'VIN', { rows: 1_000, bytes: 50_000_000 }, async () => void (count += 1));
  expect(turns - count).toBeGreaterThanOrEqual(50);
});

/** A file of 4,000 rows whose cells have text around the VIN, which take longest to read. */
async function labeled(): Promise<FileRead> {
  const read = await readFile(`VIN\n${`VIN: ${VIN} seen\n`.repeat(4_000)}`, '', { rows: 10_000, bytes: 50_000_000 });
  if (read.kind === 'refused') throw new Error(read.message);
  return read;
}

test('others get their turn at each page of a dry run', async () => {
  const content = await labeled();
  const others = { turns: 0, areOver: false };
  const preview = previewTable({ content, column: '', mostBytes: 50_000_000 }, anyTurn).finally(
    () => (others.areOver = true),
  );
  for (; !others.areOver; others.turns += 1) await setImmediate();
  expect(await preview).toMatchObject({ vins: 4_000 });
  expect(content.pages.length).toBeGreaterThanOrEqual(20);
  expect(others.turns).toBeGreaterThanOrEqual(content.pages.length);
});

test('a dry run ends when its sender has disconnected', async () => {
  const preview = previewTable({ content: await labeled(), column: '', mostBytes: 50_000_000 }, () =>
    Promise.reject(new Error('gone')),
  );
  await expect(preview).rejects.toThrow('gone');
});

test.each([
  ['one name', [20_000]],
  ['all names', Array.from({ length: 20 }, () => 4_000)],
])('a table is refused in which %s would be longer than a row', async (_, lengths) => {
  const names = lengths.map((length, place) => `${place}${'n'.repeat(length)}`);
  const line = JSON.stringify({ vin: VIN, ...Object.fromEntries(names.map((name) => [name, 1])) });
  const read = await readFile(await tableOfJsonLines(line, 'utf-8', 10), '', { rows: 10, bytes: 50_000_000 });
  expect(read).toMatchObject({ kind: 'refused', message: expect.stringContaining('The names of the columns have') });
});
