import { assert, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { DRAWINGS, GROUND, inProportion } from './body-drawing.tsx';

const BODIES = Object.entries(DRAWINGS);

test('a drawing has the proportions of the vehicle', () => {
  const golf = inProportion(DRAWINGS.hatchback, { length: 4199, height: 1480, wheelbase: 2578 });
  const { box, wheels } = golf ?? DRAWINGS.hatchback;
  const [left, right, top] = box;
  const [front = 0, rear = 0] = wheels.at;
  expect((rear - front) / (right - left)).toBeCloseTo(2578 / 4199, 2);
  expect((GROUND - top) / (right - left)).toBeCloseTo(1480 / 4199, 2);
  expect(golf?.outline).not.toBe(DRAWINGS.hatchback.outline);
});

test('a path keeps its shape: relative commands continue from their own point', () => {
  const drawing = {
    ...DRAWINGS.hatchback,
    outline: 'M30 80h10Q50 60 60 60 70 60 80 80V70H90Z',
    box: [30, 266, 30] as const,
  };
  expect(inProportion(drawing, { length: 236, height: undefined, wheelbase: undefined })?.outline).toBe(
    'M30 80H40Q50 60 60 60 70 60 80 80V70H90Z',
  );
});

test.each(BODIES)('%s stays as it is where the length is not known', (_body, drawing) => {
  expect(inProportion(drawing, { length: undefined, height: 1500, wheelbase: 2500 })).toBeUndefined();
});

describe.each(BODIES)('%s', (_body, drawing) => {
  const dimension = integer({ min: 1, max: 20_000 });

  test('fits its frame, or stays as it is, for any dimensions', () => {
    assert(
      property(tuple(dimension, dimension, dimension), ([length, height, wheelbase]) => {
        const own = inProportion(drawing, { length, height, wheelbase });
        if (own === undefined) return;
        const [left, right, top] = own.box;
        const points = own.outline.match(/\d+(?:\.\d+)?/g) ?? [];
        expect(points.every((digits) => Number(digits) >= 0 && Number(digits) <= 300)).toBe(true);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(300);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(`${own.outline}${own.lines}`).not.toMatch(/NaN|Infinity/);
      }),
    );
  });
});
