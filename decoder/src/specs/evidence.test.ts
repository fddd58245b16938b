import { expect, test } from 'vitest';

import type { FieldEvidence, RowEvidence } from '../report/explanation.ts';
import { withSpecEvidence } from './evidence.ts';
import type { SpecAnswer } from './join.ts';

const row: RowEvidence = { value: '150', source: 'vPIC', row: 'any VIN', positions: [], confidence: 'B' };
const known: FieldEvidence[] = [
  { field: 'model', value: 'Civic', rows: [], alternatives: [] },
  { field: 'specs.powerKw', value: '107', rows: [], alternatives: [row] },
];
const power: SpecAnswer = {
  field: 'powerKw',
  path: 'specs.powerKw',
  value: 107,
  source: 'A list',
  basis: 'registered',
  market: 'north-america',
  variants: 3,
};

test('each field that tables settle is explained once, with source, basis and market', () => {
  const fields = withSpecEvidence(known, [power, { ...power, field: 'cylinders', path: 'specs.engine', value: 4 }]);
  expect(fields.map(({ field }) => field)).toEqual(['model', 'specs.powerKw']);
  expect(fields[1]).toMatchObject({
    value: '107',
    rows: [{ source: 'A list', row: 'all 3 variants that the VIN allows, registered, north-america' }],
    alternatives: [row],
  });
});
