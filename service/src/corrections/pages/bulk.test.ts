import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { freshDatabase } from '../../testing/databases.ts';
import { claimOn, correctionsOn, report } from '../testing/corrections.ts';
import { scriptsMixedIn } from '../suggest.ts';
import { decideOnAll } from './bulk.ts';

test('labeled VINs are read once for all reports that are accepted together, and protect their own', async () => {
  const labeledFolder = mkdtempSync(join(tmpdir(), 'marque-labelled-'));
  const vins = ['1HGCM82633A004370', '1HGCM82633A004371', '1HGCM82633A004372'];
  const label = { vin: vins[2], expected: { model: 'Accord' } };
  writeFileSync(join(labeledFolder, 'a.jsonl'), `${JSON.stringify(label)}\n`);
  const fresh = await freshDatabase('sqlite');
  const on = await correctionsOn(await fresh.open(), { labeledFolder });
  try {
    const ids: string[] = [];
    for (const vin of vins) ids.push(await report(on, claimOn(vin, { expectedModel: 'Civic' })));
    let reads = 0;
    const corrections = {
      ...on.corrections,
      labelled: async () => {
        reads++;
        const labelled = await on.corrections.labelled();
        // A second read would find no labels.
        rmSync(labeledFolder, { recursive: true });
        return labelled;
      },
    };
    const done = await decideOnAll({ corrections }, ids, 'accept', { by: 'admin:test', reason: '' });
    expect(done).toBe(
      '2 reports are accepted. One contradicts a labeled VIN. It stays in the queue: open it to decide.',
    );
    expect(reads).toBe(1);
  } finally {
    await on.live.close();
    await fresh.remove();
    rmSync(labeledFolder, { recursive: true, force: true });
  }
});

test('a name with letters of another script in a word is not accepted with others, and its page names the script', async () => {
  const fresh = await freshDatabase('sqlite');
  const on = await correctionsOn(await fresh.open());
  try {
    // The first letter is Cyrillic; the second name is wholly so.
    const names = ['\u0410ccord', '\u041B\u0430\u0434\u0430 Vesta', '\u2C6Dccord', '=Civic'];
    const ids: string[] = [];
    for (const [index, expectedModel] of names.entries()) {
      ids.push(await report(on, claimOn(`1HGCM82633A00438${index}`, { expectedModel })));
    }
    const done = await decideOnAll(on, ids, 'accept', { by: 'admin:test', reason: '' });
    expect(done).toMatch(/^One report is accepted. 2 mix letters .* One needs a correction of its own/);
    expect(await Promise.all(ids.map(async (id) => (await on.corrections.review(id))?.report.state))).toEqual([
      'queued',
      'accepted',
      'queued',
      'queued',
    ]);
    expect(names.map(scriptsMixedIn)).toEqual([['Latin', 'Cyrillic'], [], ['Latin', 'rare Latin'], []]);
  } finally {
    await on.live.close();
    await fresh.remove();
  }
});
