import { describe, expect, test } from 'vitest';

import { lookAt } from '../../testing/browser.ts';
import { Visitor } from '../../testing/browsing.ts';
import { openSite } from '../../testing/site.ts';

const VIN = '1HGCM82633A004352';

const { browser, service, origin } = await openSite();

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('the first steps of a workspace %s', (_name, javaScriptEnabled) => {
  test('tick themselves: the key, the call whose answer arrives, and a webhook; then they are gone', async () => {
    await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled });
    const { page } = visitor;
    const slug = javaScriptEnabled ? 'first-motors' : 'plain-motors';
    await visitor.signUp(service, `${slug}@example.com`, slug);
    await page.getByRole('link', { name: 'First steps' }).click();
    const done = page.locator('.steps .tag.good');
    expect(await done.count()).toBe(0);
    expect(javaScriptEnabled ? await lookAt(page, 'first-steps') : []).toEqual([]);
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = await page.locator('#new-key').innerText();
    expect(await page.locator('#first-command').innerText()).toContain(key);
    expect(await done.count()).toBe(1);

    // A key that is refused, and a decode in the portal, are not a first call.
    const call = (headers: Record<string, string>) =>
      fetch(`${origin}/api/decode`, { method: 'POST', headers, body: JSON.stringify({ vin: VIN }) });
    expect((await call({ 'x-api-key': `${key}x` })).status).toBe(401);
    expect((await call({ 'x-api-key': key })).status).toBe(200);
    if (!javaScriptEnabled) await page.reload();
    await page.getByText('Your call arrived').waitFor();
    expect(await page.locator('#first-call').innerText()).toContain('"manufacturer": "Honda"');
    expect(await done.count()).toBe(2);
    // The key is shown once: the answer arrived without loading the page again.
    expect(await page.locator('#new-key').count()).toBe(javaScriptEnabled ? 1 : 0);
    expect(javaScriptEnabled ? await lookAt(page, 'first-steps-answered') : []).toEqual([]);

    await page.getByRole('link', { name: 'Add a webhook' }).click();
    await page.getByLabel('URL').fill('https://example.com/hook');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('link', { name: 'First steps' }).click();
    await page.getByText('All steps are done').waitFor();
    await visitor.go(`/portal/${slug}`);
    expect(await page.getByRole('link', { name: 'First steps' }).count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });
});

test('the first steps are dismissed, and a member who comes later does not see them either', async () => {
  await using visitor = await Visitor.come(browser, origin);
  const { page } = visitor;
  await visitor.signUp(service, 'dismiss@example.com', 'dismiss-motors');
  await page.getByRole('link', { name: 'First steps' }).click();
  await page.getByRole('button', { name: 'Do not show these steps again' }).click();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  expect(await page.getByRole('link', { name: 'First steps' }).count()).toBe(0);
});
