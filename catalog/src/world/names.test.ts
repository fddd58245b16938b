import { expect, test } from 'vitest';

import { readWorld } from './load.ts';

/** Names that two makes of one folder write otherwise: Citroen sold the DS3, the make DS the DS 3. */
const TWO_MAKES: ReadonlySet<string> = new Set(['psa ds3', 'psa ds4', 'psa ds5']);

test('a maker’s tables write each model in one way, and alternatives in one order', () => {
  const spellings = new Map<string, Set<string>>();
  for (const [table, rows] of readWorld().tables) {
    const folder = table.split('/')[0];
    for (const { row } of rows) {
      if (row.model === undefined) continue;
      const key = `${folder} ${row.model
        .split(' / ')
        .map((name) =>
          name
            .normalize('NFD')
            .toLowerCase()
            .replaceAll(/[ \-\p{M}]/gu, ''),
        )
        .toSorted()
        .join('/')}`;
      if (!TWO_MAKES.has(key)) spellings.set(key, (spellings.get(key) ?? new Set()).add(row.model));
    }
  }
  expect(spellings.size).toBeGreaterThan(2000);
  const several = [...spellings].flatMap(([key, names]) =>
    names.size > 1 ? [`${key}: ${[...names].join(', ')}`] : [],
  );
  expect(several).toEqual([]);
});
