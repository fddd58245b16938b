import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';

import { axisMarks } from './chart.tsx';

test('an axis ends just above its highest value, at round marks', () => {
  expect(axisMarks(100)).toEqual([0, 20, 40, 60, 80, 100, 120]);
  expect(axisMarks(1_300)).toEqual([0, 500, 1_000, 1_500]);
  expect(axisMarks(0)).toEqual([0, 1]);
});

test('no axis is more than half as high again as its values, nor has more than seven marks', () => {
  const rule = property(integer({ min: 5, max: 1_000_000_000 }), (value) => {
    const marks = axisMarks(value);
    const end = marks.at(-1) ?? 0;
    return end > value && end <= value * 1.5 && marks.length <= 7;
  });
  expect(() => assert(rule)).not.toThrow();
});
