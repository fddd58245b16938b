import type { Hints } from '@marque/decoder';
import { expect, test } from 'vitest';

import { decoder } from '../../testing/decoder.ts';
import { narrow } from './questions.ts';

/** A Golf VI, which was built with many engines: its VIN does not say which. */
const GOLF = decoder.decode('WVWZZZ1KZCW000001');

const questionOf = (hints: Parameters<typeof narrow>[2], field: string, stored = GOLF) =>
  narrow(decoder, stored, hints).questions.find((question) => question.field === field);

test('an answer narrows the other questions and completes the report', () => {
  const open = questionOf({}, 'specs.displacementCc')?.choices ?? [];
  const narrowed = narrow(decoder, GOLF, { fuelType: 'Diesel', powerKw: 77, transmission: 'Manual' });
  expect(narrowed.report.specs).toMatchObject({ fuelType: 'Diesel', powerKw: 77 });
  expect(open.length).toBeGreaterThan(0);
  const { choices = [] } = questionOf({ fuelType: 'Diesel' }, 'specs.powerKw') ?? {};
  expect(choices.length).toBeLessThan(questionOf({}, 'specs.powerKw')?.choices.length ?? 0);
});

test('an engine that is chosen answers for fuel, size and power, and the others stay to choose from', () => {
  const { engine } = narrow(decoder, GOLF, {});
  const [first] = engine.choices;
  const after = narrow(decoder, GOLF, {}, first);
  expect(after.engine).toEqual({ choices: engine.choices, chosen: first });
  expect(after.report.specs).toMatchObject({ ...first });
  const asked = after.questions.map(({ field }) => field);
  for (const field of ['specs.fuelType', 'specs.displacementCc', 'specs.powerKw']) expect(asked).not.toContain(field);
  expect(narrow(decoder, GOLF, { fuelType: 'Diesel' }).engine.choices.length).toBeLessThan(engine.choices.length);
});

test('an answered question stays, with its choices, so that the answer can be changed', () => {
  const before = questionOf({}, 'specs.fuelType');
  const after = questionOf({ fuelType: 'Diesel' }, 'specs.fuelType');
  expect(after).toEqual({ ...before, chosen: 'Diesel' });
});

test('a value from an outside source at the time of decoding is kept, and not asked', () => {
  const stored = { ...GOLF, specs: { ...GOLF.specs, transmission: 'Automatic' } };
  expect(questionOf({}, 'specs.transmission')).toBeDefined();
  expect(questionOf({}, 'specs.transmission', stored)).toBeUndefined();
  expect(narrow(decoder, stored, { fuelType: 'Diesel' }).report.specs).toMatchObject({
    fuelType: 'Diesel',
    transmission: 'Automatic',
  });
});

test('an answer that contradicts the VIN is named and changes nothing', () => {
  const { conflicts, report } = narrow(decoder, GOLF, { modelYear: 1999 });
  expect(conflicts).toEqual(['modelYear']);
  expect(report.modelYear).toBe(GOLF.modelYear);
});

test('an answer that contradicts the VIN is looked at once, however many others there are', () => {
  const searched: Hints[] = [];
  const watched: Parameters<typeof narrow>[0] = {
    candidates: (vin, hints = {}) => {
      searched.push(hints);
      return decoder.candidates(vin, hints);
    },
  };
  const others = { fuelType: 'Diesel', transmission: 'Manual' } as const;
  const narrowed = narrow(watched, GOLF, { modelYear: 1999, ...others });
  expect(searched.filter(({ modelYear }) => modelYear !== undefined)).toHaveLength(1);
  expect(narrowed).toEqual({ ...narrow(decoder, GOLF, others), conflicts: ['modelYear'] });
});
