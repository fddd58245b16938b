import { describe, expect, test } from 'vitest';

import { findWorkspace, setPlan } from '../index.ts';
import { monthOf } from '../../kernel/db/month.ts';
import { PASSWORD } from '../../people/testing/people.ts';
import { lookAt } from '../../testing/browser.ts';
import { Visitor } from '../../testing/browsing.ts';
import { lastLink } from '../../testing/reader.ts';
import { openSite } from '../../testing/site.ts';
import { systemClock } from '../../kernel/clock.ts';

const VIN = '1HGCM82633A004352';

const { browser, service, origin } = await openSite();

const decode = (key: string) =>
  fetch(`${origin}/api/decode`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ vin: VIN }),
  });

/** A month as a busy workspace has it. */
async function fillMonth(slug: string): Promise<void> {
  const workspace = await findWorkspace(service.database, slug);
  const now = Date.now();
  const { startMs } = monthOf(now);
  const days = Math.floor((now - startMs) / 86_400_000);
  const subject = `workspace:${workspace?.id}`;
  const rows = Array.from({ length: days }, (_, day) => ({
    subject,
    window_start: startMs,
    day_start: startMs + day * 86_400_000,
    key_id: '',
    charged: 2 + ((day * 7) % 5),
  }));
  if (rows.length === 0) return;
  await service.database.kysely.insertInto('usage_ledger').values(rows).execute();
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('the life of a subscriber %s', (_name, javaScriptEnabled) => {
  test('sign up, key shown once, decode, usage moves, rotate, revoke, refused', async () => {
    await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled });
    const { page } = visitor;
    const slug = javaScriptEnabled ? 'ada-motors' : 'plain-motors';
    await visitor.go('/sign-up');
    await page.getByLabel('E-mail address').fill(`${slug}@example.com`);
    await page.getByLabel('Workspace').fill(slug);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Get the link from the log' }).waitFor();
    await visitor.go(lastLink(service.logged(), '/sign-up'));
    await page.getByLabel('Your name').fill('Ada Example');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.waitForURL(`**/portal/${slug}/start`);
    await page.getByRole('link', { name: 'Keys', exact: true }).click();

    await page.getByLabel('Name of the key').fill('website');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = await page.locator('#new-key').innerText();
    expect(key).toMatch(/^mq_live_\w{38}$/);
    expect((await decode(key)).status).toBe(200);

    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('99').first().waitFor();
    expect(await page.locator('.chart .bar').count()).toBe(1);
    const today = page.locator('.chart .place').last();
    const label = today.locator('.label');
    expect(await label.isVisible()).toBe(false);
    await today.locator('.whole-place').hover();
    expect(await label.isVisible()).toBe(true);

    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.waitForURL(`**/portal/${slug}/keys`);
    expect(await page.content()).not.toContain(key);
    await visitor.confirm('Rotate website');
    const next = await page.locator('#new-key').innerText();
    expect((await decode(next)).status).toBe(200);

    await visitor.confirm('Revoke website');
    await page.getByText('is revoked').waitFor();
    expect((await decode(next)).status).toBe(401);
    expect(visitor.complaints).toEqual([]);
  });
});

test('a file of 1,000 rows is sent, shows its progress, and comes back decoded', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.signUp(service, 'file@example.com', 'file-motors');
  await setPlan({ database: service.database, clock: systemClock }, 'file-motors', { plan: 'business' }, 'cli:test');
  await visitor.go('/portal/file-motors/files');
  const before = await service.charged();
  const rows = Array.from({ length: 1_000 }, (_, index) => `${index},1HGCM82633A${100_000 + index}`);
  const buffer = Buffer.from(['No,VIN', ...rows].join('\n'));
  await page
    .getByLabel('CSV, .xlsx, or Parquet file')
    .setInputFiles({ name: 'cars.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('1,000 rows, 0 without a valid VIN, up to 1,000 decodes').waitFor();
  expect(await service.charged()).toBe(before);
  await page.getByRole('button', { name: 'Decode the file' }).click();
  await page.getByText('Done: 1,000 rows').waitFor();
  await page.getByRole('heading', { name: 'First results' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('cars-decoded.csv');
  expect(await service.charged()).toBe(before + 1_000);
  expect(visitor.complaints).toEqual([]);
});

test.each([
  ['by keyboard, with the focus where it was', true],
  ['without JavaScript', false],
])('what a VIN leaves open is narrowed down %s', async (_name, javaScriptEnabled) => {
  await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled });
  const { page } = visitor;
  const slug = javaScriptEnabled ? 'narrow-motors' : 'plain-narrow-motors';
  await visitor.signUp(service, `${slug}@example.com`, slug);
  await setPlan({ database: service.database, clock: systemClock }, slug, { plan: 'business' }, 'cli:test');
  await visitor.go(`/portal/${slug}/try?vin=WVWZZZ1KZCW000001`);
  await page.getByRole('button', { name: 'Decode' }).click();
  if (javaScriptEnabled) await page.getByRole('link', { name: 'Page of this decode' }).click();
  await page.waitForURL('**/decodes/*');
  // Open by itself: key facts are missing.
  await page.locator('summary', { hasText: 'I do not know the engine' }).click();
  const diesel = page.getByRole('radio', { name: 'Diesel', exact: true });
  await diesel.focus();
  await page.keyboard.press('Space');
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Narrow it down' }).click();
  await page.waitForURL('**fuelType=Diesel**');
  await page.locator('.settled', { hasText: 'Fuel' }).getByText('Diesel').waitFor();
  expect(await diesel.isChecked()).toBe(true);
  const hasFocus = javaScriptEnabled ? await diesel.evaluate((element) => element === document.activeElement) : true;
  const faults = javaScriptEnabled ? await lookAt(page, 'decode-narrowed') : [];
  expect([hasFocus, faults]).toEqual([true, []]);
  const engine = page.getByRole('radio', { name: 'Diesel 1,598\u00a0cm³, 77\u00a0kW' });
  await engine.check();
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Narrow it down' }).click();
  await page.locator('.settled', { hasText: 'Power' }).getByText('77').waitFor();
  expect(await engine.isChecked()).toBe(true);
  expect(visitor.complaints).toEqual([]);
});

test(
  'every page about an account can be read by everyone, on a phone and a desktop, light and dark',
  { timeout: 240_000 },
  async () => {
    await using visitor = await Visitor.come(browser, origin);
    const { page } = visitor;
    const faults: string[] = [];
    for (const [name, path] of [
      ['sign-up', '/sign-up'],
      ['sign-in', '/sign-in'],
      ['forgot', '/forgot'],
      ['reset', '/reset/token'],
      ['not-found', '/invitations/nothing'],
    ] as const) {
      await visitor.go(path);
      faults.push(...(await lookAt(page, name)));
    }
    await visitor.signUp(service, 'account@example.com', 'account-motors');
    await visitor.go('/portal/workspaces');
    faults.push(...(await lookAt(page, 'workspaces')));
    await visitor.go('/account');
    faults.push(...(await lookAt(page, 'account')));
    await visitor.go('/account/second-factor');
    faults.push(...(await lookAt(page, 'second-factor')));
    await page.getByLabel('Your password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set it up' }).click();
    await page.getByRole('heading', { name: 'Your authenticator app' }).waitFor();
    faults.push(...(await lookAt(page, 'second-factor-set-up')));
    expect(faults).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  },
);

test(
  'every page of the portal can be read by everyone, on a phone and a desktop, light and dark',
  { timeout: 240_000 },
  async () => {
    await using visitor = await Visitor.come(browser, origin);
    const { page } = visitor;
    const faults: string[] = [];
    await visitor.signUp(service, 'look@example.com', 'look-motors');
    faults.push(...(await lookAt(page, 'keys-empty')));
    await visitor.go('/portal/look-motors');
    faults.push(...(await lookAt(page, 'usage-empty')));
    await visitor.go('/portal/look-motors/keys');
    await page.getByLabel('Name of the key').fill('nightly import');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.locator('#new-key').waitFor();
    faults.push(...(await lookAt(page, 'key-new')));
    await fillMonth('look-motors');
    for (const [name, path] of [
      ['usage', ''],
      ['keys', '/keys'],
      ['try', '/try'],
      ['files', '/files'],
      ['requests', '/requests'],
      ['decodes', '/decodes'],
      ['members', '/members'],
      ['plan', '/plan'],
    ] as const) {
      await visitor.go(`/portal/look-motors${path}`);
      if (name === 'try') {
        await page.getByLabel('VIN', { exact: true }).fill('wvwzzz1kz6w000001');
        await page.getByRole('button', { name: 'Decode' }).click();
        await page.getByText('One decode was charged.').waitFor();
      }
      if (name === 'keys') await page.getByRole('button', { name: /^Revoke/ }).click();
      faults.push(...(await lookAt(page, name)));
    }
    await visitor.go('/portal/look-motors/files');
    await page.locator('summary', { hasText: 'Paste VINs' }).click();
    await page.getByLabel('One VIN per line').fill([...Array.from({ length: 120 }, () => VIN), 'no vin'].join('\n'));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('121 rows, 1 without a valid VIN').waitFor();
    faults.push(...(await lookAt(page, 'file-preview')));
    await page.getByRole('button', { name: 'Decode the file' }).click();
    await page.getByText('Stopped before row').waitFor();
    faults.push(...(await lookAt(page, 'file-stopped')));
    await visitor.go('/portal/look-motors/files');
    faults.push(...(await lookAt(page, 'files-list')));
    expect(faults).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  },
);
