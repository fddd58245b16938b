import { openCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import { catalogFile } from '../root.ts';
import { loadWorld } from '../world/load.ts';
import { familyBodies, nameCorrections } from './index.ts';

const decoder = openCatalog(catalogFile(), { now: () => Date.UTC(2026, 10, 1) });

test.each([
  ['VF1JM1GE633600000', 'Scenic / Grand Scenic', 'van', 'Minivan'],
  ['VF7UARHJH45383000', 'C4 Picasso / Grand C4 Picasso', 'van', 'Minivan'],
  ['LGWEF6A59LH920000', 'H6', 'suv', 'SUV'],
  ['WBA7S410X0CK20000', '7 Series', 'sedan', 'Sedan'],
  // 9-10 are the pair of an estate of the Focus, and 7 is the digit of a three-door hatchback.
  ['WF0RXXGCDWBY38000', 'Kuga', 'suv', 'SUV'],
  ['SHSED33F5F0900365', 'CR-V', 'suv', 'SUV'],
])('%s is a %s of the one body of its family', (vin, model, bodyStyleNormalized, bodyStyle) => {
  const report = decoder.decode(vin);
  expect(report).toMatchObject({ model, bodyStyleNormalized, bodyStyle });
  expect(report.possibleBodyStyles).toBeUndefined();
});

test.each([
  ['VF3MCYHZJKL048000', '5008', 'SUV'],
  ['1FADP5CU9DL507000', 'C-Max', 'Hatchback, 5-door'],
])('%s is a %s with the body that its VIN tells', (vin, model, bodyStyle) => {
  expect(decoder.decode(vin)).toMatchObject({ model, bodyStyle });
});

test('each family is one that the facts know, and none has another body there', () => {
  const families = new Map(
    familyBodies().map(({ make, model, generation, body }) => [`${make}|${model}|${generation}`, body]),
  );
  const unknown = new Set(families.keys());
  for (const { make, rightMake, rightModel } of nameCorrections())
    unknown.delete(`${rightMake || make}|${rightModel}|*`);
  const contradicted = new Set<string>();
  for (const { make, rows } of loadWorld()) {
    for (const { outputs } of rows) {
      if (outputs.model === undefined) continue;
      for (const generation of ['*', outputs.generation ?? '']) {
        const family = `${outputs.make ?? make}|${outputs.model}|${generation}`;
        const body = families.get(family);
        if (body === undefined) continue;
        unknown.delete(family);
        if (outputs.body !== undefined && outputs.body !== body) contradicted.add(`${family}: ${outputs.body}`);
      }
    }
  }
  expect([...unknown]).toEqual([]);
  expect([...contradicted]).toEqual([]);
});
