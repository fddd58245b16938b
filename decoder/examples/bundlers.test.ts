import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build as buildWithEsbuild } from 'esbuild';
import { rollup } from 'rollup';
import { build as buildWithVite, createServer } from 'vite';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launched } from './browser.ts';
import { type Installed, installPacked } from './installed.ts';
import { serveFolder } from './serve-folder.ts';

/** The configurations that users of each bundler write, from the README. */
const [viteExample = '', esbuildExample = '', rollupExample = ''] = [
  ...readFileSync(new URL('../README.md', import.meta.url), 'utf8').matchAll(/^ {2}```js\n(.*?)^ {2}```/gms),
].map(([, code = '']) => code);

const SHOW = `document.title = decoder.decode('1HGCM82633A004352').model;\n`;
const PAGE =
  '<!doctype html><title>Loading</title><link rel="icon" href="data:,"><script type="module" src="SCRIPT"></script>';

let installed: Installed;
let browser: Browser;

beforeAll(async () => {
  [installed, browser] = await Promise.all([installPacked(), launched()]);
});

afterAll(async () => {
  await browser.close();
  installed[Symbol.dispose]();
});

test('the catalog travels with a bundle of Vite, and is found in development', async () => {
  const root = project('vite', viteExample);
  const quiet = { root, configFile: false, logLevel: 'silent' } as const;
  await buildWithVite(quiet);
  expect(await modelShownBy(join(root, 'dist'))).toBe('Accord');
  const server = await createServer({ ...quiet, server: { port: 0, host: '127.0.0.1' } });
  try {
    await server.listen();
    expect(await titleOf(server.resolvedUrls?.local[0] ?? '')).toBe('Accord');
  } finally {
    await server.close();
  }
});

test('the catalog travels with a bundle of esbuild', async () => {
  const root = project('esbuild', esbuildExample);
  const outdir = join(root, 'dist', 'assets');
  await buildWithEsbuild({
    absWorkingDir: root,
    entryPoints: [join(root, 'main.js')],
    bundle: true,
    format: 'esm',
    outdir,
    loader: { '.gz': 'file' },
    publicPath: '/assets',
  });
  writeFileSync(join(root, 'dist', 'index.html'), PAGE.replace('SCRIPT', '/assets/main.js'));
  expect(await modelShownBy(join(root, 'dist'))).toBe('Accord');
});

test('the catalog is found where it was copied beside a bundle of Rollup', async () => {
  const root = project('rollup', rollupExample);
  const { resolve } = createRequire(join(root, 'main.js'));
  const bundle = await rollup({
    input: join(root, 'main.js'),
    // The work of @rollup/plugin-node-resolve.
    plugins: [{ name: 'resolve', resolveId: (name) => (name === '@marque/decoder' ? resolve(name) : undefined) }],
  });
  await bundle.write({ dir: join(root, 'dist') });
  await bundle.close();
  const [, copy = ''] =
    /`(cp node_modules.*)`/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? [];
  await promisify(execFile)('sh', ['-c', copy], { cwd: root });
  writeFileSync(join(root, 'dist', 'index.html'), PAGE.replace('SCRIPT', 'main.js'));
  expect(await modelShownBy(join(root, 'dist'))).toBe('Accord');
});

/** A folder with a page that shows a model as its title, and the package beside it. */
function project(name: string, example: string): string {
  const root = join(installed.folder, `page of ${name}`);
  mkdirSync(root);
  cpSync(join(installed.folder, 'node_modules'), join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'main.js'), example + SHOW);
  writeFileSync(join(root, 'index.html'), PAGE.replace('SCRIPT', '/main.js'));
  return root;
}

async function modelShownBy(folder: string): Promise<string> {
  await using server = await serveFolder(folder);
  return await titleOf(`${server.origin}/`);
}

async function titleOf(url: string): Promise<string> {
  await using page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(url);
  await expect.poll(async () => [await page.title(), ...complaints]).not.toEqual(['Loading']);
  return [await page.title(), ...complaints].join(': ');
}
