import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listAudit } from '../kernel/audit/index.ts';
import { OCTAVIA, PRIVATE, writeCzechRegister } from '../testing/czech-register.ts';
import { ENGINES } from '../testing/databases.ts';
import { type Learning, learningOn } from './testing/learning.ts';
import { until } from '../testing/until.ts';

describe.each(ENGINES)('a register of cars on %s', (engine) => {
  let learning: Learning;

  beforeEach(async () => {
    learning = await learningOn(engine);
  });

  afterEach(async () => learning[Symbol.asyncDispose]());

  const displacement = (): number | undefined => learning.elsewhere.decoder.decode(OCTAVIA).specs?.displacementCc;

  // Ten commands, each of which opens the database and the catalog.
  test(
    'is previewed, goes live on an instance that runs, is listed, and is taken back there',
    { timeout: 300_000 },
    async () => {
      const { database, folder, marque } = learning;
      const file = writeCzechRegister(join(folder, 'vypis.csv'), 120, 1968);
      const preview = await marque('catalog', 'import', 'czech', file, '--preview');
      expect(preview).toMatchObject({ status: 0, err: '' });
      expect(preview.out).toContain('Read 120 cars of 121 records');
      expect(preview.out).toContain('1 skipped: cut short: fewer fields than the header has (line 122)');
      expect(preview.out).toMatch(/powerKw +1 patterns · 120 cars · 100\.0 % of 12 left out/);
      expect(preview.out).toContain('Nothing was changed.');
      expect(displacement()).toBeUndefined();
      expect(await database.kysely.selectFrom('catalog_registers').selectAll().execute()).toEqual([]);

      const version = learning.elsewhere.decoder.info.hash;
      const done = await marque('catalog', 'import', 'czech', file, '--reason', 'A test.');
      expect(done).toMatchObject({ status: 0, err: '' });
      await until(async () => displacement() === 1968);
      expect(learning.elsewhere.decoder.decode(OCTAVIA)).toMatchObject({
        manufacturer: 'Skoda',
        model: 'Octavia',
        specs: { fuelType: 'Diesel', powerKw: 110 },
      });
      expect(learning.elsewhere.decoder.info.hash).not.toBe(version);
      // The command line answers so where it is asked to read the database.
      const alone = await marque('decode', OCTAVIA, '--json');
      expect(alone.out).not.toContain('1968');
      const corrected = await marque('decode', OCTAVIA, '--json', '--corrected');
      expect(JSON.parse(corrected.out)).toMatchObject({ model: 'Octavia', specs: { displacementCc: 1968 } });
      const info = await marque('catalog', 'info');
      expect(info.out).toMatch(/czech +imported \d{4}-\d\d-\d\d · 120 cars · patterns by field: family 1/);

      // No stored or printed text contains a person, a serial number or a whole VIN.
      const kept = JSON.stringify(await database.kysely.selectFrom('catalog_registers').selectAll().execute());
      for (const text of [preview.out, done.out, info.out, kept]) {
        expect(text).not.toContain(PRIVATE);
        expect(text).not.toContain(OCTAVIA);
      }

      expect(await marque('catalog', 'remove', 'czech')).toMatchObject({ status: 0 });
      await until(async () => displacement() === undefined);
      expect(await marque('catalog', 'remove', 'czech')).toMatchObject({
        status: 1,
        err: expect.stringContaining('Nothing'),
      });
      const acts = (await listAudit(database)).map(({ action }) => action);
      expect(acts).toEqual(['register.removed', 'register.imported']);
    },
  );

  test('is replaced by its next import, and learns nothing from too few cars', async () => {
    const { folder, marque } = learning;
    await marque('catalog', 'import', 'czech', writeCzechRegister(join(folder, 'one.csv'), 120, 1968));
    await until(async () => displacement() === 1968);
    await marque('catalog', 'import', 'czech', writeCzechRegister(join(folder, 'two.csv'), 120, 1598));
    await until(async () => displacement() === 1598);
    const few = await marque('catalog', 'import', 'czech', writeCzechRegister(join(folder, 'few.csv'), 30, 1598));
    expect(few.out).toContain('Too few cars of any VIN pattern agree on anything: nothing is learned.');
    await until(async () => displacement() === undefined);
  });
});
