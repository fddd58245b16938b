import { array, assert, integer, nat, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';

import { ConcurrencyLimit } from './concurrency-limit.ts';

const measure = (limit: ConcurrencyLimit, times: number, lateMs: number, underWay: number): void => {
  for (let time = 0; time < times; time += 1) limit.measure(lateMs, underWay);
};

test('while the event loop is late the limit falls below what is under way, and rises back to all of it after', () => {
  const limit = new ConcurrencyLimit(4_000);
  measure(limit, 3, 200, 1_500);
  expect(limit.size).toBe(1_350);
  measure(limit, 1, 200, 1_000);
  expect(limit.size).toBe(900);
  measure(limit, 100, 40, 900);
  expect(limit.size).toBe(900);
  measure(limit, 100, 0, 900);
  expect(limit.size).toBe(4_000);
});

test('one pause, however long, lowers nothing', () => {
  const limit = new ConcurrencyLimit(4_000);
  measure(limit, 2, 10_000, 100);
  measure(limit, 1, 0, 100);
  measure(limit, 2, 10_000, 100);
  expect(limit.size).toBe(4_000);
});

test('whatever happens, the limit stays between its bounds', () => {
  const measurements = array(tuple(nat(1_000), nat(5_000)), { maxLength: 200 });
  assert(
    property(integer({ min: 1, max: 5_000 }), measurements, (most, seen) => {
      const limit = new ConcurrencyLimit(most);
      for (const [lateMs, underWay] of seen) limit.measure(lateMs, underWay);
      expect(limit.size).toBeLessThanOrEqual(most);
      expect(limit.size).toBeGreaterThanOrEqual(Math.min(most, 200));
    }),
  );
});
