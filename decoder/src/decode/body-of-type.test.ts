import { expect, test } from 'vitest';

import { bodyOfType } from './body-of-type.ts';

test('motorcycles, trailers, buses and heavy trucks have the body that they are', () => {
  expect(['Motorcycle', 'Trailer', 'Bus', 'Truck'].map((type) => bodyOfType(type, true))).toEqual([
    'motorcycle',
    'trailer',
    'bus',
    'truck',
  ]);
});

test('a vehicle that may be a pickup, a van or a car has no body by its type', () => {
  expect(bodyOfType('Truck', false)).toBeUndefined();
  expect(bodyOfType('Passenger car', false)).toBeUndefined();
  expect(bodyOfType('Incomplete vehicle', true)).toBeUndefined();
});
