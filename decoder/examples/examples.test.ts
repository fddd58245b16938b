import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Installed, installPacked } from './installed.ts';
import { serveFolder } from './serve-folder.ts';

const MEBIBYTE = 1_048_576;

let installed: Installed;

beforeAll(async () => {
  installed = await installPacked();
});

afterAll(() => installed[Symbol.dispose]());

test('the package holds code, types, the catalog and the papers, and nothing else', () => {
  const unexpected = installed.files.filter(
    (path) => !/^(?:(?:dist|src)\/[\w/-]+\.(?:js|ts|d\.ts|js\.map|d\.ts\.map)|src\/[\w/-]+\.md)$/.test(path),
  );
  expect(unexpected.toSorted()).toEqual(
    ['LICENSE', 'NOTICE', 'README.md', 'catalog/marque.catalog.gz', 'package.json'].toSorted(),
  );
  expect(installed.files.filter((path) => path.includes('.test.'))).toEqual([]);
  expect(installed.packedBytes).toBeLessThan(6 * MEBIBYTE);
});

test('three lines decode in Node', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['decode.js', '1HGCM82633A004352'], {
    cwd: join(installed.folder, 'node'),
  });
  expect(JSON.parse(stdout)).toMatchObject({ manufacturer: 'Honda', model: 'Accord', modelYear: '2003' });
});

test('a page decodes in a real browser, from less than 5 MiB', async () => {
  await using server = await serveFolder(join(installed.folder, 'browser'));
  await using browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // What of the packaged arguments suits AWS Lambda only, or would switch off what the page must hold up against.
    args: chromium.args.filter((argument) => !/^--(?:single-process|no-zygote|disable-web|headless)/.test(argument)),
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(`${server.origin}/`);
  await page.getByText('Nothing you type leaves this page.').waitFor();
  await page.getByLabel('VIN', { exact: true }).fill('1hg-cm826-33a004352');
  expect(await page.getByRole('definition').allTextContents()).toEqual(
    expect.arrayContaining(['Honda', 'Accord', '2003']),
  );
  await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A00435');
  expect(await page.getByRole('status').textContent()).toContain('this one has 16');
  expect(complaints).toEqual([]);
  expect(server.sentBytes()).toBeLessThan(5 * MEBIBYTE);
});

test('a bundle for browsers needs nothing of Node, and holds only what is imported', async () => {
  const everything = await bundled(`export * from '@marque/decoder';`);
  expect(everything).not.toMatch(/(?:from|import|require)\s*\(?\s*['"]node:/);
  const checkDigitOnly = await bundled(`export { checkDigitOf, readVin } from '@marque/decoder';`);
  expect(checkDigitOnly.length).toBeLessThan(8_000);
  expect(checkDigitOnly.length).toBeLessThan(everything.length / 10);
});

async function bundled(source: string): Promise<string> {
  const input = join(installed.folder, 'entry.js');
  writeFileSync(input, source);
  const bundle = await rolldown({ input, platform: 'browser', external: [] });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  return output.map((piece) => (piece.type === 'chunk' ? piece.code : '')).join('');
}
