import { expect, test } from 'vitest';

import { agreed } from './agree.ts';

const WITHIN = { kind: 'share', share: 0.03 } as const;

test('several values as common agree on the smallest, and in order on the first', () => {
  expect(agreed([1455, 1461, 1420], WITHIN)).toBe(1420);
  expect(agreed([1455, 1461, 1420], WITHIN, true)).toBe(1455);
  expect(agreed([1455, 1420, 1420], WITHIN, true)).toBe(1420);
});

test('values further apart agree on none', () => {
  expect(agreed([1455, 1300], WITHIN, true)).toBe(0);
  expect(agreed([], WITHIN)).toBe(0);
});
