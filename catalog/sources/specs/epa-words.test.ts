import { describe, expect, test } from 'vitest';

import { badgeOf, bodyOf, cargoOf, federalStandard, fuelOf, gearboxOf, sharedStandard } from './epa-words.ts';

const NO_LUGGAGE = { hatchback: 0, coupe: 0, sedan: 0 };

describe("EPA's words", () => {
  test.each([
    ['Manual 5-spd', 'Manual, 5-speed'],
    ['Automatic (S10)', 'Automatic, 10-speed'],
    ['Automatic 4-spd', 'Automatic, 4-speed'],
    ['Automatic (AM-S7)', 'Automatic, 7-speed'],
    ['Automatic (AM6)', 'Automatic, 6-speed'],
    ['Automatic (AV-S8)', 'Automatic, CVT'],
    ['Automatic (variable gear ratios)', 'Automatic, CVT'],
    ['Automatic (A1)', 'Automatic, single-speed'],
    ['', undefined],
  ])('name the gearbox %s', (trany, gearbox) => expect(gearboxOf(trany)).toBe(gearbox));

  test.each([
    ['Regular', '', 'Gasoline'],
    ['Regular', 'Hybrid', 'Hybrid'],
    ['Premium and Electricity', 'Plug-in Hybrid', 'Plug-in hybrid'],
    ['Gasoline or E85', 'FFV', 'Flex fuel'],
    ['Electricity', 'EV', 'Electric'],
    ['Diesel', 'Diesel', 'Diesel'],
  ])('name the fuel %s %s', (fuelType, atvType, fuel) => expect(fuelOf(fuelType, atvType)).toBe(fuel));

  test('give the body by class and by name, and leave it open if neither decides', () => {
    expect(bodyOf('Small Sport Utility Vehicle 4WD', '', NO_LUGGAGE)).toBe('suv');
    expect(bodyOf('Subcompact Cars', 'Convertible', NO_LUGGAGE)).toBe('cabrio');
    expect(bodyOf('Compact Cars', '', { hatchback: 0, coupe: 0, sedan: 14 })).toBe('sedan');
    expect(bodyOf('Compact Cars', '', { hatchback: 0, coupe: 12, sedan: 14 })).toBeUndefined();
    expect(bodyOf('Midsize Cars', 'Sport/Touring', NO_LUGGAGE)).toBeUndefined();
  });

  test('give luggage for a row of one body alone', () => {
    expect(cargoOf({ hatchback: 0, coupe: 0, sedan: 14 })).toBe(396);
    expect(cargoOf({ hatchback: 0, coupe: 12, sedan: 14 })).toBeUndefined();
  });

  test('keep the words of a name that no column has', () => {
    expect(badgeOf('328i xDrive Sedan')).toBe('328i xDrive');
    expect(badgeOf('AWD FFV')).toBe('');
    expect(badgeOf('(Plug-in Hybrid) SE')).toBe('SE');
  });

  test('name federal standards, and of several the tier that they share', () => {
    expect(federalStandard('T3B30')).toBe('Tier 3 Bin 30');
    expect(federalStandard('B5')).toBe('Tier 2 Bin 5');
    expect(federalStandard('L3ULEV70')).toBeUndefined();
    expect(sharedStandard(['Tier 2 Bin 5', 'Tier 2 Bin 4'])).toBe('Tier 2');
    expect(sharedStandard(['Tier 2 Bin 5', 'Tier 3 Bin 30'])).toBeUndefined();
  });
});
