import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { setPlan } from '../../workspaces/index.ts';
import { systemClock } from '../../kernel/clock.ts';
import { Visitor } from '../../testing/browsing.ts';
import { signUp } from '../../people/testing/people.ts';
import type { Reader } from '../../testing/reader.ts';
import { openSite } from '../../testing/site.ts';

const { browser, service, origin } = await openSite();
let owner: Reader;
let decodePage: string;

beforeAll(async () => {
  owner = await signUp(service, 'ada@example.com', 'ada-motors');
  await setPlan({ database: service.database, clock: systemClock }, 'ada-motors', { plan: 'business' }, 'cli:test');
  const decoded = await owner.post('/portal/ada-motors/try', { vin: '1HGCM82633A004352' });
  decodePage = String(decoded.headers.location);
});

const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property);

test('pointing at a part of the VIN lights up its fields, and pointing at a field its part', async () => {
  await using visitor = await Visitor.come(browser, origin);
  await visitor.adopt(owner);
  const page = await visitor.go(decodePage);
  const [plantRow, makeRow] = [page.locator('.settled.at-11'), page.locator('.settled.at-1').first()];
  const unlit = await styleOf(plantRow, 'background-color');
  await page.locator('.part.plant').hover();
  expect(await styleOf(plantRow, 'background-color')).not.toBe(unlit);
  expect(await styleOf(makeRow, 'background-color')).toBe(unlit);

  const lineOf = (part: string) => styleOf(page.locator(`.part.${part} > .stamped`), 'border-bottom-color');
  await page.locator('h1').hover();
  const [maker, year] = [await lineOf('wmi'), await lineOf('year')];
  await makeRow.hover();
  expect(await lineOf('wmi')).toBe(maker);
  expect(await lineOf('year')).not.toBe(year);
  expect(visitor.complaints).toEqual([]);
});

test('the keyboard lights them up as well: Tab from part to part, arrows from field to field', async () => {
  await using visitor = await Visitor.come(browser, origin);
  await visitor.adopt(owner);
  const page = await visitor.go(decodePage);
  const plantRow = page.locator('.settled.at-11');
  const unlit = await styleOf(plantRow, 'background-color');
  await page.locator('.part.year').focus();
  expect(await styleOf(plantRow, 'background-color')).toBe(unlit);
  await page.keyboard.press('Tab');
  expect(await styleOf(plantRow, 'background-color')).not.toBe(unlit);

  const line = page.locator('.part.wmi > .stamped');
  await page.locator('main').focus();
  const bright = await styleOf(line, 'border-bottom-color');
  await page.locator('.settled', { hasText: 'Make' }).focus();
  expect(await styleOf(line, 'border-bottom-color')).toBe(bright);
  await page.keyboard.press('ArrowDown');
  expect(await page.locator(':focus').innerText()).toContain('Model');
  expect(await styleOf(line, 'border-bottom-color')).not.toBe(bright);
  await page.keyboard.press('ArrowUp');
  expect(await styleOf(line, 'border-bottom-color')).toBe(bright);
});

test('units are changed by keyboard, in the fields and the drawing, and are remembered', async () => {
  await using visitor = await Visitor.come(browser, origin);
  await visitor.adopt(owner);
  const page = await visitor.go(decodePage);
  const length = page.locator('.settled', { hasText: 'Length' });
  expect(await length.innerText()).toContain('mm');
  await page.getByRole('radio', { name: 'Metric' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await length.innerText()).toContain('in');
  expect(await page.locator('.body-drawing text.metric').first().isVisible()).toBe(false);
  await page.reload();
  expect(await page.getByRole('radio', { name: 'US' }).isChecked()).toBe(true);
  expect(await length.innerText()).toContain('in');
});

test('the link, the VIN, and the JSON of a decode are copied as they are', async () => {
  await using visitor = await Visitor.come(browser, origin, { permissions: ['clipboard-read', 'clipboard-write'] });
  await visitor.adopt(owner);
  const page = await visitor.go(decodePage);
  const copied = async (source: string): Promise<string> => {
    const button = page.locator(`[data-copy="${source}"]`);
    await button.click();
    await button.filter({ hasText: 'Copied' }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(new URL(await copied('decode-link')).pathname).toBe(decodePage);
  expect(await copied('decode-vin')).toBe('1HGCM82633A004352');
  await page.locator('summary', { hasText: 'JSON' }).click();
  const json: unknown = JSON.parse(await copied('answer-json'));
  expect(json).toMatchObject({ report: { vin: '1HGCM82633A004352' } });
  expect(visitor.complaints).toEqual([]);
});

test.each([320, 820])('on a phone and a tablet the tabs take one row, the current one in view: %i', async (width) => {
  await using visitor = await Visitor.come(browser, origin, { viewport: { width, height: 700 } });
  await visitor.adopt(owner);
  const page = await visitor.go('/portal/ada-motors/plan');
  const tabs = page.getByRole('navigation', { name: 'Workspace' });
  const [row, current] = [await tabs.boundingBox(), await tabs.locator('[aria-current]').boundingBox()];
  expect(row?.height).toBeLessThan(60);
  expect(current?.x).toBeGreaterThanOrEqual(0);
  expect((current?.x ?? 0) + (current?.width ?? 0)).toBeLessThanOrEqual(width);
});

test('a decode of which much is known prints on one sheet', async () => {
  const tesla = await owner.post('/portal/ada-motors/try', { vin: '5YJ3E1EA0LF642813' });
  await using visitor = await Visitor.come(browser, origin);
  await visitor.adopt(owner);
  const page = await visitor.go(String(tesla.headers.location));
  expect(await page.locator('dl.fields > .settled').count()).toBeGreaterThan(15);
  const margin = '0.4in';
  const pdf = await page.pdf({
    format: 'Letter',
    margin: { top: margin, right: margin, bottom: margin, left: margin },
  });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test('a form of any page shows after a while for how long it has been working', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.adopt(owner);
  await page.clock.install();
  // The answer never comes: the form is not sent, after the page's own script has seen it.
  await page.addInitScript(() => addEventListener('submit', (event) => event.preventDefault()));
  await visitor.go('/portal/ada-motors/keys');
  await page.getByLabel('Name of the key').fill('website');
  const button = page.getByRole('button', { name: 'Create the key' });
  await button.click();
  await page.clock.runFor(1_000);
  expect(await page.locator('form .wait').innerText()).toContain('Working.');
  await page.clock.runFor(3_100);
  expect(await page.locator('form .wait').innerText()).toContain('Working for 4 seconds.');
  expect(await button.getAttribute('aria-disabled')).toBe('true');
});
