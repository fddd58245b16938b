import { TableError } from '@marque/catalog/tables';
import { array, assert, asyncProperty, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { csvLine, harmless } from './csv.ts';
import { tableOf } from '../../testing/table.ts';
import { CSV_BOUNDS, readRows } from './read.ts';
import { turnsDuring } from '../../testing/loop-turns.ts';

describe('CSV', () => {
  test('written cells are read back unchanged', async () => {
    const cell = string({ unit: constantFrom('a', '"', ',', ';', '\n', ' ', 'ä', '1') });
    const rule = asyncProperty(
      array(array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (rows) => {
        // The first line determines the delimiter, so it has plain names here.
        const width = Math.max(...rows.map((row) => row.length));
        const head = Array.from({ length: width }, (_, index) => `name${index}`);
        const text = [head, ...rows].map((row) => csvLine(row, ';')).join('');
        const kept = rows.filter((row) => row.some((text) => text !== ''));
        expect((await tableOf(text)).slice(1)).toEqual(kept);
      },
    );
    await expect(assert(rule)).resolves.toBeUndefined();
  });

  test('no cell that is written begins as a formula', () => {
    const rule = property(string(), (cell) => !/^(?:[=@\t\r\n＝＋－＠]|[+-](?![\d.,]|-*$))/.test(harmless(cell)));
    expect(() => assert(rule)).not.toThrow();
    expect(['=1+1', '@SUM(A1)', '-2+3', 'ok'].map(harmless)).toEqual(["'=1+1", "'@SUM(A1)", "'-2+3", 'ok']);
    expect(['\n=1+1', '＝1+1', '＠SUM(A1)'].map(harmless)).toEqual(["'\n=1+1", "'＝1+1", "'＠SUM(A1)"]);
    expect(['-', '--', '-a', '--1', '+', '='].map(harmless)).toEqual(['-', '--', "'-a", "'--1", "'+", "'="]);
    const numbers = ['-2', '-12.5', '+1,234.50', '-1.0E+14', '-12,5', '-5 %'];
    expect(numbers.map(harmless)).toEqual(numbers);
  });

  test('files as spreadsheets and people write them are read', async () => {
    expect(await tableOf('\uFEFFa;b\r\n\r\n1;2\n;\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(await tableOf('a,b\n5" rim,x')).toEqual([
      ['a', 'b'],
      ['5" rim', 'x'],
    ]);
  });

  test('a quote that is never closed is refused with its line', async () => {
    await expect(tableOf('a\n"never closed')).rejects.toThrow('line 2');
  });

  test.each([
    ['columns', Array.from({ length: CSV_BOUNDS.columns + 1 }, (_, index) => `c${index}`).join(','), 'has 257 columns'],
    ['a cell', `a,b\n1,${'x'.repeat(CSV_BOUNDS.cellCharacters + 1)}`, 'Row 2 has 10001 characters in column 2'],
    ['a row', `a\n${`${'x'.repeat(9_999)},`.repeat(8)}`, 'Row 2 is longer than'],
    ['what a quote that is not closed makes a row', `a\n"${'b\n'.repeat(100_000)}`, 'a quote that is not closed'],
  ])('a table with too much of %s is refused, with what to change', async (_, text, message) => {
    await expect(tableOf(text)).rejects.toThrow(TableError);
    await expect(tableOf(text)).rejects.toThrow(message);
  });

  test('a reader of the first rows of many waits for no others, and others get their turn', async () => {
    const text = 'a\n'.repeat(2_000_000);
    const began = process.threadCpuUsage();
    let rows = 0;
    for await (const some of readRows(text)) {
      rows += some.length;
      if (rows >= 10_000) break;
    }
    expect(process.threadCpuUsage(began).user).toBeLessThan(500_000);
    const { turns } = await turnsDuring(() => tableOf('a\n'.repeat(200_000)));
    expect(turns).toBeGreaterThan(10);
  });
});
