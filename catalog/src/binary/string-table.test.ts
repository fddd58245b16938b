import { expect, test } from 'vitest';

import { StringTable } from './string-table.ts';

test.each(['\u0000', '\n', '\u001B[2J', '\u009B2J', '\u202E', '\u2066', '\u2028'])(
  'a label with %j does not enter a catalog, and the refusal shows it as an escape',
  (steering) => {
    const strings = new StringTable();
    let message = '';
    try {
      strings.id(`Honda${steering}Civic`);
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/"Honda\\.*Civic" has a control character/);
    expect(message).toMatch(/^[ -~]+$/);
    expect(strings.texts()).toEqual(['']);
  },
);

test('names of any alphabet enter a catalog', () => {
  const strings = new StringTable();
  expect(['Skoda', '\u0160koda', '\u8ECA\u4E21', 'D\u2019Ieteren'].map((text) => strings.id(text))).toEqual([
    1, 2, 3, 4,
  ]);
});

test.each([
  ['Citro\uFFFDn', /"Citro\\ufffdn" is not in UTF-8/],
  ['C'.repeat(10_001), /has 10001 characters. A text has 10000 at most/],
])('what nobody could read does not enter a catalog: %.20j', (text, refusal) => {
  expect(() => new StringTable().id(text)).toThrow(refusal);
});
