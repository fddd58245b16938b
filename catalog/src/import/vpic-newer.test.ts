import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openCatalog } from '@marque/decoder';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openNpmPackage } from '../../sources/vpic/npm-package.ts';
import type { ProjectFacts } from '../build.ts';
import { PROJECT_ROOT } from '../root.ts';
import { writeVpicDump } from '../testing/vpic-dump.ts';
import { importVpic } from './vpic.ts';

/** A Silverado. */
const ADDED = '1GCUDDED0RZ200000';
const OLD = '1HGCM82633A004352';

/** No facts but NHTSA's: none of ours may stand in for a row that a month lacks. */
const PROJECT: ProjectFacts = { regions: [], wmis: [], world: [], specs: { sources: [], driveCodes: [] } };

const db = openNpmPackage();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marque-newer-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Decodes with the download of a month whose rows are of these WMIs. */
async function decoderOf(month: string, wmis: readonly string[]) {
  const [file, target] = [join(folder, `${month}.sql`), join(folder, `${month}.catalog`)];
  await writeVpicDump(file, db, { wmis });
  const outcome = await importVpic(file, { target, known: [], project: PROJECT });
  if (outcome.kind === 'refused') throw new Error(outcome.reason);
  return openCatalog(target);
}

test('a newer month adds the models that NHTSA has added since, and changes no other', async () => {
  const older = await decoderOf('vPICList_lite_2026_02', ['1HG']);
  const newer = await decoderOf('vPICList_lite_2026_03', ['1HG', '1GC']);
  expect(older.decode(ADDED).model).toBeUndefined();
  expect(newer.decode(ADDED)).toMatchObject({ manufacturer: 'Chevrolet', model: 'Silverado', modelYear: '2024' });
  expect(newer.decode(OLD)).toEqual(older.decode(OLD));
}, 180_000);

test('the README names the day as of which the packaged data is', () => {
  const newest = db.prepare('SELECT max(CreatedOn) FROM Make_Model').pluck().get() as string;
  const day = new Date(newest).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  expect(readFileSync(join(PROJECT_ROOT, 'README.md'), 'utf8')).toContain(`vPIC of ${day};`);
});
