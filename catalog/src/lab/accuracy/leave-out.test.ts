import type { VehicleReport } from '@marque/decoder';
import { expect, test } from 'vitest';

import { interpret } from '../../world/interpret.ts';
import { readWorld } from '../../world/load.ts';
import type { VinLayout } from '../../world/model.ts';
import { factsFolder } from '../../world/testing/facts-folder.ts';
import { compareField, type Verdict } from '../../labels/compare.ts';
import { foldOf, foldOfModel } from '../../labels/groups.ts';
import type { LabeledVin } from '../../labels/labeled.ts';
import { decodeUnlabeled, decodeUnseen } from './leave-out.ts';

const HEAD = 'positions,code,model,confidence,source,agreed\n';

function labeled(vin: string): LabeledVin {
  return { vin, expected: { manufacturer: 'Acme', model: 'Rocket' }, yearBasis: 'model-year' };
}

/** Returns the verdicts on the models of these Rockets, each decoded without its group. */
function verdicts(table: string, vins: readonly string[], head = HEAD): Verdict[] {
  const facts = readWorld(factsFolder(head + table));
  const scored = decodeUnseen([vins.map(labeled)], facts, (world) => ({ decode: (vin) => reportOf(world, vin) }));
  return scored.flat().map(({ labeled: one, report }) => compareField('model', one, report));
}

function reportOf(world: readonly VinLayout[], vin: string): Partial<VehicleReport> {
  const model = interpret(world, vin)?.outputs.model;
  return model === undefined ? {} : { model };
}

const ROCKET = 'ZZAAB000060000001';
const SAME_GROUP = 'ZZAAB000060000002';
const OTHER_PLANT = 'ZZAAB00006B000001';
const THIRD_PLANT = 'ZZAAB00006C000001';
const STRANGER = 'ZZACD000060000003';

test('a row that rests on one labeled VIN does not answer for that VIN', () => {
  expect(verdicts('4-5,AB,Rocket,C,LABELS,a labelled VIN and nothing else\n', [ROCKET])).toEqual(['unanswered']);
});

test('a row that rests on one group of labeled VINs answers for none of them, however many they are', () => {
  expect(verdicts('4-5,AB,Rocket,B,LABELS,\n', [ROCKET, SAME_GROUP])).toEqual(['unanswered', 'unanswered']);
});

test('a row that rests on labeled VINs of two groups answers for each by the other', () => {
  expect(foldOf(ROCKET)).not.toBe(foldOf(OTHER_PLANT));
  const row = '4-5,AB,Rocket,B,LABELS,\n';
  expect(verdicts(row, [ROCKET, OTHER_PLANT, STRANGER])).toEqual(['right', 'right', 'unanswered']);
});

test('a range of serial numbers between two labeled VINs answers for neither, and for one between three', () => {
  const head = 'positions,code,serial_from,serial_to,model,confidence,source,agreed\n';
  const row = '4-5,AB,00000,00009,Rocket,B,LABELS,\n';
  expect(verdicts(row, [ROCKET, OTHER_PLANT], head)).toEqual(['unanswered', 'unanswered']);
  expect(verdicts(row, [ROCKET, OTHER_PLANT, THIRD_PLANT], head)).toEqual(['right', 'right', 'right']);
});

test('two rows for one model year of a series, split where the first digit changes, are confirmed together', () => {
  const head = 'positions,code,serial_from,serial_to,model,model_year,confidence,source,agreed\n';
  const [low, high] = ['ZZAAB00006A090001', 'ZZAAB00006B100001'];
  const years = [`4-5+12,AB0,90000,99999,Rocket,2006,B,LABELS,\n`, `4-5+12,AB1,00000,09999,Rocket,2006,B,LABELS,\n`];
  const third = 'ZZAAB00006C090009';
  expect(new Set([low, high, third].map(foldOf)).size).toBe(3);
  expect(verdicts(years.join(''), [low, high, third], head)).toEqual(['right', 'right', 'right']);
  expect(verdicts(years.join('').replace('2006', '2007'), [low, high, third], head)).toContain('unanswered');
});

test('a row confirmed by one set answers in another', () => {
  const facts = readWorld(factsFolder(`${HEAD}4-5,AB,Rocket,B,LABELS,\n`));
  const decoded = decodeUnseen([[labeled(ROCKET)], [labeled(OTHER_PLANT)]], facts, (world) => ({
    decode: (vin) => reportOf(world, vin),
  }));
  expect(decoded.map((set) => set.map(({ report }) => report.model))).toEqual([['Rocket'], ['Rocket']]);
});

test('a row with another source, or with another confirmation, answers for any VINs it matches', () => {
  expect(verdicts('4-5,AB,Rocket,A,BOOK+LABELS,\n', [ROCKET])).toEqual(['right']);
  expect(verdicts('4-5,AB,Rocket,C,LABELS,the manual names the same model\n', [ROCKET])).toEqual(['right']);
});

test('a row that rests on cars of one model does not answer for that model when models are held out', () => {
  const facts = readWorld(factsFolder(`${HEAD}4-5,AB,Rocket,C,LABELS,two labelled VINs\n`));
  const cars = [labeled(ROCKET), labeled(OTHER_PLANT), labeled(THIRD_PLANT)];
  const scored = decodeUnseen(
    [cars],
    facts,
    (world) => ({ decode: (vin) => reportOf(world, vin) }),
    undefined,
    ({ expected }) => foldOfModel(expected),
  ).flat();
  expect(scored.map(({ labeled: one, report }) => compareField('model', one, report))).toEqual(
    cars.map(() => 'unanswered'),
  );
});

test('without rows from labels, only rows with another source answer', () => {
  const rows = '4-5,AB,Rocket,B,LABELS,\n4-5,CD,Rocket,B,BOOK,\n4-5,EF,Rocket,C,LABELS,a page of the manual\n';
  const facts = readWorld(factsFolder(HEAD + rows));
  const vins = [ROCKET, OTHER_PLANT, STRANGER, 'ZZAEF000060000003'];
  const scored = decodeUnlabeled([vins.map(labeled)], facts, (world) => ({ decode: (vin) => reportOf(world, vin) }));
  const found = scored.flat().map(({ labeled: one, report }) => compareField('model', one, report));
  expect(found).toEqual(['unanswered', 'unanswered', 'right', 'right']);
});
