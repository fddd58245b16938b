import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type RealService, startService } from './real-service.ts';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const VIN = '1HGCM82633A004352';

const OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2024',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
};

let service: RealService;
let key: string;
let folder: string;

beforeAll(async () => {
  service = await startService();
  key = await service.keyFor('acme', 100);
});

afterAll(() => service[Symbol.asyncDispose]());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marque-generated-'));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a client that @hey-api/openapi-ts generates compiles and decodes', async () => {
  await createClient({
    input: `${service.url}/openapi.json`,
    output: { path: join(folder, 'client') },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  const decode = await compiled(`
    import { decode as ask } from './client';
    export async function decode(baseUrl: string, key: string, vin: string): Promise<(string | undefined)[]> {
      const known = await ask({ baseUrl, headers: { 'x-api-key': key }, body: { vin } });
      const refused = await ask({ baseUrl, headers: { 'x-api-key': key }, body: { vin: 'WBA' } });
      const answer = known.data;
      const model = answer !== undefined && 'report' in answer ? answer.report.model : undefined;
      return [model, refused.error?.error];
    }`);
  expect(await decode(service.url, key, VIN)).toEqual(['Accord', expect.stringMatching(/17 characters/)]);
});

test('a client that orval generates compiles and decodes', async () => {
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${service.url}/openapi.json`)).text());
  await generate(
    {
      input: { target: join(folder, 'openapi.json') },
      output: { target: join(folder, 'client.ts'), client: 'fetch', mode: 'single', baseUrl: service.url },
    },
    folder,
  );
  const decode = await compiled(`
    import { decode as ask } from './client';
    export async function decode(_baseUrl: string, key: string, vin: string): Promise<(string | undefined)[]> {
      const headers = { 'x-api-key': key };
      const known = await ask({ vin }, { headers });
      const refused = await ask({ vin: 'WBA' }, { headers });
      const model = known.status === 200 && 'report' in known.data ? known.data.report.model : undefined;
      return [model, refused.status === 400 ? refused.data.error : undefined];
    }`);
  expect(await decode(service.url, key, VIN)).toEqual(['Accord', expect.stringMatching(/17 characters/)]);
});

test('types that openapi-typescript generates compile and decode with openapi-fetch', async () => {
  const types = astToString(await openapiTS(new URL(`${service.url}/openapi.json`)));
  writeFileSync(join(folder, 'types.ts'), types);
  const decode = await compiled(`
    import createClient from 'openapi-fetch';
    import type { paths } from './types';
    export async function decode(baseUrl: string, key: string, vin: string): Promise<(string | undefined)[]> {
      const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });
      const known = await client.POST('/api/decode', { body: { vin } });
      const refused = await client.POST('/api/decode', { body: { vin: 'WBA' } });
      const answer = known.data;
      const model = answer !== undefined && 'report' in answer ? answer.report.model : undefined;
      return [model, refused.error?.error];
    }`);
  expect(await decode(service.url, key, VIN)).toEqual(['Accord', expect.stringMatching(/17 characters/)]);
});

type Decode = (baseUrl: string, key: string, vin: string) => Promise<(string | undefined)[]>;

/** Compiles a program beside the generated code, strictly, and returns its function. */
async function compiled(program: string): Promise<Decode> {
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, include: ['**/*.ts'], exclude: ['node_modules'] }),
  );
  await run(process.execPath, [join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(failWithOutput);
  const bundle = await rolldown({ input: join(folder, 'program.ts') });
  await bundle.write({ file: join(folder, 'program.mjs') });
  const module: { decode: Decode } = await import(pathToFileURL(join(folder, 'program.mjs')).href);
  return module.decode;
}

function failWithOutput(error: Error & { stdout?: string }): never {
  throw new Error(error.stdout ?? error.message, { cause: error });
}
