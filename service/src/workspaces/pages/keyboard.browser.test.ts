import { expect, test } from 'vitest';

import { findWorkspace } from '../index.ts';
import { monthAfter } from '../../kernel/db/month.ts';
import { Visitor } from '../../testing/browsing.ts';
import { openSite } from '../../testing/site.ts';

const { browser, service, origin } = await openSite();

const decode = (key: string) =>
  fetch(`${origin}/api/decode`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ vin: '1HGCM82633A004352' }),
  });

test('a confirmation is opened, read, canceled and given by keyboard alone', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.signUp(service, 'keyboard@example.com', 'keyboard-motors');
  await page.getByLabel('Name of the key').fill('website');
  await page.keyboard.press('Enter');
  const key = await page.locator('#new-key').innerText();
  const revoke = page.getByRole('button', { name: 'Revoke website' });
  const dialog = page.getByRole('dialog', { name: 'Revoke website' });
  const focused = page.locator(':focus');

  await revoke.focus();
  await page.keyboard.press('Enter');
  expect(await focused.innerText()).toBe('Cancel');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  expect(await focused.innerText()).toBe('Revoke');
  expect((await decode(key)).status).toBe(200);

  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('is revoked').waitFor();
  expect((await decode(key)).status).toBe(401);
});

/** Removes what makes a browser know commands, as those from before 2026 are. */
const FORGETS_COMMANDS = () => {
  addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element) target.closest('[commandfor]')?.removeAttribute('commandfor');
    },
    true,
  );
};

test('Tab does not leave an open dialog, and browsers without commands still open and close it', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.signUp(service, 'dialogs@example.com', 'dialog-motors');
  await page.getByLabel('Name of the key').fill('website');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Rotate website' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate website' });
  const reached = new Set<string>();
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press(press < 6 ? 'Tab' : 'Shift+Tab');
    // At either end the browser's own controls have the focus; the page then has none.
    const at = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.closest('dialog')?.id ?? activeElement?.tagName;
    });
    reached.add(String(at));
  }
  expect([...reached].filter((at) => at !== 'BODY')).toEqual([await dialog.getAttribute('id')]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  await page.evaluate(FORGETS_COMMANDS);
  await page.getByRole('button', { name: 'Rotate website' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(visitor.complaints).toEqual([]);
});

test('a confirmation dialog is centered on the screen, wherever its button is', async () => {
  await using visitor = await Visitor.come(browser, origin, { viewport: { width: 1000, height: 700 } });
  const { page } = visitor;
  await visitor.signUp(service, 'middle@example.com', 'middle-motors');
  for (const [path, act] of [
    ['/portal/middle-motors/members', 'Close the workspace'],
    ['/account', 'Close the account'],
  ] as const) {
    await visitor.go(path);
    await page.getByRole('button', { name: act }).click();
    const { y = 0, height = 0 } = (await page.getByRole('dialog').boundingBox()) ?? {};
    expect(Math.round(y + height / 2)).toBe(350);
  }
});

test('the labels of a chart are read by keyboard: one stop of Tab, then the arrow keys', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.signUp(service, 'chart@example.com', 'chart-motors');
  const workspace = await findWorkspace(service.database, 'chart-motors');
  const windowStart = monthAfter(Date.now(), -1);
  const row = { subject: `workspace:${workspace?.id}`, window_start: windowStart, key_id: '', charged: 3 };
  const days = [0, 1].map((day) => Object.assign({ day_start: windowStart + day * 86_400_000 }, row));
  await service.database.kysely.insertInto('usage_ledger').values(days).execute();
  await visitor.go(`/portal/chart-motors?month=${new Date(windowStart).toISOString().slice(0, 7)}`);
  const places = page.locator('.chart').first().locator('.place');
  expect(await page.locator('.chart').first().locator('[tabindex="0"]').count()).toBe(1);
  await places.last().focus();
  await page.keyboard.press('ArrowLeft');
  const before = places.nth((await places.count()) - 2);
  expect(await before.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await before.locator('.label').isVisible()).toBe(true);
  expect(await places.last().locator('.label').isVisible()).toBe(false);
  expect(visitor.complaints).toEqual([]);
});
