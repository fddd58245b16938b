import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { lookAt } from '../../testing/browser.ts';
import { Visitor } from '../../testing/browsing.ts';
import { openSite } from '../../testing/site.ts';

const VIN = '1HGCM82633A004352';

const { browser, origin } = await openSite();

const box = (page: Page) => page.getByLabel('VIN', { exact: true });

async function decode(page: Page): Promise<void> {
  await box(page).fill(VIN);
  await page.getByRole('button', { name: 'Decode' }).click();
  await page.getByText('One decode was charged.').waitFor();
}

/**
 * The states that a visitor passes through, from the first character to the printed sheet, each with the steps to get
 * there. The empty box is in `landing.browser.test.ts`.
 */
const STATES: readonly (readonly [name: string, arrive: (page: Page) => Promise<void>])[] = [
  [
    'typing',
    async (page) => {
      await box(page).pressSequentially('1HGCM82633');
      await page.getByText('Model year 2003').first().waitFor();
    },
  ],
  [
    'wrong-character',
    async (page) => {
      await box(page).fill('1HGCM82633A0O4352');
      await page.locator('.slots .wrong').waitFor();
    },
  ],
  [
    'decoding',
    async (page) => {
      // Never answered: the page goes away first.
      await page.route('**/decode', () => undefined);
      await box(page).fill(VIN);
      await page.getByRole('button', { name: 'Decode' }).click();
      await page.getByText('Decoding.').waitFor();
    },
  ],
  [
    'answer-with-why',
    async (page) => {
      await decode(page);
      await page.locator('summary', { hasText: 'Why? Model year' }).click();
      await page.getByText('Positions 7 and 10 of the VIN.').waitFor();
    },
  ],
  [
    'question-answered',
    async (page) => {
      await page.locator('.engines .chip').first().click();
      await page.getByRole('link', { name: 'Clear the answers' }).waitFor();
    },
  ],
  [
    'shared-link',
    async (page) => {
      await decode(page);
      // The address follows the answer, after it can be seen.
      await page.waitForURL('**/decoded/*');
      const address = page.url();
      await page.context().clearCookies();
      await page.goto(address);
      await page.getByText('Anyone with this address can open it').waitFor();
    },
  ],
  [
    'reported',
    async (page) => {
      await decode(page);
      await page.locator('summary', { hasText: 'Report this decode as wrong' }).click();
      await page.getByLabel('Correct model', { exact: true }).fill('Inspire');
      await page.getByLabel('How do you know?').fill('The registration says so.');
      await page.getByRole('button', { name: 'Send the report' }).click();
      await page.getByText('Your report is saved.').waitFor();
    },
  ],
  [
    'printed',
    async (page) => {
      await decode(page);
      await page.emulateMedia({ media: 'print' });
    },
  ],
];

test.each(STATES)(
  '%s can be read by everyone, on a phone and a desktop, light and dark',
  { timeout: 240_000 },
  async (name, arrive) => {
    await using visitor = await Visitor.come(browser, origin);
    const page = await visitor.go('/');
    await arrive(page);
    expect(await lookAt(page, `film-${name}`)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  },
);
