import type { CandidatesAnswer, Hints } from '@marque/decoder';
import { expect, test } from 'vitest';

import { worldCatalog } from './testing/world-catalog.ts';
import { loadWorld } from './world/load.ts';
import { factsFolder } from './world/testing/facts-folder.ts';

const HEADER = 'positions,code,from,to,make,model,body,fuel,cc,confidence,source';

/** Asks a catalog of a few rows of one maker. */
function candidates(rows: readonly string[], vin: string, hints?: Hints): CandidatesAnswer {
  return worldCatalog(loadWorld(factsFolder([HEADER, ...rows, ''].join('\n')))).candidates(vin, hints);
}

function openOf({ open }: CandidatesAnswer, field: string): readonly string[] | undefined {
  return open.find((one) => one.field === field)?.candidates.map(String);
}

const TWO_MODELS = ['4-5,AB,,,,Rocket,sedan,Diesel,,B,BOOK', '4-5,AB,,,,Anvil,wagon,Gasoline,,B,BOOK'];

test('models that share the characters of a VIN are its candidates, and no model is answered', () => {
  const answer = candidates(TWO_MODELS, 'ZZAAB000041000001');
  expect(answer.report.model).toBeUndefined();
  expect(openOf(answer, 'model')?.toSorted()).toEqual(['Anvil', 'Rocket']);
});

test('a hint that only one row agrees with decides the fields of that row', () => {
  const answer = candidates(TWO_MODELS, 'ZZAAB000041000001', { fuelType: 'Diesel' });
  expect(answer.report).toMatchObject({ model: 'Rocket', bodyStyleNormalized: 'sedan' });
  expect(openOf(answer, 'model')).toBeUndefined();
  expect(answer.conflicts).toEqual([]);
});

test('a hint against a value of the VIN is a conflict, and the VIN stands', () => {
  const answer = candidates(['4-5,AB,,,,Rocket,sedan,Diesel,,A,BOOK'], 'ZZAAB000041000001', { fuelType: 'Gasoline' });
  expect(answer.report.specs?.fuelType).toBe('Diesel');
  expect(answer.conflicts).toEqual(['fuelType']);
});

test('behind a mask, the rows that its characters could reach are candidates, and what they share is answered', () => {
  const rows = ['4-5+7,AB1,,,,Rocket,sedan,Diesel,,B,BOOK', '4-5+7,AB2,,,,Anvil,sedan,Diesel,,B,BOOK'];
  const answer = candidates(rows, 'ZZAAB0*0041******');
  expect(answer.report).toMatchObject({ bodyStyleNormalized: 'sedan', specs: { fuelType: 'Diesel' } });
  expect(answer.report.model).toBeUndefined();
  expect(candidates(rows, 'ZZAAB020041******').report.model).toBe('Anvil');
});

test('a field that the VIN decides is never open', () => {
  const answer = candidates([...TWO_MODELS, '6,C,,,,,,,1998,B,BOOK'], 'ZZAABC00041000001');
  expect(answer.report.specs?.displacementCc).toBe(1998);
  expect(openOf(answer, 'displacementCc')).toBeUndefined();
});
