import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { DEFAULT_BOUNDS } from '../bounds.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { afterAnswer, afterFailure, stateOf } from './breaker.ts';
import { nextStep } from './finish.ts';
import { takeSlots } from './claim.ts';

const NOW = 1_800_000_000_000;

describe('the rate limit', () => {
  test('never lets more than the rate and one burst begin, in any order of requests', () => {
    const asks = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 8 })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6_000 }), asks, (perMinute, asked) => {
        let nowMs = NOW;
        let state = { nextSlotAtMs: 0 };
        let begun = 0;
        for (const [laterMs, wanted] of asked) {
          nowMs += laterMs;
          const slots = takeSlots(state, perMinute, wanted, nowMs);
          begun += slots.granted;
          state = slots;
        }
        const burst = Math.max(1, perMinute / 12);
        expect(begun).toBeLessThanOrEqual(Math.ceil(((nowMs - NOW) * perMinute) / 60_000 + burst) + 1);
      }),
    );
  });

  test('grants one at the very moment that it names', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6_000 }), fc.integer({ min: 1, max: 9 }), (perMinute, wanted) => {
        const slots = takeSlots({ nextSlotAtMs: 0 }, perMinute, wanted, NOW);
        expect(slots.granted).toBeGreaterThan(0);
        expect(takeSlots(slots, perMinute, 1, Math.max(NOW, slots.notBeforeMs)).granted).toBe(1);
      }),
    );
  });
});

describe('a source', () => {
  const healthy = { failures: 0, closedUntilMs: 0 };
  const failed = (times: number) => {
    let health = healthy;
    for (let count = 0; count < times; count++) health = afterFailure(health, undefined, NOW, DEFAULT_BOUNDS);
    return health;
  };

  test('that fails occasionally is asked as usual', () => {
    expect(stateOf(failed(4), NOW, DEFAULT_BOUNDS)).toBe('open');
  });

  test('that fails five times in a row rests, longer each time, and then one look-up decides', () => {
    const rests = [5, 6, 7, 30].map((times) => failed(times).closedUntilMs - NOW);
    expect(rests).toEqual([15_000, 30_000, 60_000, 600_000]);
    expect(stateOf(failed(5), NOW + 14_999, DEFAULT_BOUNDS)).toBe('resting');
    expect(stateOf(failed(5), NOW + 15_000, DEFAULT_BOUNDS)).toBe('probe');
    expect(afterAnswer(failed(5), DEFAULT_BOUNDS)).toEqual(healthy);
  });

  test('that asks for a pause gets it, even if a look-up that had begun succeeds', () => {
    const busy = afterFailure(healthy, 20_000, NOW, DEFAULT_BOUNDS);
    expect(stateOf(busy, NOW + 19_999, DEFAULT_BOUNDS)).toBe('resting');
    expect(afterAnswer(busy, DEFAULT_BOUNDS)).toEqual({ failures: 0, closedUntilMs: NOW + 20_000 });
  });
});

const vin = { failures: 1, retryAfterMs: undefined, untried: [], deadlineAtMs: NOW + 600_000 };

function dueIn(failures: number, random: number): unknown {
  const step = nextStep({ ...vin, failures }, NOW, random, DEFAULT_BOUNDS);
  return step.kind === 'retry' ? step.runAtMs - NOW : step;
}

describe('after a look-up', () => {
  test('a failed one is retried, later each time, at a random moment', () => {
    expect([dueIn(1, 0), dueIn(1, 0.5), dueIn(2, 0), dueIn(4, 0)]).toEqual([1_000, 1_500, 2_000, 8_000]);
  });

  test('a retry follows at the time that the source named, if that is later', () => {
    const step = nextStep({ ...vin, retryAfterMs: 45_000 }, NOW, 0, DEFAULT_BOUNDS);
    expect(step).toEqual({ kind: 'retry', runAtMs: NOW + 45_000 });
  });

  test.each([
    ['too many failures', { ...vin, failures: 5 }, { kind: 'give up', answered: false }],
    ['no time left', { ...vin, deadlineAtMs: NOW + 100 }, { kind: 'give up', answered: false }],
    ['too many failures', { ...vin, failures: 5, untried: ['b'] }, { kind: 'other source', source: 'b' }],
    ['nothing', { ...vin, failures: 0, untried: ['b', 'c'] }, { kind: 'other source', source: 'b' }],
    ['nothing', { ...vin, failures: 0 }, { kind: 'give up', answered: true }],
  ])('with %s: %j', (_, unsettled, step) => {
    expect(nextStep(unsettled, NOW, 0, DEFAULT_BOUNDS)).toEqual(step);
  });
});

describe('retryAfterSeconds', () => {
  const wait = { waitsMs: [1_000, 2_000, 9_000], ageMs: 0, restMs: 0, leftMs: 600_000 };

  test.each([
    ['nine of ten have their result by then', wait, 9],
    ['the VIN has waited a while already', { ...wait, ageMs: 4_500 }, 5],
    ['the VIN has waited longer than usual', { ...wait, ageMs: 20_000 }, 10],
    ['nothing was observed', { ...wait, waitsMs: [] }, 3],
    ['it is always quick', { ...wait, waitsMs: [5] }, 1],
    ['it is slow: a minute at most', { ...wait, waitsMs: [400_000] }, 60],
    ['the source rests', { ...wait, restMs: 30_000 }, 30],
    ['the time is nearly up', { ...wait, leftMs: 2_500 }, 3],
  ])('when %s', (_, wait, seconds) => {
    expect(retryAfterSeconds(wait)).toBe(seconds);
  });

  test('is a whole number from 1 to 60, for any observed waits', () => {
    const any = fc.record({
      waitsMs: fc.array(fc.nat()),
      ageMs: fc.nat(),
      restMs: fc.integer(),
      leftMs: fc.integer(),
    });
    fc.assert(
      fc.property(any, (wait) => {
        const seconds = retryAfterSeconds(wait);
        expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
      }),
    );
  });
});
