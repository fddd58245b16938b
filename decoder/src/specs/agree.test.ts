import { expect, test } from 'vitest';

import { agreed } from './agree.ts';

const WITHIN = { kind: 'share', share: 0.03 } as const;

test('values agree on the most common, of several as common on the smallest', () => {
  expect(agreed([1455, 1461, 1420], WITHIN)).toBe(1420);
  expect(agreed([1420, 1455, 1455], WITHIN)).toBe(1455);
});

test('values further apart agree on none', () => {
  expect(agreed([1455, 1300], WITHIN)).toBe(0);
  expect(agreed([], WITHIN)).toBe(0);
});
