import { expect, test } from 'vitest';

import { ruleSetText } from './rule-set.ts';

test('the text of a rule set has the maker and the layout in words', () => {
  expect(ruleSetText('volkswagen/row', 'Volkswagen')).toBe('Rule set: Volkswagen, rest of world');
  expect(ruleSetText('alfa-romeo/na', undefined)).toBe('Rule set: Alfa Romeo, North America');
  expect(ruleSetText('vPIC', 'Honda')).toBe('Rule set: vPIC');
});

test.each(Object.getOwnPropertyNames(Object.prototype))('a layout may be called %s', (layout) => {
  expect(ruleSetText(`acme/${layout}`, 'Acme')).toBe(`Rule set: Acme, ${layout}`);
});
