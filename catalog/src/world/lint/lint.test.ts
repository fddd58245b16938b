import { expect, test } from 'vitest';

import { type WorldFacts, readWorld } from '../load.ts';
import { factsFolder } from '../testing/facts-folder.ts';
import { alternatives } from './alternatives.ts';
import { contradictedBadge } from './contradicted-badge.ts';
import { impossibleYears } from './impossible-years.ts';
import { lintWorld } from './index.ts';
import { overlappingCodes } from './overlapping-codes.ts';
import { plantRows } from './plant-rows.ts';
import { sharedMake } from './shared-make.ts';
import { refutedRule } from './refuted-rule.ts';
import { shadowedRow } from './shadowed-row.ts';
import { unbornePower } from './unborne-power.ts';
import { unknownBody } from './unknown-body.ts';
import { unsourcedFact } from './unsourced-fact.ts';

/** Returns a diesel of 1560 cc under a code at position 5. */
function engine(code: string, kw: number, rest: string): string {
  return `5,${code},Diesel,1560,${kw},${rest}`;
}

const HEADER = 'positions,code,from,to,model,generation,body,doors,confidence,source,agreed';

function facts(...rows: string[]): WorldFacts {
  return factsOf(HEADER, ...rows);
}

function factsOf(header: string, ...rows: string[]): WorldFacts {
  return readWorld(factsFolder([header, ...rows, ''].join('\n')));
}

/** Returns rows that name these models. */
function models(...names: string[]): string[] {
  return names.map((name) => `4-5,AB,,,${name},,,,B,BOOK,`);
}

/** Returns types with these fuels under the code A. */
function types(...fuels: string[]): string[] {
  return fuels.map((fuel, at) => `4-5,A${at},Rocket,${fuel},B,BOOK`);
}

test('the facts of this repository break no rule', () => {
  expect(lintWorld()).toEqual([]);
});

test('two generations of one model under one code need different years', () => {
  const crossing = facts('4-5,AB,2000,2008,Rocket,I,,,B,BOOK,', '4-5,AB,2006,2012,Rocket,II,,,B,BOOK,');
  expect(overlappingCodes(crossing)).toEqual([
    {
      where: 'acme/models.csv:3',
      what: expect.stringContaining('generation is "II" here and "I" at acme/models.csv:2'),
    },
  ]);
  const parted = facts('4-5,AB,2000,2005,Rocket,I,,,B,BOOK,', '4-5,AB,2006,2012,Rocket,II,,,B,BOOK,');
  expect(overlappingCodes(parted)).toEqual([]);
});

test('two models may share a code: both are then left out', () => {
  const shared = facts('4-5,AB,2000,2008,Rocket,I,,,B,BOOK,', '4-5,AB,2000,2008,Anvil,II,,,B,BOOK,');
  expect(overlappingCodes(shared)).toEqual([]);
});

test('a rule about a fuel that the types under it contradict is found, and one with few exceptions is not', () => {
  const header = 'positions,code,model,fuel,confidence,source';
  const rule = '4,A,,Diesel,B,BOOK';
  const refuted = factsOf(header, rule, ...types('Diesel', 'Diesel', 'Gasoline', 'Gasoline'));
  expect(refutedRule(refuted)).toEqual([
    { where: 'acme/models.csv:2', what: expect.stringContaining('2 of 4 types with this code have another fuel') },
  ]);
  expect(refutedRule(factsOf(header, rule, ...types('Diesel', 'Diesel', 'Diesel', 'Gasoline')))).toEqual([]);
});

test('a row outside the years of its layout is found', () => {
  const folder = factsFolder(`${HEADER}\n4-5,AB,1980,1985,Rocket,,,,B,BOOK,\n4-5,AC,1990,,Rocket,,,,B,BOOK,\n`, {
    'acme/layouts.yaml':
      'about: x\nlayouts:\n  - {name: row, about: x, make: Acme, wmis: [ZZA], year: position-10, years: [1990, null], check_digit: none, tables: [models.csv]}\n',
  });
  expect(impossibleYears(readWorld(folder)).map(({ where }) => where)).toEqual(['acme/models.csv:2']);
});

test('doors without a body, and the body "unknown", are found', () => {
  const found = unknownBody(facts('4-5,AB,,,Rocket,,,5,B,BOOK,', '4-5,AC,,,Rocket,,unknown,,B,BOOK,'));
  expect(found.map(({ where }) => where)).toEqual(['acme/models.csv:2', 'acme/models.csv:3']);
});

test('a model that repeats itself, names a purpose, has commas, or more than three alternatives is found', () => {
  expect(
    alternatives(facts(...models('Rocket', 'Rocket / Anvil', 'Grand Rocket / Rocket', 'Rocket / Rocketeer'))),
  ).toEqual([]);
  expect(
    alternatives(
      facts(...models('Rocket / Rocket S', 'Closed Course Competition', 'A / B / C / D', 'A / B / A', '"A, B"')),
    ),
  ).toHaveLength(5);
});

test('a row is found if a surer one gives all its values', () => {
  const found = shadowedRow(facts('4-5,AB,,,Rocket,,,,A,BOOK,', '4-5,AB,2000,2005,Anvil,,,,B,BOOK,'));
  expect(found.map(({ where }) => where)).toEqual(['acme/models.csv:3']);
});

test('a row with more values than the surer one, or more years, stays', () => {
  expect(shadowedRow(facts('4-5,AB,,,Rocket,,,,A,BOOK,', '4-5,AB,,,Rocket,II,,,B,BOOK,'))).toEqual([]);
  expect(shadowedRow(facts('4-5,AB,2000,2005,Rocket,,,,A,BOOK,', '4-5,AB,,,Anvil,,,,B,BOOK,'))).toEqual([]);
});

test('confidence B from general knowledge alone, or from a source that no one can open, is found', () => {
  const rows = ['4-5,AB,,,Rocket,,,,B,G,', '4-5,AC,,,Rocket,,,,B,BOOK+G,', '4-5,AD,,,Rocket,,,,B,LOST,'];
  expect(unsourcedFact(facts(...rows)).map(({ where }) => where)).toEqual(['acme/models.csv:2', 'acme/models.csv:4']);
});

test('a power that rests on a labeled car or on memory, and that no sourced row of the engine has, is found', () => {
  const header = 'positions,code,fuel,cc,kw,confidence,source,agreed';
  const found = (...rows: string[]): string[] => unbornePower(factsOf(header, ...rows)).map(({ where }) => where);
  expect(found(engine('A', 80, 'B,BOOK,'), engine('B', 80, 'G,G,'))).toEqual([]);
  expect(found(engine('A', 66, 'B,BOOK,'), engine('B', 80, 'G,G,'))).toEqual(['acme/models.csv:3']);
  expect(found(engine('B', 80, 'C,LABELS,a labeled car'))).toEqual(['acme/models.csv:2']);
  expect(found(engine('B', 80, 'G,G,a published chart has this power'))).toEqual([]);
  expect(found(engine('A', 66, 'B,BOOK,'), engine('B', 80, 'B,BOOK,'), engine('C', 80, 'G,G,'))).toEqual([
    'acme/models.csv:4',
  ]);
});

function layoutWith(rest: string): WorldFacts {
  const layout = `{name: row, about: x, make: Acme, wmis: [ZZA], year: none, check_digit: none, tables: [models.csv]${rest}}`;
  return readWorld(factsFolder(`${HEADER}\n`, { 'acme/layouts.yaml': `about: x\nlayouts:\n  - ${layout}\n` }));
}

test('a layout that gives the make of a shared WMI by next to nothing is found', () => {
  const shared = new Set(['ZZA']);
  expect(sharedMake(layoutWith(", when: ['...Z']"), shared).map(({ where }) => where)).toEqual(['acme/row']);
  expect(sharedMake(layoutWith(", when: ['...Z']"), new Set())).toEqual([]);
  expect(sharedMake(layoutWith(", when: ['...Z'], make_needs: model"), shared)).toEqual([]);
  expect(sharedMake(layoutWith(", when: ['...ZX']"), shared)).toEqual([]);
  expect(sharedMake(layoutWith(''), shared)).toEqual([]);
});

test('a plant without a first year, and one abroad that names no WMI, are found', () => {
  const countries = new Map([['ZZA', 'Germany']]);
  const header = 'positions,code,wmi,from,plant_city,plant_country,confidence,source';
  expect(plantRows(factsOf(header, '11,A,,1990,Regensburg,Germany,B,BOOK'), countries)).toEqual([]);
  expect(plantRows(factsOf(header, '11,A,ZZA,1990,Graz,Austria,B,BOOK'), countries)).toEqual([]);
  const faults = plantRows(
    factsOf(header, '11,A,,,Regensburg,Germany,B,BOOK', '11,B,,1990,Graz,Austria,B,BOOK'),
    countries,
  );
  expect(faults.map(({ what }) => what)).toEqual([expect.stringContaining('"from"'), expect.stringContaining('"wmi"')]);
});

test('a plant that the gazetteer lacks, or spells otherwise, is found', () => {
  const header = 'positions,code,from,plant_city,plant_country,confidence,source';
  const rows = ['11,A,1990,Ratisbon,Germany,B,BOOK', '11,B,1990,Hannover,Germany,B,BOOK'];
  const faults = plantRows(factsOf(header, ...rows), new Map());
  expect(faults.map(({ what }) => what)).toEqual([
    expect.stringContaining('no Ratisbon, Germany'),
    expect.stringContaining('no Hannover, Germany'),
  ]);
});

test('a badge names the fuel and the driven wheels of its row', () => {
  const header = 'positions,code,model,trim,fuel,drive,confidence,source';
  const rows = [
    '320d,Gasoline,RWD',
    '320i xDrive,Gasoline,RWD',
    'C 200 4MATIC,Gasoline,AWD',
    '450 Hybrid,Gasoline,AWD',
  ];
  const wrong = factsOf(header, ...rows.map((row, at) => `4-5,A${at},Rocket,${row},B,BOOK`));
  expect(contradictedBadge(wrong).map(({ where }) => where)).toEqual(
    [2, 3, 5].map((line) => `acme/models.csv:${line}`),
  );
});
