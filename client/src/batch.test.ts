import { array, assert, asyncProperty, integer } from 'fast-check';
import { expect, test } from 'vitest';

import { listsOf, pendingIn, withAnswers } from './batch.ts';
import type { BatchResult } from './types.ts';

test('lists contain every item once, in order, and none is longer than requested', async () => {
  await assert(
    asyncProperty(array(integer()), integer({ min: 1, max: 7 }), async (items, size) => {
      const lists: number[][] = [];
      for await (const list of listsOf(items, size)) lists.push(list);
      expect(lists.flat()).toEqual(items);
      expect(lists.every((list) => list.length > 0 && list.length <= size)).toBe(true);
    }),
  );
});

test('answers to pending VINs take the places of their VINs', () => {
  const first = [result('a', 'enrichment_pending', 2), result('b', 'decoded'), result('c', 'enrichment_pending', 5)];
  const { indices, retryAfterSeconds } = pendingIn(first);
  expect({ indices, retryAfterSeconds }).toEqual({ indices: [0, 2], retryAfterSeconds: 5 });
  const merged = withAnswers(first, indices, [result('a', 'decoded'), result('c', 'limit_reached')]);
  expect(merged.map(({ vin, status }) => `${vin} ${status}`)).toEqual(['a decoded', 'b decoded', 'c limit_reached']);
  expect(pendingIn(merged)).toEqual({ indices: [], retryAfterSeconds: 0 });
});

function result(vin: string, status: BatchResult['status'], retryAfterSeconds?: number): BatchResult {
  return { vin, status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}
