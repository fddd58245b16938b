import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listAudit } from '../kernel/audit/index.ts';
import { change } from '../kernel/db/changes.ts';
import { claimOn, correctionsOn, report } from '../corrections/testing/corrections.ts';
import { ENGINES } from '../testing/databases.ts';
import { impactText } from './cli/overlay.ts';
import { type Learning, learningOn } from './testing/learning.ts';
import { decoder } from '../testing/decoder.ts';
import { runMarque } from '../testing/run-marque.ts';
import { until } from '../testing/until.ts';
import { LiveCatalog } from '../catalog/index.ts';

const ROCKET = 'ZZARA1SA01W000001';
const ANVIL = 'ZZARB1SA01W000001';
const MODELS = ['Rocket', 'Anvil', 'Bucket', 'Comet', 'Dynamo', 'Ember', 'Falcon', 'Glacier'];

const LAYOUTS = `about: Learned.
layouts:
  - name: wmi-zza
    about: Learned from labeled cars.
    make: Acme
    wmis: [ZZA]
    year: position-10
    check_digit: none
`;

/** Rows as `marque catalog learn` writes them. */
function learnedFolder(folder: string, models: readonly string[]): string {
  mkdirSync(join(folder, 'acme'), { recursive: true });
  const rows = models.map((model, index) => `5,${'ABCDEFGH'.charAt(index)},wmi-zza,${model},B,LEARNED,90,9,0`);
  const header = 'positions,code,layout,model,confidence,source,vins,groups,against';
  writeFileSync(join(folder, 'acme', 'learned.csv'), `${[header, ...rows].join('\n')}\n`);
  writeFileSync(join(folder, 'acme', 'learned.yaml'), LAYOUTS);
  return folder;
}

/** Cars of a maker that the catalog does not know: the model at position 5. */
function carsFile(file: string): string {
  const lines = Array.from({ length: 1_200 }, (_, index) => {
    const model = index % MODELS.length;
    const [chance, year] = [1 + (index % 5), 1 + (index % 9)];
    const vin = `ZZAR${'ABCDEFGH'.charAt(model)}${chance}S${'ABC'.charAt(index % 3)}0${year}W${String(index).padStart(6, '0')}`;
    return `${vin},Acme,${MODELS[model]},${2000 + year}`;
  });
  writeFileSync(file, `vin,make,model,year\n${lines.join('\n')}\n`);
  return file;
}

describe.each(ENGINES)('an overlay on %s', (engine) => {
  let learning: Learning;

  beforeEach(async () => {
    learning = await learningOn(engine);
  });

  afterEach(async () => learning[Symbol.asyncDispose]());

  const becomes = async (vin: string, model: string | undefined): Promise<void> =>
    until(async () => learning.elsewhere.decoder.decode(vin).model === model);

  test('is read again when a read of it has failed', async () => {
    const { database, folder, marque } = learning;
    await marque('catalog', 'import', 'learned', learnedFolder(folder, MODELS));
    await becomes(ROCKET, 'Rocket');
    await marque('catalog', 'revert', '--reason', 'tested');
    await becomes(ROCKET, undefined);
    const faults: unknown[] = [];
    await learning.elsewhere.close();
    learning.elsewhere = await LiveCatalog.open(decoder, database, (error) => void faults.push(error));
    // It is in force again, and nobody can read it for a while.
    await change(database, 'overlay', async (transaction) => {
      await transaction.updateTable('catalog_overlays').set({ reverted_at: null }).execute();
      await sql`ALTER TABLE catalog_overlays RENAME COLUMN overlay TO elsewhere`.execute(transaction);
    });
    await until(async () => faults.length > 0);
    await sql`ALTER TABLE catalog_overlays RENAME COLUMN elsewhere TO overlay`.execute(database.kysely);
    await becomes(ROCKET, 'Rocket');
    expect(faults.length).toBeGreaterThan(0);
  });

  test('goes live on an instance that is running, and is taken back there', async () => {
    const { database, folder, marque } = learning;
    expect(learning.elsewhere.decoder.decode(ROCKET).model).toBeUndefined();
    const version = learning.elsewhere.decoder.info.hash;
    expect(await marque('catalog', 'import', 'learned', learnedFolder(folder, MODELS))).toMatchObject({ status: 0 });
    await becomes(ROCKET, 'Rocket');
    expect(learning.elsewhere.decoder.decode(ROCKET)).toMatchObject({ manufacturer: 'Acme', modelYear: '2001' });
    expect(learning.elsewhere.decoder.info.hash).not.toBe(version);
    expect(await marque('catalog', 'revert', '--reason', 'Wrong list.')).toMatchObject({ status: 0 });
    await becomes(ROCKET, undefined);
    expect(learning.elsewhere.decoder.info.hash).toBe(version);
    expect((await marque('catalog', 'revert')).err).toContain('No overlay is active');
    const acts = (await listAudit(database)).map(({ action, details }) => ({ action, details }));
    expect(acts).toEqual([
      { action: 'overlay.reverted', details: { reason: 'Wrong list.' } },
      { action: 'overlay.imported', details: { rows: MODELS.length, layouts: 1, reason: '' } },
    ]);
  });

  test('replaces the one before, which is in force again when it is reverted', async () => {
    const { folder, marque } = learning;
    await marque('catalog', 'import', 'learned', learnedFolder(folder, MODELS));
    await marque('catalog', 'import', 'learned', learnedFolder(folder, ['Rocket', 'Hammer']));
    await becomes(ANVIL, 'Hammer');
    expect(await marque('catalog', 'revert')).toMatchObject({ status: 0 });
    await becomes(ANVIL, 'Anvil');
  });

  test('is shown before it is imported: what changes among labeled and recent VINs', async () => {
    const { database, folder, marque } = learning;
    const row = { subject: 'workspace:x', outcome: 'partial', report: '{}', charged: 0, created_at: 1 };
    await database.kysely
      .insertInto('decodes')
      .values({ id: 'x', vin: ROCKET, ...row })
      .execute();
    const preview = await marque('catalog', 'import', 'learned', learnedFolder(folder, MODELS), '--preview');
    expect(preview.out).toContain('Recent decodes: 1 of 1 change.');
    expect(preview.out).toContain('model: - -> Rocket');
    expect(preview.out).toMatch(/Labeled VINs: 0 of [1-9]\d* change\./);
    expect(learning.elsewhere.decoder.decode(ROCKET).model).toBeUndefined();
    expect(await listAudit(database)).toEqual([]);
  });

  test('that this version cannot read leaves the catalog in force, and an operator is notified', async () => {
    const { database } = learning;
    const faults: unknown[] = [];
    const row = { rows: 1, layouts: 0, created_at: 1, created_by: 'cli:x', seq: 1 };
    await database.kysely
      .insertInto('catalog_overlays')
      .values({ id: 'x', overlay: 'bm90IGFuIG92ZXJsYXk=', ...row })
      .execute();
    const live = await LiveCatalog.open(decoder, database, (fault) => faults.push(fault));
    expect(live.decoder.info.hash).toBe(decoder.info.hash);
    expect(faults).toHaveLength(1);
    await live.close();
  });

  // Takes longest, and reads nothing from the database but the corrections.
  if (engine === 'postgres') return;

  test('has the rows learned from labeled cars and accepted corrections', async () => {
    const { database, folder, marque } = learning;
    const cars = carsFile(join(folder, 'cars.csv'));
    const here = await correctionsOn(database);
    const id = await report(here, claimOn(ROCKET));
    const scope = { kind: 'vin', vin: ROCKET } as const;
    await here.corrections.accept(
      id,
      { scope, fields: { manufacturer: 'Acme', model: 'Rocket' } },
      { by: 'admin:a@example.com', reason: '' },
    );
    await here.live.close();
    const out = join(folder, 'learned');
    const learned = await marque('catalog', 'learn', cars, '--out', out);
    expect(learned.out).toContain('from 1201 cars');
    expect((await marque('catalog', 'learn', cars, '--no-corrections')).out).toContain('from 1200 cars');
    expect(await marque('catalog', 'import', 'learned', out)).toMatchObject({ status: 0 });
    await becomes(ANVIL, 'Anvil');
  });
});

test('a preview says how many labeled VINs the rows would make wrong', () => {
  const impact = {
    vins: [],
    labelled: { looked: 9, covered: 9, changed: 3 },
    stored: { looked: 1, covered: 1, changed: 0 },
    harmed: 2,
  };
  expect(impactText(impact).trimEnd().split('\n')).toEqual([
    'Labeled VINs: 3 of 9 change.',
    '2 labeled VINs are decoded correctly now and would be decoded incorrectly.',
    'Recent decodes: 0 of 1 change.',
  ]);
  expect(impactText({ ...impact, harmed: 0 })).not.toContain('incorrectly');
});

test('a folder without learned rows is refused by name', async () => {
  const { status, err } = await runMarque('catalog import learned /nonexistent', { DATA_DIR: '/nonexistent' });
  expect(status).toBe(1);
  expect(err).toContain('There is no folder /nonexistent');
});
