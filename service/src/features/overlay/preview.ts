import { setImmediate as breathe } from 'node:timers/promises';

import type { Decoder } from '@marque/decoder';

import type { Database } from '../../platform/db/index.ts';
import { changesBetween, type Impact, type ImpactCount, labelledVins, recentDecodes } from '../corrections/index.ts';

interface PreviewDeps {
  database: Database;
  /** As VINs are decoded now, and as they would be. */
  before: Pick<Decoder, 'decode'>;
  after: Pick<Decoder, 'decode'>;
  /** Folder of labelled VINs; undefined: there are none. */
  labelledFolder: string | undefined;
}

/** Changes that are listed: as many as a person reads. */
const LISTED = 200;

/** Decodes between two pauses in which requests are answered. */
const STRIDE = 100;

/** What an overlay would change, for labelled VINs and recent decodes. */
export async function previewOverlay({ database, before, after, labelledFolder }: PreviewDeps): Promise<Impact> {
  const vins: Impact['vins'] = [];
  const look = (vin: string, from: 'labelled' | 'stored', expected?: ReadonlyMap<string, string>): boolean => {
    const changes = changesBetween(before.decode(vin), after.decode(vin), expected);
    if (changes.length > 0 && vins.length < LISTED) vins.push({ vin, from, changes });
    return changes.length > 0;
  };
  const labelled = emptyCount();
  for await (const { vin, expected } of labelledVins(labelledFolder))
    await count(labelled, look(vin, 'labelled', expected));
  const stored = emptyCount();
  for (const { vin } of await recentDecodes(database)) await count(stored, look(vin, 'stored'));
  return { vins, labelled, stored };
}

function emptyCount(): ImpactCount {
  return { looked: 0, covered: 0, changed: 0 };
}

/** Any VIN may be covered by an overlay. */
async function count(counted: ImpactCount, changed: boolean): Promise<void> {
  counted.looked++;
  counted.covered++;
  if (changed) counted.changed++;
  if (counted.looked % STRIDE === 0) await breathe();
}
