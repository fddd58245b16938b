import { describe, expect, test } from 'vitest';

import { findWorkspace } from '../../workspaces/index.ts';
import { lookAt } from '../../testing/browser.ts';
import { Visitor } from '../../testing/browsing.ts';
import { startReceiver, verified } from '../testing/receiver.ts';
import { openSite } from '../../testing/site.ts';
import { emitEvent } from '../testing/webhooks.ts';

const { browser, service, origin } = await openSite({ WEBHOOK_ALLOW_PRIVATE: 'yes' });

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('the life of a webhook %s', (_name, javaScriptEnabled) => {
  test('created, secret shown once, tested, rotated, disabled, enabled, removed', async () => {
    await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled });
    await using receiver = await startReceiver();
    const { page } = visitor;
    const slug = javaScriptEnabled ? 'ada-hooks' : 'plain-hooks';
    await visitor.signUp(service, `${slug}@example.com`, slug);
    await page.getByRole('link', { name: 'Webhooks' }).click();

    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('report.decided').uncheck();
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    const secret = await page.locator('#new-secret').innerText();
    expect(secret).toMatch(/^whsec_/);

    await page.getByRole('link', { name: receiver.url }).click();
    expect(await page.content()).not.toContain(secret);
    expect(await page.getByLabel('report.decided').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    // Without JavaScript, the page loads itself again.
    await page.locator('.tag', { hasText: 'delivered' }).waitFor();
    await page.getByText('HTTP 204').waitFor();
    const [got] = receiver.got;
    expect(got === undefined ? undefined : verified(secret, got)).toMatchObject({ type: 'webhook.test' });

    await visitor.confirm('Rotate the secret');
    expect(await page.locator('#new-secret').innerText()).not.toBe(secret);
    await visitor.confirm('Disable the webhook');
    await page.getByText('Someone in this workspace disabled it.').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await visitor.confirm('Remove the webhook');
    await page.getByText('No webhooks yet.').waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

test('the pages can be read by everyone, on a phone and a desktop, light and dark', { timeout: 240_000 }, async () => {
  await using visitor = await Visitor.come(browser, origin);
  await using receiver = await startReceiver();
  const { page } = visitor;
  await visitor.signUp(service, 'look@example.com', 'look-hooks');
  const faults: string[] = [];
  await visitor.go('/portal/look-hooks/webhooks');
  faults.push(...(await lookAt(page, 'webhooks-empty')));
  await page.getByLabel('URL').fill('ftp://example.com/hook');
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await page.getByText('The URL must begin with https://').waitFor();
  faults.push(...(await lookAt(page, 'webhook-fault')));
  await page
    .getByLabel('URL')
    .fill(`${receiver.url}/a-path-that-is/rather-long/since-some-of-them-carry-a-token/0123456789`);
  await page.getByRole('button', { name: 'Create the webhook' }).click();
  await page.locator('#new-secret').waitFor();
  faults.push(...(await lookAt(page, 'webhook-new')));

  const workspace = await findWorkspace(service.database, 'look-hooks');
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.locator('.tag', { hasText: 'delivered' }).waitFor();
  receiver.treat((response) => void response.writeHead(500).end());
  await emitEvent(service.database, workspace?.id ?? '', 1);
  await page.reload();
  await page.getByText('HTTP 500').waitFor();
  await page
    .getByRole('button', { name: /^Show the event/ })
    .first()
    .click();
  faults.push(...(await lookAt(page, 'webhook-sent')));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove the webhook' }).click();
  faults.push(...(await lookAt(page, 'webhook-failing')));
  await page.keyboard.press('Escape');
  await visitor.confirm('Disable the webhook');
  await page.getByText('Someone in this workspace disabled it.').waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: /^Send again/ }).waitFor();
  faults.push(...(await lookAt(page, 'webhook-given-up')));
  await visitor.go('/portal/look-hooks/webhooks');
  faults.push(...(await lookAt(page, 'webhooks')));
  expect(faults).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});
