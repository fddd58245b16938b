import { expect, test } from 'vitest';

import { mayMeet } from './scope.ts';

test.each([
  ['ZZZ1K', '...ZZZ', true],
  ['ABC1K', '...ZZZ', false],
  ['...1K', '...ZZZ', true],
  ['[XZ]ZZ', '...ZZZ', true],
  ['', '.........0', true],
  ['ZZZ1KZ[1-9]', '.........0', false],
  ['AB', '...[A-Z][0-9]', false],
])('of the pattern "%s" a VIN may meet the condition "%s": %s', (pattern, condition, expected) => {
  expect(mayMeet({ kind: 'pattern', wmi: 'WVW', pattern, years: [null, null] }, condition)).toBe(expected);
});
