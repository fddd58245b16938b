import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { freshDatabase } from '../../testing/databases.ts';
import { claimOn, correctionsOn, report } from '../testing/corrections.ts';
import { unusualIn } from '../suggest.ts';
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

test('a name with letters that can look like others is not accepted with others, and its page names them', async () => {
  const fresh = await freshDatabase('sqlite');
  const on = await correctionsOn(await fresh.open());
  try {
    // The first letter is Cyrillic; the second name is wholly so, as is the one of the BMW X5.
    const names = [
      '\u0410ccord',
      '\u041B\u0430\u0434\u0430 Vesta',
      '\u2C6Dccord',
      '=Civic',
      '\u04255',
      'C\u0131vic',
      'Civ\u00EDc Š',
    ];
    const ids: string[] = [];
    for (const [index, expectedModel] of names.entries()) {
      ids.push(await report(on, claimOn(`1HGCM82633A00438${index}`, { expectedModel })));
    }
    const done = await decideOnAll(on, ids, 'accept', { by: 'admin:test', reason: '' });
    expect(done).toMatch(/^One report is accepted. 5 have letters .* One needs a correction of its own/);
    expect(await Promise.all(ids.map(async (id) => (await on.corrections.review(id))?.report.state))).toEqual([
      'queued',
      'queued',
      'queued',
      'queued',
      'queued',
      'queued',
      'accepted',
    ]);
    expect(names.map(unusualIn)).toEqual([
      ['Cyrillic letters'],
      ['Cyrillic letters'],
      ['rare Latin letters'],
      [],
      ['Cyrillic letters'],
      ['rare Latin letters'],
      [],
    ]);
    expect(unusualIn('Civic\u0338 \u{1F600}')).toEqual(['unusual signs']);
  } finally {
    await on.live.close();
    await fresh.remove();
  }
});
