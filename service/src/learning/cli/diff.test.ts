import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { catalogFile } from '@marque/catalog/paths';
import { sealed } from '@marque/catalog/seal';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { claimOn, correctionsOn, report } from '../../corrections/testing/corrections.ts';
import { type CommandResult, runMarque } from '../../testing/run-marque.ts';
import { testService } from '../../testing/service.ts';

const ACCORD = '1HGCM82633A004352';
const GOLF = 'WVWZZZ1KZCW123456';

let folder: string;
/** The catalog as it might have been: it spells one model otherwise. */
let older: string;
let vins: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marque-diff-'));
  older = join(folder, 'older.catalog');
  vins = join(folder, 'vins.txt');
  writeFileSync(vins, `${ACCORD}\n${GOLF}\nno vin\n`);
  const text = readFileSync(catalogFile()).toString('latin1');
  writeFileSync(older, sealed(Buffer.from(text.replaceAll('Accord', 'Akkord'), 'latin1')));
});

afterAll(() => rmSync(folder, { recursive: true }));

const diff = (before: string, after: string, ...more: string[]): Promise<CommandResult> =>
  runMarque(['catalog', 'diff', before, after, '--file', vins, ...more]);

test('catalog diff names the fields of the VINs that change, each with where both answers come from', async () => {
  const { status, out, err } = await diff(older, catalogFile(), '--json');
  expect(status).toBe(0);
  const reason = expect.stringMatching(/^vPIC: .*Honda/);
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toContainEqual({
    vin: ACCORD,
    field: 'model',
    old: 'Akkord',
    new: 'Accord',
    oldReason: reason,
    newReason: reason,
  });
  expect(out).not.toContain(GOLF);
  expect(err).toMatch(/^1 of 2 VINs differ between [0-9a-f]{12} and [0-9a-f]{12}\. Lines without a valid VIN: 1\.\n$/);
  expect((await diff(older, catalogFile())).out).toContain(`${ACCORD}  model: Akkord → Accord\n    old: vPIC: `);
});

test('catalog diff of a catalog with itself is empty, and a file that is not a catalog is refused', async () => {
  expect(await diff(catalogFile(), catalogFile())).toMatchObject({ status: 0, out: '' });
  expect(await diff(vins, catalogFile())).toMatchObject({ status: 1, err: expect.stringContaining('as a catalog') });
});

test('decode --corrected answers with the corrections in the database, as NHTSA too; without it by the catalog', async () => {
  await using service = await testService();
  const on = await correctionsOn(service.database);
  const id = await report(on, claimOn(ACCORD));
  const candidate = { scope: { kind: 'vin', vin: ACCORD }, fields: { model: 'Test Model' } } as const;
  await on.corrections.accept(id, candidate, { by: 'admin:a@example.com', reason: 'The brochure says so.' });
  await on.live.close();
  const decode = async (...more: string[]) => (await runMarque(['decode', ACCORD, ...more], service.env)).out;
  expect(await decode('--json', '--corrected')).toContain('"Test Model"');
  expect(await decode('--format', 'vpic', '--corrected')).toContain('[28,"Test Model"]');
  expect(await decode('--json')).not.toContain('Test Model');
});
