import { expect, test } from 'vitest';

import { loadSpecs } from './load.ts';

const { sources, driveCodes } = loadSpecs();
const variants = sources.find(({ id }) => id === 'epa')?.rows ?? [];

/** Sources call the same car all-wheel and four-wheel drive. */
const axles = (drive: string): string => (/^(?:All|Four)/.test(drive) ? 'all' : drive);

test('a VIN’s characters tell only wheels with which the model was sold in those years', () => {
  const unheard = driveCodes.filter(({ make, model, from, to, drive }) => {
    const sold = variants.filter((row) => row.make === make && row.model === model && row.from <= to && row.to >= from);
    // EPA does not test trucks above 8,500 lb.
    return sold.length > 0 && !sold.some((row) => axles(row.drive ?? '') === axles(drive));
  });
  expect(unheard).toEqual([]);
});

test('every model has a character for all wheels, or none is needed', () => {
  const models = Map.groupBy(driveCodes, ({ make, model }) => `${make} ${model}`);
  const silent = [...models].filter(([, codes]) => !codes.some(({ drive }) => axles(drive) === 'all'));
  expect(silent.map(([model]) => model)).toEqual([]);
});
