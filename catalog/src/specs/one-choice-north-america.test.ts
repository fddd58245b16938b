import { expect, test } from 'vitest';

import type { SpecRow } from './columns.ts';
import { loadSpecs } from './load.ts';

const { sources } = loadSpecs();
const rowsOf = (table: string): readonly SpecRow[] => sources.find(({ id }) => id === table)?.rows ?? [];

/** Sources call the same car all-wheel and four-wheel drive. */
const wheels = (drive: string): string => (/^(?:All|Four)/.test(drive) ? 'all' : drive);
const kind = (gearbox: string): string => (gearbox.startsWith('Manual') ? 'manual' : 'automatic');

test.each([
  ['one-gearbox-north-america', ({ gearbox }: SpecRow) => gearbox && kind(gearbox)],
  ['one-drive-north-america', ({ drive }: SpecRow) => drive && wheels(drive)],
] as const)('EPA lists no car otherwise of a family of %s', (table, choiceOf) => {
  const families = rowsOf(table);
  expect(families.length).toBeGreaterThan(20);
  const wrong = families.flatMap((family) =>
    rowsOf('epa')
      .filter(({ make, model }) => make === family.make && model === family.model)
      .filter(({ from, to }) => from <= family.to && family.from <= to)
      .filter((row) => choiceOf(row) !== undefined && choiceOf(row) !== choiceOf(family))
      .map(({ make, model, from, badge = '' }) => `${make} ${model} ${badge} ${from}`),
  );
  expect(wrong).toEqual([]);
});
