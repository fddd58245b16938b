import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launched } from './browser.ts';
import { type Installed, installPacked } from './installed.ts';
import { serveFolder } from './serve-folder.ts';

const MEBIBYTE = 1_048_576;

let installed: Installed;
let browser: Browser;

beforeAll(async () => {
  [installed, browser] = await Promise.all([installPacked(), launched()]);
});

afterAll(async () => {
  await browser.close();
  installed[Symbol.dispose]();
});

test('the package contains code, types, the catalog and the papers, and nothing else', () => {
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
  await using page = await browser.newPage();
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

test('a page decodes a CSV file of 100,000 rows while the network is off', async () => {
  await using server = await serveFolder(join(installed.folder, 'csv'));
  await using page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  await page.getByText('the network may be off').waitFor();
  await page.context().setOffline(true);
  const requests: string[] = [];
  page.on('request', (request) => void (/^https?:/.test(request.url()) && requests.push(request.url())));
  await page.getByLabel('CSV file').setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: fleet() });
  await page.getByText('100,000 rows decoded, 1 of them without a valid VIN.').waitFor({ timeout: 100_000 });
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the result' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(ROWS + 1);
  expect(lines[0]).toBe('unit,VIN,note,manufacturer,model,modelYear,bodyStyle,plant,region,error');
  expect(lines[1]).toMatch(/^0,1HGCM82633A000000,"red, with a ""tow bar""",Honda,Accord,2003,/);
  expect(lines[2]).toMatch(/^1,1HGCM82633A00001,.*this one has 16/);
  expect(lines.at(-1)).toMatch(/^99999,1HGCM82633A099999,.*,Honda,Accord,2003,/);
  expect(requests).toEqual([]);
});

const ROWS = 100_000;

/** A fleet, with text in quotes, and one VIN that lacks a character. */
function fleet(): Buffer {
  const lines = Array.from({ length: ROWS }, (_, unit) => {
    const serial = unit === 1 ? '00001' : String(unit).padStart(6, '0');
    return `${unit},1HGCM82633A${serial},"red, with a ""tow bar"""`;
  });
  return Buffer.from(['unit,VIN,note', ...lines, ''].join('\r\n'));
}

test('a bundle for browsers needs nothing of Node, and contains only imported modules', async () => {
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
