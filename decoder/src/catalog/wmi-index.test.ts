import { describe, expect, test } from 'vitest';

import { VinCodes } from '../vin/vin-codes.ts';
import { Container, writeContainer } from './container.ts';
import { Strings } from './strings.ts';
import { WmiIndex } from './wmi-index.ts';

const TEXTS = ['', 'Honda', '1HG', '1G9', 'WP0', '1G9123', 'ZA9ABC', '000'];

function indexOf(ids: readonly number[]): WmiIndex {
  const sections = new Map([
    ['strings.bytes', new TextEncoder().encode(TEXTS.join(''))],
    ['strings.lengths', Uint8Array.from(TEXTS, (text) => text.length)],
  ]);
  return new WmiIndex(new Strings(new Container(writeContainer({}, sections))), Uint32Array.from(ids));
}

function codesOf(vin: string): Uint8Array {
  const codes = new VinCodes();
  codes.read(vin);
  return codes.codes;
}

describe('WMIs are found', () => {
  const index = indexOf([2, 5, 4, 6, 7]);

  test('by the first three characters of a VIN', () => {
    expect(index.ofShort(codesOf('1HGCM82633A004352'))).toBe(0);
    expect(index.ofShort(codesOf('WP0ZZZ99ZTS392124'))).toBe(2);
    expect(index.ofShort(codesOf('00000000000000000'))).toBe(4);
    expect(index.ofShort(codesOf('2HGCM82633A004352'))).toBe(-1);
  });

  test('by the first three and positions 12 to 14', () => {
    expect(index.ofLong(codesOf('1G9AA8263AA123456'))).toBe(1);
    expect(index.ofLong(codesOf('ZA9AA8263AAABC456'))).toBe(3);
    expect(index.ofLong(codesOf('1G9AA8263AA124456'))).toBe(-1);
  });

  test('and not where a character of them is not known', () => {
    expect(index.ofLong(codesOf('1G9AA8263AA12*456'))).toBe(-1);
    expect(index.ofLong(codesOf('1G9AA8263AA'))).toBe(-1);
  });

  test('by their text', () => {
    expect(['1HG', 'WP0', '1G9123', 'ZA9ABC'].map((text) => index.of(text))).toEqual([0, 2, 1, 3]);
    expect(['', '1G9', '1G9124', 'zz9', '1H', 'Honda', '1HG*', 'É12'].map((text) => index.of(text))).toEqual(
      Array.from({ length: 8 }, () => -1),
    );
  });
});
