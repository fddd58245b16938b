import { expect, test } from 'vitest';

import { LANES, laneOf } from './lanes.ts';

const VIN = '1HGCM82633A004352';

test('VINs that differ in their check digit or serial number alone are decoded by one group', () => {
  for (const check of '0123456789X') {
    for (const serial of ['000001', 'A04352', '']) {
      expect(laneOf(`${VIN.slice(0, 8)}${check}${VIN.slice(9, 11)}${serial}`)).toBe(laneOf(VIN));
    }
  }
});

test.each([0, 3, 7, 9, 10])('kinds that differ at place %i alone are spread over all groups', (place) => {
  const lanes = [...'ABCDEFGH123'].map((letter) => laneOf(VIN.slice(0, place) + letter + VIN.slice(place + 1)));
  expect(new Set(lanes)).toEqual(new Set(Array.from({ length: LANES }, (_, lane) => lane)));
});

test('any text has a group', () => {
  for (const text of ['', 'x', '\u{1F697}', 'not a VIN at all']) expect([0, 1]).toContain(laneOf(text));
});
