import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../root.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test('a heavy truck of 2012 whose model is unknown is not dated 30 years back', () => {
  // Position 7 is a letter, position 10 a C, and NHTSA has schemas of this WMI for 1982 and 2012.
  expect(decoder.decode('1FDNF6AY9CDA12345').modelYear).toBeUndefined();
});

test('a heavy truck whose model one of the two years names has that year', () => {
  expect(decoder.decode('1XKYD49X7CJ123456')).toMatchObject({ model: 'T680', modelYear: '2012' });
});
