import { expect, test, vi } from 'vitest';

import { oneLine } from './forms.ts';

test('a text becomes one line without control characters, and no longer than asked', () => {
  expect(oneLine('  VIN\r\n\u202e\u0000number  ', 120)).toBe('VIN number');
  expect(oneLine('😀'.repeat(50), 40)).toBe('😀'.repeat(40));
});

test('of a text of megabytes, only the beginning is looked at', () => {
  using replaced = vi.spyOn(String.prototype, 'replace');
  expect(oneLine('a\u0001'.repeat(1_000_000), 40)).toBe('a '.repeat(20));
  expect(Math.max(...replaced.mock.contexts.map((text) => String(text).length))).toBeLessThanOrEqual(400);
});
