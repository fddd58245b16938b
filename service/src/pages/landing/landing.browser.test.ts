import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { lookAt, openBrowser } from '../../testing/browser.ts';
import { type TestService, testService } from '../../testing/service.ts';

let browser: Browser;
let service: TestService;
let origin: string;

beforeAll(async () => {
  [browser, service] = await Promise.all([openBrowser(), testService()]);
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(`The browser complains: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(`${origin}${path}`);
  return page;
}

describe('the decode box', () => {
  test('decodes in place what is typed in lower case with blanks', async () => {
    const page = await open('/');
    await page.getByLabel('VIN', { exact: true }).fill(' 1hgcm 82633a-004352 ');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('One decode was charged.').waitFor();
    expect(await page.getByRole('heading', { name: '2003 Honda Accord' }).count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await page.locator('.plate .stamped').allTextContents()).toEqual(['1HG', 'CM826', '3', '3', 'A', '004352']);
    await page.context().close();
  });

  test('works without JavaScript', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A004352');
    await page.getByRole('button', { name: 'Decode' }).click();
    expect(await page.getByText('One decode was charged.').count()).toBe(1);
    await page.context().close();
  });

  test('says beside the box what is wrong with a mistyped VIN', async () => {
    const page = await open('/');
    await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A00435O');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('did you mean the digit 0?');
    await page.context().close();
  });

  test('brings out the line of a part that the Tab key reaches', async () => {
    const page = await open('/');
    const part = page.locator('.part.wmi').first();
    await part.focus();
    const described = await part.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).innerText()).toContain('Honda, North America.');
    await page.context().close();
  });
});

test.each([
  ['landing', '/'],
  ['docs', '/docs'],
])('%s can be read by everyone, on a phone and a desktop, light and dark', async (name, path) => {
  const page = await open(path);
  expect(await lookAt(page, name)).toEqual([]);
  await page.context().close();
});
