import { beforeAll, describe, expect, test } from 'vitest';

import { lookAt } from '../testing/browser.ts';
import { Visitor } from '../testing/browsing.ts';
import { administrator, signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { openSite } from '../testing/site.ts';

const VIN = '1HGCM82633A004352';

const { browser, service, origin } = await openSite();
let admin: Reader;
let owner: Reader;

beforeAll(async () => {
  admin = await administrator(service, 'root@example.com');
  owner = await signUp(service, 'ada@example.com', 'ada-motors');
});

const report = (model: string) =>
  owner.post('/portal/ada-motors/reports', {
    vin: VIN,
    expectedManufacturer: 'Honda',
    expectedModel: model,
    expectedBodyStyle: 'Coupe',
    expectedModelYear: '2003',
    note: `The badge on the boot says ${model}.`,
  });

const answeredModel = async (): Promise<unknown> => {
  const answer = await fetch(`${origin}/api/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vin: VIN }),
  });
  const { report: decoded }: { report: { model: unknown } } = JSON.parse(await answer.text());
  return decoded.model;
};

describe.each([
  ['with JavaScript, by keyboard', true],
  ['without JavaScript', false],
])('the life of a correction %s', (_name, javaScriptEnabled) => {
  test('report, review, preview, accept, decode right', async () => {
    const model = javaScriptEnabled ? 'Accord Keyboard' : 'Accord Plain';
    await report(model);
    await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled });
    const { page } = visitor;
    await visitor.adopt(admin);
    if (javaScriptEnabled) {
      await visitor.goToPress('/admin');
      await page.keyboard.press('Alt+j');
      await page.keyboard.press('Enter');
    } else {
      await visitor.go('/admin');
      await page.locator('tbody a').first().click();
    }
    // The effect of the reported change is there at once.
    await page.getByRole('heading', { name: 'What would change' }).waitFor();
    expect(await page.locator('#impact ins').allInnerTexts()).toContain(model);
    // The VIN is a labeled one: accepting what contradicts its label is asked again.
    // Once a correction is accepted, another one takes nothing from the label.
    const contradiction = page.getByRole('checkbox', { name: 'Accept it anyway' });
    if ((await contradiction.count()) > 0) {
      await contradiction.focus();
      await page.keyboard.press('Space');
    }
    if (javaScriptEnabled) await page.keyboard.press('Alt+a');
    else await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('The correction is accepted.').waitFor();
    await page.getByRole('link', { name: 'Open the decode' }).first().click();
    await page.getByRole('heading', { name: `Honda ${model}` }).waitFor();
    expect(await answeredModel()).toBe(model);
    expect(visitor.complaints).toEqual([]);
  });
});

test('an edited correction shows its new effect by itself, and a pattern its fields and the VINs that it covers', async () => {
  await report('Accord Edited');
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.adopt(admin);
  await visitor.go('/admin');
  await page.locator('tbody a').first().click();
  await page.getByRole('textbox', { name: 'Value of Model' }).fill('Accord Typed');
  await page.keyboard.press('Tab');
  await page.locator('#impact ins', { hasText: 'Accord Typed' }).first().waitFor();
  expect(await page.getByLabel('Pattern from position 4').isVisible()).toBe(false);
  await page.getByRole('radio', { name: /VINs? among recent decodes/ }).check();
  expect(await page.getByLabel('Pattern from position 4').isVisible()).toBe(true);
  expect(visitor.complaints).toEqual([]);
  await page.locator('details', { hasText: 'Reject the report' }).locator('summary').click();
  await page.getByLabel('Reason (the reporter sees it)').fill('A try.');
  await page.getByRole('button', { name: 'Reject the report' }).click();
  await page.getByText('The report is rejected.').waitFor();
});

test('the state that reports are filtered by can be read whole, on a desktop and a phone', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.adopt(admin);
  await visitor.go('/admin');
  for (const width of [1440, 700, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const [shown, needed] = await page.getByLabel('State').evaluate((select) => {
      const { width } = select.getBoundingClientRect();
      select.style.cssText = 'width: max-content; min-width: 0';
      const whole = select.getBoundingClientRect().width;
      select.style.cssText = '';
      return [width, whole];
    });
    expect(shown).toBeGreaterThanOrEqual(needed ?? Infinity);
  }
});

test('several reports are ticked and decided by keyboard', async () => {
  await report('Accord One');
  await report('Accord Two');
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.adopt(admin);
  await visitor.goToPress('/admin');
  for (const key of ['j', 'x', 'j', 'x', 'k']) await page.keyboard.press(`Alt+${key}`);
  expect(await page.locator('input[name="report"]:checked').count()).toBe(2);
  expect(
    await page
      .locator('tbody a')
      .first()
      .evaluate((link) => link === document.activeElement),
  ).toBe(true);
  await page.getByRole('button', { name: 'Tick all' }).click();
  expect(await page.locator('input[name="report"]:checked').count()).toBe(0);
  await page.getByRole('button', { name: 'Tick all' }).click();
  await page.getByLabel('Reason (the reporters see it)').fill('The badge is an accessory.');
  await page.getByRole('button', { name: 'Reject the ticked reports' }).click();
  await page.getByText('2 reports are rejected.').waitFor();
  expect(visitor.complaints).toEqual([]);
});

test(
  'every page of administration can be read by everyone, on a phone and a desktop, light and dark',
  { timeout: 240_000 },
  async () => {
    await report('Accord Special');
    await using visitor = await Visitor.come(browser, origin);
    const { page } = visitor;
    const faults: string[] = [];
    await visitor.adopt(owner);
    await visitor.go('/portal/ada-motors/reports');
    faults.push(...(await lookAt(page, 'reports')));
    await visitor.adopt(admin);
    for (const [name, path] of [
      ['admin-queue', '/admin'],
      ['admin-queue-empty', '/admin?state=rejected'],
      ['admin-workspaces', '/admin/workspaces'],
      ['admin-workspace', '/admin/workspaces/ada-motors'],
      ['admin-system', '/admin/system'],
      ['admin-audit', '/admin/audit'],
    ] as const) {
      await visitor.go(path);
      faults.push(...(await lookAt(page, name)));
    }
    await visitor.go('/admin');
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'What would change' }).waitFor();
    await page.locator('details', { hasText: 'Model:' }).first().locator('summary').click();
    faults.push(...(await lookAt(page, 'admin-review')));
    await page.getByRole('link', { name: 'Open the decode' }).click();
    await page.waitForURL('**/reports/*/decode');
    faults.push(...(await lookAt(page, 'admin-decode')));
    expect(faults).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  },
);
