import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';

import { EarlierLines, lineOf, LineWriter } from './reading.ts';

function linesOf(lines: readonly number[]): LineWriter['breaks'] {
  const writer = new LineWriter();
  for (const line of lines) writer.add(line);
  return writer.breaks;
}

test('each row has the line that it began on, wherever rows are apart', () => {
  assert(
    property(array(integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 60 }), (steps) => {
      let line = 0;
      const lines = steps.map((step) => (line += step));
      const breaks = linesOf(lines);
      expect(lines.map((_, row) => lineOf(breaks, row))).toEqual(lines);
      const earlier = new EarlierLines({ header: null, reading: JSON.stringify({ form: 'CSV', lines: breaks }) });
      expect(lines.map((_, row) => earlier.lineOf(row))).toEqual(lines);
    }),
    { seed: 6, numRuns: 500 },
  );
});

test('rows with an empty line behind each take no more room than others', () => {
  expect(linesOf(Array.from({ length: 50_000 }, (_, row) => 2 * row + 1))).toEqual([[0, 1, 2]]);
});
