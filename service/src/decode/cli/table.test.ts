import { segmentsOf } from '@marque/decoder';
import { expect, test } from 'vitest';

import { paintOf } from '../../kernel/cli/paint.ts';
import { rowLine, sheet } from './format.ts';

const paint = paintOf(false);
const vin = '1HGCM82633A004352';
const report = { vin, ...segmentsOf(vin), validFormat: true, bodyStyleNormalized: 'coupe', model: 'Accord' } as const;

test('an explanation names the rows behind a field, then the other possible values', () => {
  const evidence = { source: 'vPIC', row: 'Accord · 4-6=CM8', positions: [4, 5, 6], confidence: 'A' as const };
  const text = sheet(
    {
      kind: 'explanation',
      explanation: {
        report,
        reading: 'vPIC',
        fields: [
          {
            field: 'model',
            value: 'Accord',
            rows: [{ value: 'Accord', ...evidence }],
            alternatives: [{ value: 'Civic', ...evidence, confidence: 'C' }],
          },
          { field: 'trim', value: undefined, rows: [], alternatives: [], note: 'nothing settles it' },
        ],
      },
    },
    paint,
  );
  expect(text).toContain(
    [
      'Rule set: vPIC',
      '',
      'model: Accord',
      '  + Accord · Accord · 4-6=CM8 · positions 4,5,6 · vPIC, A',
      '  ? Civic · Accord · 4-6=CM8 · positions 4,5,6 · vPIC, C',
      '',
      'trim: left out',
      '  nothing settles it',
    ].join('\n'),
  );
});

test('input that is not a VIN cannot control the terminal', () => {
  for (const print of [rowLine, sheet]) {
    const line = print({ kind: 'error', vin: '\u001B[2J\u0007\u202Ebad', error: 'no VIN' }, paint);
    expect(line).not.toMatch(/[^\P{C}\n]/u);
    expect(line).toContain('no VIN');
  }
});
