import { expect, test } from 'vitest';

import { Tally } from './tally.ts';

/** More than are held in memory. */
const TEXTS = 130_000;

test('a tally that went to the disk counts as one that did not', () => {
  const tally = new Tally(2);
  for (let round = 1; round <= 2; round++) {
    for (let index = 0; index < TEXTS; index++) {
      tally.add(`text ${index}`, round, [index + round, round === 2 && index % 2 === 1 ? index : undefined]);
    }
  }
  tally.add('rare', 2);
  const wrong: unknown[] = [];
  const seen = new Set<string>();
  for (const { key, count, ranges } of tally.atLeast(3)) {
    const index = Number(key.slice('text '.length));
    const [first, second] = ranges;
    const right =
      count === 3 &&
      first?.low === index + 1 &&
      first.high === index + 2 &&
      first.said === 3 &&
      second?.said === (index % 2 === 1 ? 2 : 0) &&
      (second.said === 0 || (second.low === index && second.high === index));
    if (!right) wrong.push({ key, count, ranges });
    seen.add(key);
  }
  tally.close();
  expect(wrong).toEqual([]);
  expect(seen.size).toBe(TEXTS);
});
