import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { storedCsv } from '../../features/files/stored-csv.ts';
import { csvLine, harmless, readCsv, textOf } from './csv.ts';

describe('CSV', () => {
  test('what is written is read again, cell for cell', () => {
    const cell = string({ unit: constantFrom('a', '"', ',', ';', '\n', ' ', 'ä', '1') });
    const rule = property(
      array(array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      (rows) => {
        // The first line says which delimiter it is, so it has plain names here.
        const width = Math.max(...rows.map((row) => row.length));
        const head = Array.from({ length: width }, (_, index) => `name${index}`);
        const text = [head, ...rows].map((row) => csvLine(row, ';')).join('');
        const kept = rows.filter((row) => row.some((text) => text !== ''));
        expect(storedCsv(text).rows.slice(1)).toEqual(kept);
      },
    );
    expect(() => assert(rule)).not.toThrow();
  });

  test('no cell that is written begins as a formula', () => {
    const rule = property(string(), (cell) => !/^[=+\-@\t\r]/.test(harmless(cell)));
    expect(() => assert(rule)).not.toThrow();
    expect(['=1+1', '@SUM(A1)', '-2', 'ok'].map(harmless)).toEqual(["'=1+1", "'@SUM(A1)", "'-2", 'ok']);
  });

  test('what spreadsheets and people write is read', () => {
    expect(readCsv('\uFEFFa;b\r\n\r\n1;2\n;\n')).toEqual({
      kind: 'csv',
      delimiter: ';',
      rows: [
        ['a', 'b'],
        ['1', '2'],
      ],
    });
    expect(readCsv('a,b\n5" rim,x')).toMatchObject({
      rows: [
        ['a', 'b'],
        ['5" rim', 'x'],
      ],
    });
    expect(textOf(Uint8Array.of(0x46, 0xfc, 0x72))).toBe('Für');
  });

  test('a quote that is never closed is refused with its line; one that was stored before is read', () => {
    expect(readCsv('a\n"never closed')).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('line 2'),
    });
    expect(storedCsv('a\n"never closed').rows).toEqual([['a'], ['never closed']]);
  });
});
