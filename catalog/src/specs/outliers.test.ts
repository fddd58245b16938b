import { expect, test } from 'vitest';

import { loadSpecs } from './load.ts';
import { powerOutliers } from './outliers.ts';

const cherokee = { make: 'Jeep', model: 'Grand Cherokee', cc: 3600, cylinders: 6, fuel: 'Gasoline' };

test('a power that jumps away from the years before and after is named, a new generation is not', () => {
  const before = { ...cherokee, from: 2009, to: 2011, powerKw: 216 };
  const wrong = { ...cherokee, from: 2012, to: 2013, powerKw: 160 };
  const after = { ...cherokee, from: 2014, to: 2016, powerKw: 216 };
  expect(powerOutliers([before, wrong, after])).toEqual(['Jeep Grand Cherokee  3600 6  Gasoline 2012-2013: 160 kW']);
  expect(powerOutliers([before, { ...wrong, powerKw: 220 }, after])).toEqual([]);
  // In 2012 both are listed: two variants.
  expect(powerOutliers([before, wrong, { ...wrong, from: 2012, to: 2012, powerKw: 216 }, after])).toEqual([]);
  expect(powerOutliers([before, { ...wrong, to: 2016 }, { ...after, from: 2017, to: 2018 }])).toEqual([]);
  expect(powerOutliers([before, wrong])).toEqual([]);
});

test('no table has one: wrong values of a source are in refused.csv', () => {
  for (const { rows } of loadSpecs().sources) expect(powerOutliers(rows)).toEqual([]);
});
