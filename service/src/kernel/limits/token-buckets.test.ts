import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { TokenBuckets } from './token-buckets.ts';

const LIMIT = { burst: 3, refillMs: 1_000 };

test('a client may send a burst, then one each time that the bucket refills', () => {
  const guard = new TokenBuckets(LIMIT);
  expect([0, 0, 0, 0].map((at) => guard.take('a', at))).toEqual([0, 0, 0, 1]);
  expect([guard.take('b', 0), guard.take('a', 999), guard.take('a', 1_000), guard.take('a', 1_000)]).toEqual([
    0, 1, 0, 1,
  ]);
  expect([1, 2, 3, 4].map(() => guard.take('a', 100_000))).toEqual([0, 0, 0, 1]);
});

test('no client ever gets more than the burst and what refilled since', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 3_000 }), { maxLength: 100 }), (pauses) => {
      const guard = new TokenBuckets(LIMIT);
      let now = 10_000;
      let moved = 0;
      let granted = 0;
      for (const pause of pauses) {
        // A clock that is set back and comes forward again refills as much as it moved forward.
        moved += Math.max(0, pause);
        now += pause;
        if (guard.take('a', now) === 0) granted++;
      }
      expect(granted).toBeLessThanOrEqual(LIMIT.burst + moved / LIMIT.refillMs);
    }),
  );
});

test('a client that waits for the advised seconds is served', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 5, maxLength: 30 }), (pauses) => {
      const guard = new TokenBuckets(LIMIT);
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const seconds = guard.take('a', now);
        if (seconds === 0) continue;
        now += seconds * 1_000;
        expect(guard.take('a', now)).toBe(0);
      }
    }),
  );
});

test('a token that was taken for nothing is given back, and never more than the burst is there', () => {
  const buckets = new TokenBuckets(LIMIT);
  expect([0, 0, 0, 0].map((at) => buckets.take('a', at))).toEqual([0, 0, 0, 1]);
  buckets.giveBack('a');
  expect([buckets.take('a', 0), buckets.take('a', 0)]).toEqual([0, 1]);
  for (let times = 0; times < 10; times++) buckets.giveBack('a');
  expect([0, 0, 0, 0].map((at) => buckets.take('a', at))).toEqual([0, 0, 0, 1]);
});
