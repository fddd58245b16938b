import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readCsv } from './csv.ts';

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

test('any text written in quotes is read back, with the line it starts on', () => {
  const cell = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), (rows) => {
      const text = ['a,b', ...rows.map(([first, second]) => `${quote(first)},${quote(second)}`)].join('\n');
      expect(readCsv(text).rows.map(({ cells }) => cells)).toEqual(rows);
    }),
  );
});

test.each(['\r', '\n', '\r\n'])('lines are counted in cells with any end of a line: %j', (end) => {
  const lines = readCsv(`a,b\n"x${end}y",3\n"x${end}${end}z","${end}"\n4,5\n`).rows.map(({ line }) => line);
  expect(lines).toEqual([2, 4, 8]);
});

test('blank lines and Windows line ends change nothing but the line numbers', () => {
  expect(readCsv('a,b\r\n\r\n1,2\r\n"x\ny",3\r\n4,5\r\n').rows).toEqual([
    { line: 3, cells: ['1', '2'] },
    { line: 4, cells: ['x\ny', '3'] },
    { line: 6, cells: ['4', '5'] },
  ]);
});
