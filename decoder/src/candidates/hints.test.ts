import { expect, test } from 'vitest';

import { readHints } from './hints.ts';

test('hints are read as people write them', () => {
  expect(
    readHints({ fuelType: 'petrol', driveType: '4x4', transmission: 'manual', powerKw: '77', market: 'EU' }),
  ).toEqual({
    kind: 'hints',
    hints: {
      fuelType: 'Gasoline',
      driveType: 'All-wheel drive',
      transmission: 'Manual',
      powerKw: 77,
      market: 'Europe',
    },
  });
  expect(readHints({ bodyStyleNormalized: 'Wagon', modelYear: '', displacementCc: undefined })).toEqual({
    kind: 'hints',
    hints: { bodyStyleNormalized: 'wagon' },
  });
});

test('an invalid hint is refused in a sentence that names it', () => {
  const form = readHints({ color: 'red', powerKw: '77 horses', bodyStyleNormalized: 'unknown' });
  expect(form).toMatchObject({ kind: 'malformed' });
  const messages = form.kind === 'malformed' ? form.messages.join('\n') : '';
  expect(messages).toMatch(/^color is not a hint/);
  expect(messages).toMatch(/powerKw takes a number from 1 to 2000/);
  expect(messages).toMatch(/bodyStyleNormalized takes one of other, sedan/);
});
