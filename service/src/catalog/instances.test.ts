import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { runMarque } from '../testing/run-marque.ts';
import { testService, type TestService } from '../testing/service.ts';
import { until } from '../testing/until.ts';

const ROCKET = 'ZZARA1SA01W000001';
const LAYOUTS = `about: Learned.
layouts:
  - name: wmi-zza
    about: Learned from labeled cars.
    make: Acme
    wmis: [ZZA]
    year: position-10
    check_digit: none
`;
const ROWS = `positions,code,layout,model,confidence,source,vins,groups,against
5,A,wmi-zza,Rocket,B,LEARNED,90,9,0
`;

let fresh: TestDatabase;
let folder: string;
let services: TestService[];

beforeEach(async () => {
  fresh = await freshDatabase('postgres');
  folder = mkdtempSync(join(tmpdir(), 'marque-learned-'));
  mkdirSync(join(folder, 'acme'));
  writeFileSync(join(folder, 'acme', 'learned.csv'), ROWS);
  writeFileSync(join(folder, 'acme', 'learned.yaml'), LAYOUTS);
  services = [await testService(database()), await testService(database())];
});

afterEach(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
  await fresh.remove();
  rmSync(folder, { recursive: true });
});

function database(): { DATABASE_URL: string } {
  return { DATABASE_URL: fresh.location.databaseUrl ?? '' };
}

/** Runs a command beside the instances. */
async function marque(...words: string[]): Promise<void> {
  const { status, err } = await runMarque(words, { DATA_DIR: fresh.location.dataDir, ...database() });
  expect({ status, err }).toEqual({ status: 0, err: '' });
}

/** Returns an instance's description of its catalog: it changes with the overlay. */
async function catalogOf({ app }: TestService): Promise<string> {
  return (await app.inject('/api/catalog')).body;
}

async function decodedBy({ app }: TestService): Promise<unknown> {
  return (await app.inject({ method: 'POST', url: '/api/decode', payload: { vin: ROCKET } })).json();
}

test('every running instance answers with an imported overlay, and without it after it is reverted', async () => {
  const before = await Promise.all(services.map(catalogOf));
  const changed = async (): Promise<boolean[]> => {
    const now = await Promise.all(services.map(catalogOf));
    return now.map((text, index) => text !== before[index]);
  };
  await marque('catalog', 'import', 'learned', folder);
  await until(async () => (await changed()).every(Boolean));
  for (const service of services) {
    expect(await decodedBy(service)).toMatchObject({ report: { manufacturer: 'Acme', model: 'Rocket' } });
  }
  await marque('catalog', 'revert', '--reason', 'A test.');
  await until(async () => !(await changed()).some(Boolean));
  for (const service of services) expect(await decodedBy(service)).not.toMatchObject({ report: { model: 'Rocket' } });
});
