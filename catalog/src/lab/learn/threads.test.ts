import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openCatalog, readSharedCatalog } from '@marque/decoder';
import { expect, test } from 'vitest';

import type { LabeledVin } from '../../labels/labeled.ts';
import { catalogFile } from '../../root.ts';
import { readWorld } from '../../world/load.ts';
import { factsFolder } from '../../world/testing/facts-folder.ts';
import { learn } from './learn.ts';
import { partition, wmiOf } from './partition.ts';
import { fleet } from './testing/fleet.ts';
import { learnInThreads, type LearnJob } from './threads.ts';

const WMIS = ['ZZA', 'LZ8', 'MZ7'];
const NO_CAR: LabeledVin = { vin: 'no VIN', expected: {}, yearBasis: 'model-year' };

/** Cars of several WMIs, all of one maker, of which one WMI has a layout. */
function cars(): LabeledVin[] {
  return WMIS.flatMap((wmi) => {
    const own = fleet(500, 0.01);
    for (const car of own) car.vin = wmi + car.vin.slice(3);
    return own;
  });
}

function job(of: readonly LabeledVin[]): LearnJob {
  const file = join(mkdtempSync(join(tmpdir(), 'marque-cars-')), 'cars.jsonl');
  writeFileSync(file, of.map((car) => JSON.stringify(car)).join('\n'));
  const { layouts } = readWorld(factsFolder('positions,code,model,confidence,source\n'));
  return { files: [file], columns: {}, cars: [NO_CAR], catalog: readSharedCatalog(catalogFile()), layouts };
}

function countsOf(of: readonly LabeledVin[]): Map<string, number> {
  return new Map([...Map.groupBy(of, ({ vin }) => wmiOf(vin))].map(([wmi, own]) => [wmi, own.length]));
}

test('threads that share the cars of a file learn together the same as one learner', async () => {
  const all = cars();
  const shared = job(all);
  const alone = learn([NO_CAR, ...all], shared.layouts, openCatalog(shared.catalog));
  const together = await learnInThreads(shared, countsOf([NO_CAR, ...all]), 2);
  expect(alone.layouts.map(({ id }) => id)).toEqual(['new/LZ8', 'new/MZ7']);
  expect(together).toEqual(alone);
});

test('a fault in a thread is the fault of the whole', async () => {
  const shared = { ...job([]), files: ['/nonexistent.jsonl'] };
  await expect(learnInThreads(shared, new Map(), 2)).rejects.toThrow('no such file');
});

test('the cars of WMIs that share a layout go to one learner, and each gets about as many', () => {
  const { layouts } = job([]);
  const [layout] = layouts;
  const joined =
    layout === undefined
      ? []
      : [
          { ...layout, wmis: ['AAA', 'BBB'] },
          { ...layout, wmis: ['BBB', 'CC9123'] },
        ];
  const shares = partition(
    new Map([
      ['AAA', 5],
      ['BBB', 5],
      ['CC9', 5],
      ['DDD', 9],
      ['EEE', 7],
    ]),
    joined,
    2,
  );
  expect(new Set(['AAA', 'BBB', 'CC9'].map((wmi) => shares.get(wmi))).size).toBe(1);
  expect(new Set(['DDD', 'EEE'].map((wmi) => shares.get(wmi))).size).toBe(1);
  expect(shares.get('AAA')).not.toBe(shares.get('DDD'));
});
