import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';

import { readFile } from './read-file.ts';
import { lineOf, LineWriter } from './reading.ts';

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
      expect(lines.map((_, row) => lineOf({ lines: breaks }, row))).toEqual(lines);
    }),
    { seed: 6, numRuns: 500 },
  );
});

test('rows with an empty line behind each take no more room than others, and a file with very many gaps is refused', async () => {
  expect(linesOf(Array.from({ length: 50_000 }, (_, row) => 2 * row + 1))).toEqual([[0, 1, 2]]);
  const gaps = 'X\nX\n\n'.repeat(11_000);
  const read = await readFile(`1HGCM82633A004352\n${gaps}`, '', { rows: 100_000 });
  expect(read).toMatchObject({ kind: 'refused', message: expect.stringContaining('Remove them') });
});
