import { expect, test } from 'vitest';

import { decoder } from '../testing/decoder.ts';
import { positionsText, whyOf } from './why.ts';

const VIN = '1HGCM82633A004352';

const why = (isDetailed: boolean) => whyOf(decoder.explain(VIN), { ...decoder.decode(VIN) }, isDetailed);

test('a field names the positions that determine it', () => {
  expect(why(false).get('manufacturer')?.positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(why(false).get('model')?.positions).toEqual([4, 5, 6, 7, 8]);
  expect(why(false).get('modelYear')?.positions).toEqual([7, 10]);
  expect(why(false).get('region')?.positions).toEqual([1, 2]);
  expect(why(false).get('technicalSpecs.lengthMm')?.positions).toEqual([]);
});

test('the kind of source and its confidence are shown only to readers who may see them', () => {
  expect(why(true).get('model')?.grounds).toBe("NHTSA's vPIC: one explicit source.");
  expect([...why(false).values()].every(({ grounds }) => grounds === undefined)).toBe(true);
});

test('a value from another source has no reason in the VIN', () => {
  const report = { ...decoder.decode(VIN), model: 'Civic' };
  expect(whyOf(decoder.explain(VIN), report, false).has('model')).toBe(false);
});

test('positions are written in runs', () => {
  expect(positionsText([7])).toBe('Position 7');
  expect(positionsText([1, 2, 3, 7, 10, 11])).toBe('Positions 1\u20133, 7 and 10\u201311');
});
