import { segmentsOf } from '@marque/decoder';
import { expect, test } from 'vitest';

import { CSV_HEADER, csvLine } from './csv.ts';

const vin = '1HGCM82633A004352';

test('a cell with a comma, a quote or a line end is quoted', () => {
  const segments = { vin, ...segmentsOf(vin), validFormat: true, bodyStyleNormalized: 'coupe' } as const;
  const line = csvLine({ kind: 'report', report: { ...segments, model: 'A, "B"\nC', possibleBodyStyles: ['X', 'Y'] } });
  expect(line).toContain(',"A, ""B""\nC",');
  expect(line).toContain(',"X; Y",');
});

test('numbers stay numbers, and every line has as many cells as the header', () => {
  const segments = { vin, ...segmentsOf(vin), validFormat: true, bodyStyleNormalized: 'coupe' } as const;
  const line = csvLine({ kind: 'report', report: { ...segments, specs: { powerKw: 179 } } });
  expect(line.split(',')).toHaveLength(CSV_HEADER.split(',').length);
  expect(line.split(',')[CSV_HEADER.split(',').indexOf('specs.powerKw')]).toBe('179');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  'text that a spreadsheet would run is disarmed: %j',
  (text) => {
    expect(csvLine({ kind: 'error', vin: text, error: '' })).toMatch(/^"?'/);
  },
);
