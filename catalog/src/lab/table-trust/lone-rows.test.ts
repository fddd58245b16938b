import { expect, test } from 'vitest';

import type { LabeledVin } from '../../labels/labeled.ts';
import { readWorld } from '../../world/load.ts';
import { factsFolder } from '../../world/testing/facts-folder.ts';
import { leaveOneSourceOut, loneRows } from './lone-rows.ts';

const HEADER = 'positions,code,model,confidence,source,agreed\n';
const ONE_CAR = '"a labelled VIN, and the model range allows nothing else"';

function lone(rows: string): { row: string; reason: string; others: string[] }[] {
  const found = loneRows(readWorld(factsFolder(HEADER + rows), 'all'));
  return found.map(({ row, reason, others }) => ({ row: row.origin, reason, others }));
}

test('a row of one labeled car is lone if the code of another model differs in one character', () => {
  expect(lone(`4-6,AAA,Rocket,C,LABELS,${ONE_CAR}\n4-6,AAB,Anvil,B,G,\n`)).toEqual([
    { row: 'acme/models.csv:2', reason: 'one labeled car', others: ['Anvil'] },
  ]);
  expect(lone(`4-6,AAA,Rocket,C,LABELS,${ONE_CAR}\n4-6,ABB,Anvil,B,G,\n`)).toEqual([]);
  expect(lone('4-6,AAA,Rocket,C,LABELS,labelled VINs of 5 groups\n4-6,AAB,Anvil,B,G,\n')).toEqual([]);
});

test('a row of one source that fixes fewer positions than the other rows of its layout is lone', () => {
  expect(lone('4,A,Rocket,B,G,\n4-6,BAA,Anvil,B,G,\n4-6,CAA,Anvil,B,G,\n')).toEqual([
    { row: 'acme/models.csv:2', reason: 'one source, and fewer positions than usual', others: ['Anvil'] },
  ]);
});

test('the models of labeled cars are compared without the lone rows of each source', () => {
  const cars: LabeledVin[] = ['Rocket', 'Anvil'].map((model) => ({
    vin: 'ZZAAAA00060000001',
    expected: { manufacturer: 'Acme', model },
    yearBasis: 'model-year',
  }));
  const facts = readWorld(factsFolder(`${HEADER}4-6,AAA,Rocket,C,LABELS,${ONE_CAR}\n4-6,AAB,Anvil,B,G,\n`), 'all');
  const changed = leaveOneSourceOut(facts.layouts, loneRows(facts), cars);
  expect(changed.map(({ source, before, after, change }) => [source, before, after, change])).toEqual([
    ['LABELS', 'Rocket', '', 'right > unanswered'],
    ['LABELS', 'Rocket', '', 'wrong > unanswered'],
  ]);
});
