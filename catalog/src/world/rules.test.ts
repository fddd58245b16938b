import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { interpret } from './interpret.ts';
import { loadWorld } from './load.ts';
import { factsFolder } from './testing/facts-folder.ts';

const NO_YEAR =
  'about: x\nlayouts:\n  - {name: row, about: x, make: Acme, wmis: [ZZA], year: none, check_digit: none, tables: [models.csv]}\n';

const spans = fc.integer({ min: 2, max: 15 });
const years = fc.integer({ min: 1980, max: 2025 });

test('windows that only touch give neither the year nor the generation', () => {
  fc.assert(
    fc.property(years, fc.tuple(spans, spans), (middle, [before, after]) => {
      const [first, last] = [middle - before, middle + after];
      const rows = `4,A,${middle},${last},Rocket,II,,B,BOOK\n7,X,${first},${middle},,,Diesel,B,BOOK`;
      const models = `positions,code,from,to,model,generation,fuel,confidence,source\n${rows}\n`;
      const world = loadWorld(factsFolder(models, { 'acme/layouts.yaml': NO_YEAR }));
      const touching = interpret(world, 'ZZAA00X0041000001');
      expect(touching?.outputs).toEqual({ make: 'Acme', model: 'Rocket', fuelType: 'Diesel' });
      expect(touching?.production).toEqual([null, null]);
      expect(interpret(world, 'ZZAA0000041000001')?.outputs.generation).toBe('II');
    }),
    { numRuns: 30 },
  );
});

test('serial numbers at the turn of two years leave the generation', () => {
  const rows = '4,A,1990,2004,Rocket,II,B,BOOK\n10-12,410,2004,2005,,,B,BOOK';
  const models = `positions,code,from,to,model,generation,confidence,source\n${rows}\n`;
  const world = loadWorld(factsFolder(models, { 'acme/layouts.yaml': NO_YEAR }));
  expect(interpret(world, 'ZZAA0000041000001')?.outputs).toEqual({ make: 'Acme', model: 'Rocket', generation: 'II' });
});

test('a row about one year gives it in all years of the others', () => {
  fc.assert(
    fc.property(fc.tuple(years, years, years), (three) => {
      const [first, year, last] = three.toSorted((a, b) => a - b);
      const rows = `4,A,${first},${last},Rocket,II,B,BOOK\n10-12,410,${year},${year},,,B,BOOK`;
      const models = `positions,code,from,to,model,generation,confidence,source\n${rows}\n`;
      const world = loadWorld(factsFolder(models, { 'acme/layouts.yaml': NO_YEAR }));
      expect(interpret(world, 'ZZAA0000041000001')?.outputs).toMatchObject({ generation: 'II', modelYear: year });
    }),
    { numRuns: 30 },
  );
});

test('a row about a year of one cycle does not choose between two', () => {
  const header = 'positions,code,from,to,model,model_year,confidence,source';
  const rows = ['4,A,1985,1995,Rocket,,B,BOOK', '10-11,KP,2019,2019,,2020,B,BOOK'];
  const world = loadWorld(factsFolder([header, ...rows, ''].join('\n')));
  expect(interpret(world, 'ZZAX00000KP000001')?.outputs).toEqual({ make: 'Acme' });
  expect(interpret(world, 'ZZAA00000KP000001')?.outputs.modelYear).toBe(1989);
});

test('a code of years in which the model was not built tells nothing, unless it tells the year', () => {
  const rows = ['4,A,2012,2024,Zed,,,B,BOOK', '7,G,2000,2010,,Gasoline,,B,BOOK', '7,E,2012,2020,,Electric,,B,BOOK'];
  const year = '7,S,2001,2001,,,2001,B,BOOK';
  const models = `positions,code,from,to,model,fuel,model_year,confidence,source\n${[...rows, year].join('\n')}\n`;
  const world = loadWorld(factsFolder(models, { 'acme/layouts.yaml': NO_YEAR }));
  const fuel = (code: string): string | undefined => interpret(world, `ZZAA00${code}0041000001`)?.outputs.fuelType;
  expect([fuel('E'), fuel('G')]).toEqual(['Electric', undefined]);
  expect(interpret(world, 'ZZAA00S0041000001')?.rows.map(({ years: [from] }) => from)).toContain(2001);
});
