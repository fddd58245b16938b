import { readFileSync } from 'node:fs';

import { CatalogFormatError, openCatalog } from '@marque/decoder';
import { writeContainer } from '@marque/decoder/format';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { catalogFile } from './root.ts';
import { sealed } from './seal.ts';

const built = readFileSync(catalogFile());

test('a catalog is whole as it was built, and wherever one of its bytes was changed it is not', () => {
  expect(() => openCatalog(built, { verify: true })).not.toThrow();
  fc.assert(
    fc.property(fc.nat(built.length - 41), fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const before = built[at] ?? 0;
      built[at] = before ^ bits;
      expect(() => openCatalog(built, { verify: true })).toThrow(CatalogFormatError);
      built[at] = before;
    }),
    { numRuns: 30 },
  );
});

const opening = (bytes: Uint8Array) => () => openCatalog(bytes, { verify: true });

test('a catalog that lost its last bytes, or to which some were added, is refused', () => {
  const whole = sealed(writeContainer({}, new Map()));
  expect(opening(whole)).not.toThrow('hash that it was built with');
  for (const other of [whole.subarray(0, -1), whole.subarray(0, -40), Uint8Array.of(...whole, 10)]) {
    expect(opening(other)).toThrow('does not end with the hash that it was built with');
  }
  const changed = whole.slice();
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(opening(changed)).toThrow('were changed');
  expect(opening(new TextEncoder().encode('VIN,model'))).not.toThrow('hash');
});
