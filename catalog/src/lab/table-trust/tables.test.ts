import { expect, test } from 'vitest';

import type { LabeledVin } from '../../labels/labeled.ts';
import { readWorld } from '../../world/load.ts';
import { factsFolder } from '../../world/testing/facts-folder.ts';
import { judgeTables } from './tables.ts';

const HEADER = 'positions,code,model,confidence,source\n';

function car(vin: string, model: string): LabeledVin {
  return { vin, expected: { manufacturer: 'Acme', model }, yearBasis: 'model-year' };
}

function judged(rows: string, cars: readonly LabeledVin[]): ReturnType<typeof judgeTables> {
  return judgeTables(readWorld(factsFolder(HEADER + rows), 'all'), cars);
}

test('each independent group of labeled cars counts once for the row that answers it', () => {
  const cars = [
    car('ZZAAB000060000001', 'Rocket'),
    car('ZZAAB000060000002', 'Rocket'),
    car('ZZAAB000070000001', 'Anvil'),
  ];
  const { records, held } = judged('4,A,Rocket,G,G\n4,B,Anvil,G,G\n', cars);
  expect(records).toEqual([{ table: 'acme/models.csv', origin: 'known', part: 'identity', right: 1, count: 2 }]);
  expect(held).toEqual([{ row: 'acme/models.csv:2', right: 1, wrong: 1 }]);
});

test('of the groups that a row made from labeled cars gets right, one made it', () => {
  const cars = [car('ZZAAB000060000001', 'Rocket'), car('ZZAAB000070000001', 'Rocket')];
  expect(judged('4,A,Rocket,C,LABELS\n', cars).records).toMatchObject([{ origin: 'labelled', right: 1, count: 1 }]);
});

test('a name that the facts lack counts nothing against a row', () => {
  expect(judged('4,A,Rocket,G,G\n', [car('ZZAAB000060000001', '18 440')]).records).toEqual([]);
});

test('a row that more groups contradict than confirm is named', () => {
  const { contradicted } = judged('4,A,Rocket,G,G\n4,B,Anvil,G,G\n', [car('ZZAAB000060000001', 'Anvil')]);
  expect(contradicted).toEqual([{ row: 'acme/models.csv:2', right: 0, wrong: 1 }]);
});

test('most cars of a group decide whether a row was right about it', () => {
  const group = ['ZZAAB000060000001', 'ZZAAB000060000002', 'ZZAAB000060000003'];
  const cars = group.map((vin, index) => car(vin, index === 0 ? 'Anvil' : 'Rocket'));
  const { records } = judged('4,A,Rocket,G,G\n4,B,Anvil,G,G\n', cars);
  expect(records).toMatchObject([{ right: 1, count: 1 }]);
  expect(judged('4,A,Rocket,G,G\n4,B,Anvil,G,G\n', cars.slice(0, 2)).records).toMatchObject([{ right: 0, count: 1 }]);
});

test('a label found to be wrong counts nothing against a row', () => {
  const cars = [car('ZZAAB000060000001', 'Anvil'), car('ZZAAB000070000001', 'Rocket')];
  const facts = readWorld(factsFolder(`${HEADER}4,A,Rocket,G,G\n4,B,Anvil,G,G\n`), 'all');
  const known = new Map([['ZZAAB000060:model', { verdict: 'label', why: 'the Anvil came later' }]]);
  expect(judgeTables(facts, cars, known).records).toMatchObject([{ right: 1, count: 1 }]);
  const ours = new Map([['ZZAAB000060:model', { verdict: 'ours', why: 'one code for both' }]]);
  expect(judgeTables(facts, cars, ours).records).toMatchObject([{ right: 1, count: 2 }]);
});
