import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { lookAt } from '../../testing/browser.ts';
import { Visitor } from '../../testing/browsing.ts';
import { openSite } from '../../testing/site.ts';

const { browser, service, origin } = await openSite();

test('a search shows its results as one types, by keyboard alone', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.goToPress('/docs/decode');
  const box = page.getByLabel('Search the documentation');
  await page.keyboard.press('/');
  await page.keyboard.type('powerKw');
  await page.locator('#found a').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.locator('#found a').first().waitFor({ state: 'hidden' });
  expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await page.locator('#found a').count()).toBe(0);
  // Answers to a part of the word would replace the results between two keys.
  const answered = page.waitForResponse('**/docs/search?q=powerKw');
  await page.keyboard.type('powerKw');
  await answered;
  await page.locator('#found a').first().and(page.locator('[href$="powerKw"]')).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/schemas#schema-VehicleReport.specs.powerKw');
  await page.locator('tr:target').waitFor();
  expect(visitor.complaints).toEqual([]);
});

/** Resolves once the page has dealt with the answer that it waits for. */
const endOfRequest = (page: Page): Promise<void> =>
  page.evaluate(
    async () =>
      new Promise<void>((resolve) => addEventListener('htmx:finally:request', () => resolve(), { once: true })),
  );

test('results that arrive while the reader is choosing leave the choice alone', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.go('/docs/decode');
  await page.getByLabel('Search the documentation').pressSequentially('power');
  await page.locator('#found a').first().waitFor();
  const late = Promise.withResolvers<void>();
  await page.route('**/docs/search?q=powerKw', async (route) => {
    await late.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/docs/search?q=powerKw');
  await page.keyboard.insertText('Kw');
  await asked;
  await page.keyboard.press('ArrowDown');
  const chosen = await page.evaluate(() => document.activeElement?.getAttribute('href'));
  const ended = endOfRequest(page);
  late.resolve();
  await ended;
  expect(chosen).toMatch(/^\/docs\//);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(chosen);
});

test('results that arrive after Escape has emptied the search are not shown', async () => {
  await using visitor = await Visitor.come(browser, origin);
  await visitor.page.clock.install();
  const page = await visitor.go('/docs/decode');
  await page.clock.pauseAt(Date.now() + 60_000);
  const late = Promise.withResolvers<void>();
  await page.route('**/docs/search?q=power', async (route) => {
    await late.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/docs/search?q=power');
  await page.getByLabel('Search the documentation').fill('power');
  await page.clock.runFor(120);
  await asked;
  await page.getByLabel('Search the documentation').press('Escape');
  const ended = endOfRequest(page);
  late.resolve();
  // The request of the empty text, which would replace this one, waits for the clock.
  await ended;
  expect(await page.locator('#found a').count()).toBe(0);
});

test('a slash that somebody types stays where it is typed', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.go('/docs/decode#get-api-vin-vin');
  await page.locator('#get-api-vin-vin').getByText('Run it').click();
  const box = page.locator('#get-api-vin-vin').getByLabel('vin', { exact: true });
  await box.fill('');
  await box.press('/');
  expect(await box.inputValue()).toBe('/');
});

test('the page of a search follows the typed text, and so does its address', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.go('/docs/search?q=429');
  await page.getByLabel('Search the documentation').fill('idempotency');
  await page.waitForURL('**/docs/search?q=idempotency');
  await page.locator('#found a[href="/docs#header-idempotency-key"]').waitFor();
  expect(visitor.complaints).toEqual([]);
});

test('operations are closed until one is chosen, by click, key, or link, and the address follows', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.go('/docs/vpic');
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(5_000);
  const [values, makes] = ['#get-api-vehicles-DecodeVinValues-vin', '#get-api-vehicles-GetAllMakes'] as const;
  const summary = page.locator('summary', {
    has: page.getByText('/api/vehicles/DecodeVinValues/{vin}', { exact: true }),
  });
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${values}`);
  await page.locator(values).waitFor();
  const marked = page.getByRole('navigation', { name: 'Reference' }).locator('[aria-current="true"]');
  await expect.poll(() => marked.getAttribute('href')).toContain(values);
  await page.keyboard.press('Enter');
  await page.locator(values).waitFor({ state: 'hidden' });
  await visitor.go(`/docs/vpic${makes}`);
  await page.locator(makes).waitFor();
  await expect.poll(() => marked.getAttribute('href')).toContain(makes);
  expect(visitor.complaints).toEqual([]);
});

test('the language that is chosen once is shown everywhere, and on the next page', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.go('/docs/decode#post-api-decode');
  await page.getByRole('radio', { name: 'Python' }).first().focus();
  await page.keyboard.press('Space');
  expect(await page.locator('[data-language="curl"]:visible').count()).toBe(0);
  await visitor.go('/docs');
  await page.getByText('import json, os, urllib.request').first().waitFor();
  expect(await page.locator('[data-language="curl"]:visible').count()).toBe(0);
});

test('an operation runs with a key of one’s own, which the next page of this tab still has', async () => {
  const key = await service.keyFor('starter');
  const before = await service.charged();
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.go('/docs/decode#post-api-decode');
  const operation = page.locator('#post-api-decode');
  await operation.getByText('Run it').click();
  await operation.getByLabel('Your API key').fill(key);
  await operation.getByRole('button', { name: 'Run' }).click();
  await operation.getByText('HTTP 200').waitFor();
  expect(await operation.locator('[data-run-answer]').innerText()).toContain('"plan": "starter"');
  expect(await service.charged()).toBe(before + 1);

  await visitor.go('/docs/vpic#get-api-vehicles-DecodeVinValues-vin');
  const values = page.locator('#get-api-vehicles-DecodeVinValues-vin');
  await values.getByText('Run it').click();
  expect(await values.getByLabel('Your API key').inputValue()).toBe(key);
  await values.getByLabel('vin', { exact: true }).fill('not a vin/at all');
  await values.getByRole('button', { name: 'Run' }).click();
  await values.getByText('HTTP 200').waitFor();
  expect(await service.charged()).toBe(before + 1);
  expect(visitor.complaints).toEqual([]);
});

test('a connection that breaks while an operation runs is reported in place of the answer', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.go('/docs/decode#get-api-vin-vin');
  await page.route('**/api/vin/**', (route) => route.abort());
  const operation = page.locator('#get-api-vin-vin');
  await operation.getByText('Run it').click();
  await operation.getByRole('button', { name: 'Run' }).click();
  await operation.getByText('No answer came.').waitFor();
  expect(await operation.locator('[data-run-answer]').isVisible()).toBe(false);
});

test('without JavaScript everything can be read, and nothing shows that cannot work', async () => {
  await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled: false });
  const { page } = visitor;
  await visitor.go('/docs');
  await page.getByLabel('Search the documentation').fill('429');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('#found a[href="/docs#error-429"]').click();
  await page.waitForURL('**/docs#error-429');
  await visitor.go('/docs/decode');
  const operation = page.locator('#post-api-decode');
  await operation.locator('label', { hasText: 'TypeScript' }).click();
  await operation.getByText('const answer = await fetch').waitFor();
  expect(await operation.getByText('Run it').isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Check a VIN without decoding it' }).first().click();
  await page.waitForURL('**/docs/decode#get-api-vin-vin');
  await page.locator('#get-api-vin-vin').waitFor();
});

test.each([
  ['docs', '/docs'],
  ['docs-decode', '/docs/decode'],
  ['docs-vpic', '/docs/vpic'],
  ['docs-webhooks', '/docs/webhooks'],
  ['docs-search', '/docs/search?q=decode'],
])('%s can be read by everyone, on a phone and a desktop, light and dark', { timeout: 240_000 }, async (name, path) => {
  await using visitor = await Visitor.come(browser, origin);
  const page = await visitor.go(path);
  // The rest of a long page is more of the same.
  await page.evaluate(() => {
    const folds = [...document.querySelectorAll<HTMLDetailsElement>('details.operation')].slice(0, 4);
    for (const fold of folds) for (const details of [fold, ...fold.querySelectorAll('details')]) details.open = true;
  });
  expect(await lookAt(page, name)).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});
