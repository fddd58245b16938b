import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { accuracyIn, readAccuracy } from './accuracy.tsx';

test('of both ways of leaving out, the lower figure of the document is shown, by field and region', () => {
  const document = [
    '## world: 717 labeled VINs',
    '',
    '| field | labeled | answered | right of answers | wrong |',
    '|---|--:|--:|--:|--:|',
    '| model | 717 | 96.37 % | 98.55 % | 10 |',
    '| transmission | 405 | 20.99 % | 100 % | 0 |',
    '',
    '| field | labeled | without its group | without its model | without rows from labels |',
    '|---|--:|--:|--:|--:|',
    '| model | 717 | 96.37 % / 98.55 % | 91.02 % / 98.60 % | 80.00 % / 97.00 % |',
    '| transmission | 405 | 20.99 % / 100 % | 20.01 % / 100 % | 20.01 % / 100 % |',
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
      fields: [{ label: 'Model', share: { answered: '91.02 %', right: '98.55 %' } }],
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

test("the page has the README's figures", () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  for (const { name, fields } of readAccuracy()) {
    const cells = new RegExp(`^\\| ${name} +\\|(.*)\\|$`, 'm').exec(readme)?.[1]?.split('|').slice(1) ?? [];
    const [shown, written] = [
      fields.map(({ share }) => [share.answered, share.right]),
      cells.map((cell) => cell.split('/')),
    ];
    expect(shown.map((shares) => shares.map(rounded))).toEqual(written.map((shares) => shares.map(rounded)));
  }
});

function rounded(share: string): string {
  return Number.parseFloat(share).toFixed(1);
}
