import { expect, test } from 'vitest';

import { interpret } from './interpret.ts';
import { readLayouts } from './layouts.ts';
import { loadWorld, readWorld } from './load.ts';
import { FactsError } from './problem.ts';
import { factsFolder } from './testing/facts-folder.ts';

test('the facts load without a fault', () => {
  expect(loadWorld().length).toBeGreaterThan(100);
});

test('a row of general knowledge without confirmation answers nothing', () => {
  const { tables, layouts } = readWorld();
  const held = [...tables.values()].flat().filter(({ row }) => row.confidence === 'G' && row.agreed === undefined);
  const origins = new Set(layouts.flatMap(({ rows }) => rows.map(({ origin }) => origin)));
  expect(held.length).toBeGreaterThan(100);
  expect(held.every(({ row }) => row.confidence === 'G')).toBe(true);
  expect(origins.size).toBeGreaterThan(1000);
});

test('a Golf of 2004 is a Golf V from Wolfsburg', () => {
  expect(interpret(loadWorld(), 'WVWZZZ1KZ4W000001')?.outputs).toMatchObject({
    make: 'Volkswagen',
    model: 'Golf',
    generation: 'V',
    modelCode: '1K',
    modelYear: 2004,
    plantCity: 'Wolfsburg',
    plantCountry: 'Germany',
  });
});

test('a layout that lists its models has no rows about codes of others', () => {
  const layouts = loadWorld(
    factsFolder('', {
      'bolt/layouts.yaml':
        'about: x\nlayouts:\n  - {name: vans, about: x, make: Bolt, wmis: [ZZA], models: [Van, Box], year: none, check_digit: none, tables: [models.csv]}\n',
      'bolt/models.csv': [
        'positions,code,model,body,plant_city,plant_country,confidence,source',
        '4-5,AB,Rocket,,,,A,BOOK',
        '4-5,AB,,sedan,,,A,BOOK',
        '4-5,CD,Van / Bus,,,,A,BOOK',
        '4-5,CD,,van,,,A,BOOK',
        '4-5,EF,Box,,,,A,BOOK',
        '4,[AE],,wagon,,,A,BOOK',
        '11,W,,,Wolfsburg,Germany,A,BOOK',
        '',
      ].join('\n'),
    }),
  );
  const rows = layouts.find(({ id }) => id === 'bolt/vans')?.rows.map(({ origin }) => origin);
  expect(rows).toEqual([4, 5, 6, 7, 8].map((line) => `bolt/models.csv:${line}`));
});

test('every fault of the files is named at once, with its line and what to write', () => {
  const folder = factsFolder(
    [
      'positions,code,from,to,body,confidence,source',
      '4-5,AB,2000,1990,estate,B,BOOK',
      '4-5,ABC,,,sedan,B,BOOK',
      '4-5,AB,,,sedan,B,ELSEWHERE',
      '4-5,AB,,,sedan,B',
      '4-5,AB,,,sedan,Z,BOOK',
    ].join('\n'),
    {
      'bolt/layouts.yaml':
        'about: x\nlayouts:\n  - name: row\n    about: x\n    wmis: [ZZIO]\n    year: sometimes\n    check_digit: none\n',
      'bolt/spare.csv': 'positions,code,colour,confidence,source\n',
      'nut/layouts.yaml':
        'about: x\nlayouts:\n  - {name: row, about: x, wmis: [ZZB], models: [Anvil], year: none, check_digit: none}\n',
    },
  );
  const problems = faultsOf(folder);
  expect(problems).toContainEqual([
    'acme/models.csv:2',
    expect.stringContaining('body "estate" is not allowed here: write one of'),
  ]);
  expect(problems).toContainEqual(['acme/models.csv:3', 'code "ABC" has 3 characters for 2 positions']);
  expect(problems).toContainEqual([
    'acme/models.csv:4',
    expect.stringContaining('source "ELSEWHERE" is not in sources.csv'),
  ]);
  expect(problems).toContainEqual([
    'acme/models.csv:5',
    expect.stringContaining('the row has 6 cells and the header 7'),
  ]);
  expect(problems).toContainEqual(['acme/models.csv:6', expect.stringContaining('confidence "Z" is not allowed here')]);
  expect(problems).toContainEqual(['bolt/layouts.yaml:5', expect.stringContaining('write a list of WMIs')]);
  expect(problems).toContainEqual([
    'bolt/layouts.yaml:6',
    expect.stringContaining('write position-10, position-11 or none'),
  ]);
  expect(problems).toContainEqual(['nut/layouts.yaml', 'no row of layout row has the model Anvil']);
  expect(problems).toContainEqual(['bolt/spare.csv:1', expect.stringContaining('no column is called "colour"')]);
});

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'a key %s of a layout is named as one that is not known',
  (key) => {
    const { problems } = readLayouts('layouts.yaml', `about: x\nlayouts:\n  - ${key}: 1\n`);
    const { what } = problems.find((problem) => problem.what.startsWith(`layouts.0.${key}: `)) ?? {};
    expect(what).toMatch(/^layouts\.0\.\w+: (?!write)/);
  },
);

function faultsOf(folder: string): [string, string][] {
  try {
    readWorld(folder);
  } catch (error) {
    if (error instanceof FactsError) return error.problems.map(({ where, what }) => [where, what]);
    throw error;
  }
  return [];
}
