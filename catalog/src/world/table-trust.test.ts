import { expect, test } from 'vitest';

import { interpret } from './interpret.ts';
import { readWorld } from './load.ts';
import { factsFolder } from './testing/facts-folder.ts';

const ROWS = 'positions,code,model,fuel,plant_city,confidence,source\n4,A,Rocket,Diesel,Lyon,G,G\n';
const RECORDS = 'table,origin,part,right,count\n';
const ROCKET = 'ZZAAB000060000001';

function outputsWith(records: string, rows = ROWS): object | undefined {
  const folder = factsFolder(rows, { 'judgement.csv': RECORDS + records });
  return interpret(readWorld(folder).layouts, ROCKET)?.outputs;
}

test('a row of general knowledge answers only the fields in which labeled cars confirm rows like it', () => {
  const carried = outputsWith('other/models.csv,known,identity,500,502\nother/models.csv,known,fuel,20,20\n');
  expect(carried).toMatchObject({ model: 'Rocket' });
  expect(carried).not.toHaveProperty('fuelType');
  expect(carried).not.toHaveProperty('plantCity');
});

test('without labeled cars a row of general knowledge is held back', () => {
  expect(outputsWith('')).not.toHaveProperty('model');
  expect(readWorld(factsFolder(ROWS)).held).toEqual(new Set(['acme/models.csv:2']));
});

test('a table that its own labeled cars contradict is held back, even if others confirm its origin', () => {
  const others = 'other/models.csv,known,identity,500,502\n';
  expect(outputsWith(`${others}acme/models.csv,known,identity,3,9\n`)).not.toHaveProperty('model');
  expect(outputsWith(`${others}acme/models.csv,known,identity,0,1\n`)).toMatchObject({ model: 'Rocket' });
});

test('rows of another origin carry nothing', () => {
  expect(outputsWith('other/models.csv,published,identity,500,500\n')).not.toHaveProperty('model');
});

test('an engine from memory answers only where its own table was right about enough labeled cars', () => {
  const rows = 'positions,code,engine,cc,confidence,source\n4,A,1.9 TD,1896,G,G\n';
  expect(outputsWith('other/models.csv,known,engine,500,500\n', rows)).not.toHaveProperty('displacementCc');
  expect(outputsWith('acme/models.csv,known,engine,5,5\n', rows)).not.toHaveProperty('displacementCc');
  expect(outputsWith('acme/models.csv,known,engine,12,12\n', rows)).toMatchObject({ displacementCc: 1896 });
});
