import { expect, test } from 'vitest';

import { loadWorld } from '../world/load.ts';
import { loadSpecs } from './load.ts';

const families = loadSpecs().sources.find(({ id }) => id === 'one-drive')?.rows ?? [];

test('a family of one drive is of one drive wherever the facts about the world’s VINs name its wheels', () => {
  const drives = new Map(families.map((row) => [`${row.make}|${row.model}|${row.generation ?? ''}`, row.drive]));
  const contradicted = new Set<string>();
  for (const { make, rows } of loadWorld()) {
    for (const { outputs } of rows) {
      if (outputs.model === undefined || outputs.driveType === undefined) continue;
      const family = `${outputs.make ?? make}|${outputs.model}`;
      const drive = drives.get(`${family}|${outputs.generation ?? ''}`) ?? drives.get(`${family}|`);
      if (drive !== undefined && drive !== outputs.driveType) contradicted.add(`${family}: ${outputs.driveType}`);
    }
  }
  expect([...contradicted]).toEqual([]);
});

test('a list of variants knows no other wheels of such a family', () => {
  const lists = loadSpecs().sources.filter(({ market, id }) => market === 'europe' && id !== 'one-drive');
  const wrong = lists.flatMap(({ id, rows }) =>
    rows
      .filter(({ drive }) => drive !== undefined)
      .flatMap((row) => {
        const ofFamily = families.find(
          (family) =>
            family.make === row.make &&
            family.model === row.model &&
            (family.generation === undefined || family.generation === row.generation),
        );
        return ofFamily === undefined || ofFamily.drive === row.drive
          ? []
          : [`${id}: ${row.make} ${row.model} ${row.badge}`];
      }),
  );
  expect(wrong).toEqual([]);
});
