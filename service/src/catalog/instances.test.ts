import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { until } from '../testing/until.ts';

const run = promisify(execFile);
const LAUNCHER = fileURLToPath(new URL('../../bin/marque.js', import.meta.url));
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
let services: ChildProcess[];

beforeEach(async () => {
  fresh = await freshDatabase('postgres');
  folder = mkdtempSync(join(tmpdir(), 'marque-learned-'));
  mkdirSync(join(folder, 'acme'));
  writeFileSync(join(folder, 'acme', 'learned.csv'), ROWS);
  writeFileSync(join(folder, 'acme', 'learned.yaml'), LAYOUTS);
  services = [];
});

afterEach(async () => {
  for (const service of services) service.kill('SIGKILL');
  await Promise.all(services.map(async (service) => service.exitCode ?? service.signalCode ?? once(service, 'exit')));
  await fresh.remove();
  rmSync(folder, { recursive: true });
});

function environment(): NodeJS.ProcessEnv {
  const { dataDir, databaseUrl } = fresh.location;
  return { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PORT: '0' };
}

/** Starts `marque serve` in a process of its own. Gives its address once it is ready. */
async function serve(): Promise<string> {
  const service = spawn(process.execPath, [LAUNCHER, 'serve'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  services.push(service);
  let printed = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += String(chunk);
      const url = /ready at (\S+)/.exec(printed)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  service.once('exit', () => reject(new Error(printed)));
  return ready;
}

/** Returns an instance's description of its catalog: it changes with the overlay. */
async function catalogOf(url: string): Promise<string> {
  return (await fetch(`${url}/api/catalog`)).text();
}

async function decodedBy(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/decode`, {
    method: 'POST',
    body: new Blob([JSON.stringify({ vin: ROCKET })]),
  });
  return answer.json();
}

test('every running instance answers with an imported overlay, and without it after it is reverted', async () => {
  const urls = [await serve(), await serve()];
  const before = await catalogOf(urls[0] ?? '');
  await run(process.execPath, [LAUNCHER, 'catalog', 'import', 'learned', folder], { env: environment() });
  for (const url of urls) await until(async () => (await catalogOf(url)) !== before);
  for (const url of urls)
    expect(await decodedBy(url)).toMatchObject({ report: { manufacturer: 'Acme', model: 'Rocket' } });
  await run(process.execPath, [LAUNCHER, 'catalog', 'revert', '--reason', 'A test.'], { env: environment() });
  for (const url of urls) await until(async () => (await catalogOf(url)) === before);
  for (const url of urls) expect(await decodedBy(url)).not.toMatchObject({ report: { model: 'Rocket' } });
});
