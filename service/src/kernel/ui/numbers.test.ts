import { expect, test } from 'vitest';

import { count, inEnglish, languageOf } from './numbers.ts';

test.each([
  ['de-DE,de;q=0.9,en;q=0.8', 'de-DE'],
  ['fr;q=0.9', 'fr'],
  ['', 'en-US'],
  [undefined, 'en-US'],
  ['*', 'en-US'],
  ['xx-not-a-language', 'en-US'],
  ['tlh', 'en-US'],
  [`de-${'a'.repeat(5_000)}`, 'en-US'],
])('a browser that asks for %s gets the number formats of %s', (accepted, language) => {
  expect(languageOf(accepted)).toBe(language);
});

test('outside of a request numbers are English', () => {
  expect([count(12_345.6), inEnglish(() => count(1_000))]).toEqual(['12,345.6', '1,000']);
});
