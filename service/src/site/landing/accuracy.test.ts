import { expect, test } from 'vitest';

import { accuracyIn, readAccuracy } from './accuracy.tsx';

test('figures are those of the document, by field and region', () => {
  const document = [
    '## world: 717 labeled VINs',
    '',
    '| field | labeled | answered | right of answers | wrong |',
    '|---|--:|--:|--:|--:|',
    '| model | 717 | 96.37 % | 98.55 % | 10 |',
    '| transmission | 405 | 20.99 % | 100 % | 0 |',
    '',
    '| region | VINs | manufacturer | model | modelYear | body | fuelType |',
    '|---|--:|--:|--:|--:|--:|--:|',
    '| South America | 8 | 100 % / 99 % | 98 % / 97 % | 96 % / 95 % |  |  |',
    '',
  ].join('\n');
  expect(accuracyIn(document)).toEqual([
    {
      name: 'Worldwide',
      size: 717,
      fields: [{ label: 'Model', share: { answered: '96.37 %', right: '98.55 %' } }],
      regions: [
        {
          name: 'South America',
          shares: [
            { answered: '100 %', right: '99 %' },
            { answered: '98 %', right: '97 %' },
            { answered: '96 %', right: '95 %' },
            undefined,
            undefined,
          ],
        },
      ],
    },
  ]);
});

test("this release's document is read: two sets, five fields each, every region", () => {
  const sets = readAccuracy();
  expect(sets.map(({ name, fields }) => [name, fields.length])).toEqual([
    ['North America', 5],
    ['Worldwide', 5],
  ]);
  for (const { size, regions } of sets) {
    expect(size).toBeGreaterThan(100);
    expect(regions.map(({ name }) => name)).toEqual(expect.arrayContaining(['Asia', 'Europe', 'North America']));
  }
});
