import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { findLayout } from './column.ts';
import { csvLine, harmless, readCsv, textOf } from './csv.ts';

const VIN = '1HGCM82633A004352';

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
        expect(readCsv(text).rows.slice(1)).toEqual(kept);
      },
    );
    expect(() => assert(rule)).not.toThrow();
  });

  test('no cell that is written begins as a formula', () => {
    const rule = property(string(), (cell) => !/^[=+\-@\t\r]/.test(harmless(cell)));
    expect(() => assert(rule)).not.toThrow();
    expect(csvLine(['=1+1', '@SUM(A1)', '-2', 'ok'], ',')).toBe("'=1+1,'@SUM(A1),'-2,ok\r\n");
  });

  test('any bytes are read without a throw', () => {
    expect(readCsv('"never closed').rows).toEqual([['never closed']]);
    expect(readCsv('\uFEFFa,b\r\n\r\n1,2').rows).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(textOf(Uint8Array.of(0x46, 0xfc, 0x72))).toBe('Für');
  });
});

describe('the column of VINs', () => {
  test('is found by its name, or by what stands in it', () => {
    expect(
      findLayout(
        [
          ['No', 'VIN'],
          ['1', VIN],
        ],
        '',
      ),
    ).toMatchObject({ column: 1, hasHeader: true, columnName: 'VIN' });
    expect(
      findLayout(
        [
          ['No', 'Car'],
          ['1', VIN],
        ],
        '',
      ),
    ).toMatchObject({ column: 1, hasHeader: true });
    expect(findLayout([[VIN], [VIN]], '')).toMatchObject({ column: 0, hasHeader: false });
    expect(
      findLayout(
        [
          ['a', 'b'],
          ['1', '2'],
        ],
        '',
      ),
    ).toMatchObject({ kind: 'not-found' });
  });

  test('is chosen by name or number', () => {
    expect(
      findLayout(
        [
          ['a', 'b'],
          [VIN, VIN],
        ],
        'B',
      ),
    ).toMatchObject({ column: 1 });
    expect(
      findLayout(
        [
          ['a', 'b'],
          [VIN, VIN],
        ],
        '1',
      ),
    ).toMatchObject({ column: 0 });
    expect(
      findLayout(
        [
          ['a', 'b'],
          [VIN, VIN],
        ],
        '3',
      ),
    ).toMatchObject({ kind: 'not-found' });
  });
});
