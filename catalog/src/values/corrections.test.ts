import { checkDigitOf, openCatalog } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { bodyCorrections, nameCorrections, valueCorrections } from './index.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

const nhtsa = (vin: string): string => JSON.stringify(decoder.vpic(vin));

describe('people’s names and bodies instead of the registry’s', () => {
  test.each([
    ['1D7RB1CT5BS500001', { manufacturer: 'Ram', model: '1500', modelYear: '2011' }],
    ['1D7RB1CT7AS500001', { manufacturer: 'Dodge', model: 'Ram', modelYear: '2010' }],
    ['1Y1SK5285WZ400001', { manufacturer: 'Chevrolet', model: 'Prizm', modelYear: '1998' }],
    ['1Y1SK5287VZ400001', { manufacturer: 'Geo', model: 'Prizm', modelYear: '1997' }],
    ['WVWBN7AN8DE550407', { manufacturer: 'Volkswagen', model: 'CC', modelYear: '2013' }],
    ['2D4FV47T66H100001', { manufacturer: 'Dodge', model: 'Magnum', bodyStyleNormalized: 'wagon' }],
    ['2T1KR32E33C100001', { manufacturer: 'Toyota', model: 'Matrix', bodyStyleNormalized: 'wagon' }],
    ['WBSBR93471EX00001', { manufacturer: 'BMW', model: 'M3', bodyStyleNormalized: 'cabrio' }],
    ['WBANB33584CN00001', { model: '5 Series', bodyStyleNormalized: 'sedan' }],
    ['WAUDH74F46N100001', { model: 'A6', bodyStyleNormalized: 'sedan' }],
    ['JTDKARFPXH3000001', { model: 'Prius Prime', bodyStyleNormalized: 'hatchback' }],
    ['KMHCG35C15U345403', { manufacturer: 'Hyundai', model: 'Accent', bodyStyle: 'Hatchback, 3-door' }],
    ['1A8GYB6577Y502000', { model: 'Voyager / Grand Voyager', bodyStyle: 'Minivan' }],
    ['JM1FE17N440100000', { model: 'RX-8', specs: { engine: '1.3 L rotary, gasoline' } }],
  ])('%s', (vin, expected) => {
    expect(decoder.decode(vin)).toMatchObject(expected);
  });

  test.each([
    ['WP0AA2A94HS100001', '911', 2981],
    ['WP0AB2A98HS100001', '911', 2981],
    ['WP0AB2A89HS100001', '718 Cayman', 2497],
    ['5TFLA5DB4NX100001', 'Tundra', 3445],
    ['1VWCN7A30DC118000', 'Passat', 1968],
    ['5UMDU93506LM00001', 'Z4', 3246],
  ])('%s is a %s of %i cc', (text, model, displacementCc) => {
    const vin = text.slice(0, 8) + checkDigitOf(text) + text.slice(9);
    expect(decoder.decode(vin)).toMatchObject({ model, specs: { displacementCc } });
  });

  test('name no chassis of another version', () => {
    expect(decoder.decode('JTHBN36F940170000').modelCode).toBe('UCF30L');
    expect(decoder.decode('JTHBL5EF7E5132000').modelCode).toBeUndefined();
    expect(decoder.decode('JTJSARBZ6M5029000').modelCode).toBeUndefined();
  });

  test('name the engine of the right size', () => {
    expect(decoder.decode('KL1JM5C0XCB108000').specs).toMatchObject({
      engine: '1.6 L I4 (F16D4), gasoline',
      displacementCc: 1598,
    });
  });

  test('leave NHTSA’s own answer as it is', () => {
    expect(nhtsa('2T1KR32E33C100001')).toContain('Corolla Matrix');
    expect(nhtsa('WP0AA2A94HS100001')).toContain('3.4');
    expect(nhtsa('WP0AA2A94HS100001')).not.toContain('2981');
  });

  test('cover no car twice, and use the right names of cars', () => {
    const keys = bodyCorrections().map(({ make, model, from, to, vin, text, instead }) =>
      [make, model, from, to, vin, text, instead].join('|'),
    );
    expect(new Set(keys).size).toBe(keys.length);
    const renamed = nameCorrections().filter(({ from, to, vin, text }) => from + to === 0 && vin + text === '');
    const stale = bodyCorrections().filter(({ make, model }) =>
      renamed.some((row) => row.make === make && row.model === model),
    );
    expect(stale).toEqual([]);
    const wrong = valueCorrections().filter(({ instead, right }) => instead === right);
    expect(wrong).toEqual([]);
    const unsaid = valueCorrections().filter(({ field, instead }) => instead === '' && field !== 'configuration');
    expect(unsaid).toEqual([]);
  });
});
