import { openCatalog } from '@marque/decoder';
import { describe, expect, test } from 'vitest';

import { catalogFile } from '../../root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

/** Decodes a VIN of no vehicle. Returns its make, model, body and power. */
function seen(vin: string): readonly unknown[] {
  const { manufacturer, model, bodyStyleNormalized, specs } = decoder.decode(vin);
  return [manufacturer, model, bodyStyleNormalized, specs?.powerKw];
}

describe('a VIN of no vehicle', () => {
  test('has the name and the body of its Mercedes-Benz, not those of the list that numbers it', () => {
    expect(seen('WDB1070451A012345')).toEqual(['Mercedes-Benz', 'SL-Class', 'cabrio', undefined]);
    expect(seen('WDB1070241A012345')).toEqual(['Mercedes-Benz', 'SLC', 'coupe', undefined]);
    expect(seen('WDD1724311F001234')).toEqual(['Mercedes-Benz', 'SLC', 'cabrio', 115]);
    expect(seen('WDD1724341F001234')).toEqual(['Mercedes-Benz', 'SLK-Class / SLC', 'cabrio', undefined]);
    expect(seen('WDD2120761A012345')[2]).toBe('sedan');
  });

  test('has the power of a hybrid’s engine and motors together', () => {
    expect(seen('WDD2130531A312345')[3]).toBe(235);
    expect(seen('WDC1660631A712345')[3]).toBe(325);
    // A list of the United Kingdom has a gasoline Range Rover with the same engine, and 294 kW are its own.
    expect(seen('SALKA9B45PA012345')[3]).toBeUndefined();
  });

  test('has the power that its badge was sold with', () => {
    const vins = ['WBAVB11050A123456', 'WBAVS31050A123456', 'WBAAS71050C123456', 'WMWMF71050T123456'];
    expect(vins.map((vin) => seen(vin)[3])).toEqual([160, 190, 110, 128]);
    // A Discovery of 2012 has one of two engines with this code, of 155 or 188 kW.
    expect([seen('SALLAAAF6AA512345')[3], seen('SALLAAAF6CA512345')[3]]).toEqual([180, undefined]);
  });

  test('has no model that its works did not build', () => {
    expect(seen('MALHC81C0KM012345')).toEqual(['Hyundai', undefined, 'unknown', undefined]);
    expect(seen('MALFC81B0KM012345')).toEqual(['Hyundai', 'Venue', 'suv', undefined]);
  });

  test('of a Maserati outside North America has a 0 for its year, whatever stands at 9', () => {
    expect(seen('ZN6AU61B70X312345').slice(0, 3)).toEqual(['Maserati', 'Levante', 'suv']);
  });

  test('of works that build only SUVs is of one although its model is not known', () => {
    const types = ['XZGZZ99Z1PA700001', 'HJRZZZZZ1PF000001'].map((vin) => decoder.decode(vin).vehicleType);
    expect(types).toEqual(['SUV', 'SUV']);
  });

  test('is of North America for more than one letter of a truck', () => {
    expect(seen('SFNXKD9A07L380123').slice(0, 2)).toEqual(['Foden', undefined]);
    expect(seen('SFNXKD9A27L380123').slice(0, 2)).toEqual(['Kenworth', 'KW45/KW55']);
  });

  test('of JCB is of JCB whatever letter it has at 10, and has no year where that begins its number', () => {
    expect(['JCB3CX4T7W1234567', 'SLP3CXTS1E0496582'].map((vin) => decoder.decode(vin))).toMatchObject([
      { manufacturer: 'JCB', model: '3CX' },
      { manufacturer: 'JCB', model: '3CX' },
    ]);
    expect(decoder.decode('SLP3CXTS1E0496582').modelYear).toBeUndefined();
    expect(decoder.decode('SLP3CXTS1E2296582').modelYear).toBe('2014');
  });
});
