import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Marque } from '@marque/client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { badLineTo } from './bad-line.ts';
import { type RealService, startService } from './real-service.ts';

const run = promisify(execFile);
const VIN = '1HGCM82633A004352';
const EXAMPLE = fileURLToPath(new URL('../examples/node/decode.js', import.meta.url));

let service: RealService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await service.keyFor('acme', 10);
});

afterAll(() => service[Symbol.asyncDispose]());

test('the example decodes, over a bad line and charged once', async () => {
  await using line = await badLineTo(service.url, ['answer lost', { status: 503, retryAfter: '0' }]);
  const before = await remaining();
  const { stdout } = await run(process.execPath, [EXAMPLE, VIN], { env: envWith(line.url) });
  expect(JSON.parse(stdout)).toMatchObject({ vin: VIN, manufacturer: 'Honda', specs: expect.any(Object) });
  expect(await remaining()).toBe(before - 1);
});

function envWith(url: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', MARQUE_URL: url, MARQUE_KEY: key };
}

async function remaining(): Promise<number> {
  const { usage } = await new Marque({ baseUrl: service.url, apiKey: key }).usage();
  return usage.remaining ?? 0;
}
