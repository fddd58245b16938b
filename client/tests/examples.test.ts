import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Marque } from '@marque/client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { badLineTo } from './bad-line.ts';
import { type RealService, startService } from './real-service.ts';

const run = promisify(execFile);
const VIN = '1HGCM82633A004352';

let service: RealService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await service.keyFor('acme', 10);
});

afterAll(() => service[Symbol.asyncDispose]());

const examples = [
  { name: 'Node', program: process.execPath, file: 'node/decode.js' },
  { name: 'Python', program: 'python3', file: 'python/decode.py' },
];

test.each(examples)('the example in $name decodes, over a bad line and charged once', async ({ program, file }) => {
  await using line = await badLineTo(service.url, ['answer lost', { status: 503, retryAfter: '0' }]);
  const before = await remaining();
  const { stdout } = await run(program, [pathOf(file), VIN], { env: envWith(line.url) }).catch(missing(program));
  expect(JSON.parse(stdout)).toMatchObject({ vin: VIN, manufacturer: 'Honda', specs: expect.any(Object) });
  expect(await remaining()).toBe(before - 1);
});

test('the example in Python tells what is no VIN, and fails', async () => {
  const failure: unknown = await run('python3', [pathOf('python/decode.py'), '1HGCM826'], {
    env: envWith(service.url),
  }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stdout: expect.stringContaining('17 characters') });
});

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../examples/${file}`, import.meta.url));
}

function envWith(url: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', MARQUE_URL: url, MARQUE_KEY: key };
}

/** A machine without the program is told so, instead of passing without having looked. */
function missing(program: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(`This test needs ${program} on the PATH.`, { cause: error });
    }
    throw error;
  };
}

async function remaining(): Promise<number> {
  const { usage } = await new Marque({ baseUrl: service.url, apiKey: key }).usage();
  return usage.remaining ?? 0;
}
