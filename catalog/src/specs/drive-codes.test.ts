import { expect, test } from 'vitest';

import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources, driveCodes } = loadSpecs();
const variants = sources.find(({ id }) => id === 'epa')?.rows ?? [];

const isGearbox = (says: string): boolean => says === 'Automatic' || says === 'Manual';

const agrees = (row: SpecRow, says: string): boolean =>
  isGearbox(says) ? (row.gearbox ?? '').startsWith(says) : axles(row.drive ?? '') === axles(says);

/** Sources call the same car all-wheel and four-wheel drive. */
const axles = (drive: string): string => (/^(?:All|Four)/.test(drive) ? 'all' : drive);

test('a VIN’s characters give only wheels and gearboxes with which the model was sold in those years', () => {
  const unheard = driveCodes.filter(({ make, model, from, to, says }) => {
    const sold = variants.filter((row) => row.make === make && row.model === model && row.from <= to && row.to >= from);
    // EPA does not test trucks above 8,500 lb.
    return sold.length > 0 && !sold.some((row) => agrees(row, says));
  });
  expect(unheard).toEqual([]);
});

test('every model has a character for all wheels, or none is needed', () => {
  const ofDrives = driveCodes.filter(({ says }) => !isGearbox(says));
  const models = Map.groupBy(ofDrives, ({ make, model }) => `${make} ${model}`);
  const silent = [...models].filter(([, codes]) => !codes.some(({ says }) => axles(says) === 'all'));
  expect(silent.map(([model]) => model)).toEqual([]);
});
