import { openCatalog } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { bodyCorrections, nameCorrections } from './index.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

describe('people’s names and bodies instead of the registry’s', () => {
  test.each([
    ['1D7RB1CT5BS500001', { manufacturer: 'Ram', model: '1500', modelYear: '2011' }],
    ['1D7RB1CT7AS500001', { manufacturer: 'Dodge', model: 'Ram', modelYear: '2010' }],
    ['1Y1SK5285WZ400001', { manufacturer: 'Chevrolet', model: 'Prizm', modelYear: '1998' }],
    ['1Y1SK5287VZ400001', { manufacturer: 'Geo', model: 'Prizm', modelYear: '1997' }],
    ['WVWBN7AN8DE550407', { manufacturer: 'Volkswagen', model: 'CC', modelYear: '2013' }],
    ['2D4FV47T66H100001', { manufacturer: 'Dodge', model: 'Magnum', bodyStyleNormalized: 'wagon' }],
    ['KMHCG35C15U345403', { manufacturer: 'Hyundai', model: 'Accent', bodyStyle: 'Hatchback, 3-door' }],
  ])('%s', (vin, expected) => {
    expect(decoder.decode(vin)).toMatchObject(expected);
  });

  test('speak of no car twice, and of cars under their right names', () => {
    const keys = bodyCorrections().map(({ make, model, from, to, vin, text, instead }) =>
      [make, model, from, to, vin, text, instead].join('|'),
    );
    expect(new Set(keys).size).toBe(keys.length);
    const renamed = nameCorrections().filter(({ from, to, vin, text }) => from + to === 0 && vin + text === '');
    const stale = bodyCorrections().filter(({ make, model }) =>
      renamed.some((row) => row.make === make && row.model === model),
    );
    expect(stale).toEqual([]);
  });
});
