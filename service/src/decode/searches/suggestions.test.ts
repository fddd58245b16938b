import { expect, test } from 'vitest';

import { decoder } from '../../testing/decoder.ts';
import { Suggestions } from './suggestions.ts';
import { localRateLimit } from '../../kernel/limits/token-buckets.ts';
import { turnsDuring } from '../../testing/loop-turns.ts';

const MISTYPED = '1HGCM82633AO04352';
const BOUNDS = {
  perClient: { burst: 3, refillMs: 60_000 },
  share: 0.05,
  burstMs: 100,
  waiting: 3,
  waitingPerTenant: 1,
};

/** Returns the real decoder, with counts of the searches begun, and the times of all of them and of the longest. */
function watched() {
  const seen = { searches: 0, steps: 0, spentMs: 0, longestMs: 0 };
  return {
    seen,
    decoder: {
      *suggestInSteps(text: string) {
        const search = decoder.suggestInSteps(text);
        seen.searches += 1;
        let ownMs = 0;
        for (;;) {
          const { user } = process.threadCpuUsage();
          const step = search.next();
          const stepMs = (process.threadCpuUsage().user - user) / 1_000;
          seen.steps += 1;
          seen.spentMs += stepMs;
          ownMs += stepMs;
          seen.longestMs = Math.max(seen.longestMs, ownMs);
          if (step.done === true) return step.value;
          yield;
        }
      },
    },
  };
}

const clock = () => 0;

test('all searches together keep to their share of the time, however many clients ask', async () => {
  const { seen, decoder } = watched();
  const suggestions = new Suggestions({ decoder, clock, rateLimit: localRateLimit }, BOUNDS);
  const began = performance.now();
  for (let client = 0; client < 100; client++) {
    // Two likely mistakes are the dearest search.
    await suggestions.for('1H6CM82633A004325', `client ${client}`);
  }
  const elapsedMs = performance.now() - began;
  // One search may end after the budget has.
  expect(seen.spentMs).toBeLessThanOrEqual(BOUNDS.burstMs + elapsedMs * BOUNDS.share + seen.longestMs);
});

/** The real decoder on a machine on which each step of a search takes two milliseconds. */
const slow = {
  *suggestInSteps(text: string) {
    const search = decoder.suggestInSteps(text);
    for (;;) {
      const began = performance.now();
      const step = search.next();
      while (performance.now() - began < 2) {
        // Takes the processor.
      }
      if (step.done === true) return step.value;
      yield;
    }
  },
};

test('others get their turn in the middle of a search', async () => {
  const suggestions = new Suggestions(
    { decoder: slow, clock, rateLimit: localRateLimit },
    { ...BOUNDS, burstMs: 5_000 },
  );
  const { result, turns } = await turnsDuring(() => suggestions.for('1H6CM82633A004325', 'one'));
  expect(result.length).toBeGreaterThan(0);
  expect(turns).toBeGreaterThan(2);
});

test('a VIN with a right check digit and a text far from any VIN are not searched, and take from no limit', async () => {
  const { seen, decoder } = watched();
  const suggestions = new Suggestions({ decoder, clock, rateLimit: localRateLimit }, { ...BOUNDS, burstMs: 5_000 });
  for (const text of ['1HGCM82633A004352', '11111111111111111', '', 'nonsense', 'A'.repeat(500)]) {
    for (let times = 0; times < 10; times++) expect(await suggestions.for(text, 'one')).toEqual([]);
  }
  // A text is far from any VIN after one look.
  expect(seen.steps).toBe(seen.searches);
  expect(await suggestions.for(MISTYPED, 'one')).toMatchObject([{ vin: '1HGCM82633A004352' }]);
});

test('a client that has used up its own limit takes nothing from others', async () => {
  const suggestions = new Suggestions({ decoder, clock, rateLimit: localRateLimit }, { ...BOUNDS, burstMs: 5_000 });
  const found: number[] = [];
  for (let times = 0; times < 5; times++) found.push((await suggestions.for(MISTYPED, 'one')).length);
  expect(found).toEqual([1, 1, 1, 0, 0]);
  expect(await suggestions.for(MISTYPED, 'another')).toHaveLength(1);
});

test('the queue is bounded, and what does not fit is refused at once', async () => {
  const suggestions = new Suggestions({ decoder, clock, rateLimit: localRateLimit }, { ...BOUNDS, burstMs: 5_000 });
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, client) => suggestions.for(MISTYPED, `client ${client}`)),
  );
  expect(found.filter((list) => list.length > 0).length).toBeLessThanOrEqual(BOUNDS.waiting + 1);
  expect(await suggestions.for(MISTYPED, 'later')).toHaveLength(1);
});
