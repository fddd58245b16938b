import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { isWhole, sealed } from './seal.ts';

const catalog = Uint8Array.from({ length: 5_000 }, (_, index) => index % 251);

test('a catalog is whole as it was sealed, and wherever one of its bytes was changed it is not', () => {
  const whole = sealed(catalog);
  expect(whole.subarray(0, catalog.length)).toEqual(catalog);
  expect(isWhole(whole)).toBe(true);
  fc.assert(
    fc.property(fc.nat(catalog.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const changed = Uint8Array.from(whole);
      changed[at] = (changed[at] ?? 0) ^ bits;
      expect(isWhole(changed)).toBe(false);
    }),
  );
});

test('a catalog of an older version, without a seal, is opened', () => {
  expect(isWhole(catalog)).toBe(true);
  expect(isWhole(new Uint8Array())).toBe(true);
});
