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
    expect(await page.getByText('One decode was charged.').innerText()).not.toBe('');
    await page.context().close();
  });

  test('says beside the box what is wrong with a mistyped VIN', async () => {
    const page = await open('/');
    await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A00435O');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Did you mean the digit 0?');
    await page.context().close();
  });

  test('shows nothing of a page that something in between sends, nor an old answer when the connection is lost', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(origin);
    await page.route('**/decode', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway of nginx</h1>' }),
    );
    const box = page.getByLabel('VIN', { exact: true });
    await box.fill('1HGCM82633A004352');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('The service cannot be reached just now (502).').waitFor();
    expect(await page.getByText('nginx').count()).toBe(0);
    expect(await page.getByRole('heading', { name: '2003 Honda Accord' }).count()).toBe(0);

    await page.unroute('**/decode');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('No answer came. Check your connection').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('One decode was charged.').waitFor();
    expect(await page.locator('#answer[aria-live]').count()).toBe(1);
    await context.close();
  });

  test('tells how long it has been waiting, and takes no second click meanwhile', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(origin);
    let sent = 0;
    const answered = Promise.withResolvers<void>();
    await page.route('**/decode', async (route) => {
      sent++;
      await answered.promise;
      await route.continue();
    });
    await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A004352');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.clock.runFor(4_100);
    await page.getByText('Decoding for 4 seconds.').waitFor();
    await page.getByRole('button', { name: 'Decode' }).click({ force: true });
    expect(sent).toBe(1);
    answered.resolve();
    await page.getByText('One decode was charged.').waitFor();
    expect(await page.locator('button[aria-disabled]').count()).toBe(0);
    await context.close();
  });

  test('fills with a chosen suggestion, and with the VIN of its address, and charges for neither', async () => {
    const before = await service.charged();
    const page = await open('/');
    const box = page.getByLabel('VIN', { exact: true });
    await box.fill('1HGCM82633A0O4352');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByRole('link', { name: '1HGCM82633A004352' }).click();
    await expect.poll(() => box.inputValue()).toBe('1HGCM82633A004352');
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.goto(`${origin}/?vin=WVWZZZ1KZ6W000001`);
    expect(await box.inputValue()).toBe('WVWZZZ1KZ6W000001');
    await page.reload();
    expect(await box.inputValue()).toBe('WVWZZZ1KZ6W000001');
    expect(await service.charged()).toBe(before);
    await page.context().close();
  });

  test('hides what cannot work without JavaScript', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    expect(await page.getByRole('button', { name: /Copy|Scan/ }).count()).toBe(0);
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

test.each([['landing', '/']])(
  '%s can be read by everyone, on a phone and a desktop, light and dark',
  { timeout: 120_000 },
  async (name, path) => {
    const page = await open(path);
    expect(await lookAt(page, name)).toEqual([]);
    await page.context().close();
  },
);
