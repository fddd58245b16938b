import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { csvLines } from '../csv.ts';
import { readTable, valuesFolder } from './table.ts';

test('a CSV line reads back as the fields that were written', () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'É', ' ', ',', '"', '^', '|') });
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), (fields) => {
      // One empty field alone is an empty line, which a file may end with.
      fc.pre(fields.join('') !== '' || fields.length > 1);
      const line = fields.map((text) => (/[,"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',');
      expect(csvLines(line)).toEqual([fields]);
    }),
  );
});

test('a line with a stray quote is refused', () => {
  expect(() => csvLines('a,b"c')).toThrow('Invalid Opening Quote');
});

test('a table with other columns than expected is refused', () => {
  expect(() => readTable('bodies.csv', ['label', 'vpic'])).toThrow('the columns must be label,vpic');
});

test('a key that comes twice is refused', () => {
  expect(() => readTable('bodies.csv', ['vpic', 'label', 'body'], 1, () => 'same')).toThrow('bodies.csv:3');
});

test('no cell of any table has blanks at its ends, and every line has as many cells as the head', () => {
  const { files, faults } = allTables();
  expect(files).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});

function allTables(): { files: number; faults: string[] } {
  const files = readdirSync(valuesFolder()).filter((file) => file.endsWith('.csv'));
  const faults = files.flatMap((file) => {
    const [head = [], ...lines] = csvLines(readFileSync(join(valuesFolder(), file), 'utf8'));
    return lines
      .filter(
        (line) => line.length !== head.length || (!/rewrites/.test(file) && line.some((cell) => cell !== cell.trim())),
      )
      .map((line) => `${file}: ${line.join()}`);
  });
  return { files: files.length, faults };
}
