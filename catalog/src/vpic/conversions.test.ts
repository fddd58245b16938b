import { expect, test } from 'vitest';

import { convert } from './conversions.ts';

test.each([
  ['1.6', '/', '0.016387064', '97.6379905515716543'],
  ['8', '/', '0.016387064', '488.1899527578582716'],
  ['1.6', '*', '1000', '1600.0'],
  ['1300', '/', '1000.', '1.3000000000000000'],
  ['1997', '/', '1000.', '1.9970000000000000'],
  ['552', '*', '16.387064', '9045.659328'],
  ['2354', '/', '16.387064', '143.6498935989997964'],
  ['427', '*', '0.016387064', '6.997276328'],
  ['about 2', '*', '1000', '0'],
] as const)("%s %s %s is %s, to the digit of NHTSA's database", (value, operator, factor, wanted) => {
  expect(convert(value, operator, factor)).toBe(wanted);
});
