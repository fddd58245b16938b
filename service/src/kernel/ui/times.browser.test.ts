import { expect, test } from 'vitest';

import { Visitor } from '../../testing/browsing.ts';
import { openSite } from '../../testing/site.ts';

const { browser, service, origin } = await openSite();

/** Makes a key that expires at half past eleven at night in UTC, and was used a day and a half ago. */
async function makeKey(visitor: Visitor, slug: string): Promise<void> {
  await visitor.signUp(service, `${slug}@example.com`, slug);
  await visitor.page.getByLabel('Name of the key').fill('website');
  await visitor.page.getByRole('button', { name: 'Create the key' }).click();
  await visitor.page.locator('#new-key').waitFor();
  const times = { expires_at: Date.UTC(2126, 0, 2, 23, 30), last_used_at: Date.now() - 36 * 3_600_000 };
  await service.database.kysely.updateTable('api_keys').set(times).execute();
  await visitor.go(`/portal/${slug}/keys`);
}

test('a reader sees times in their own zone and language, with UTC as the title', async () => {
  await using visitor = await Visitor.come(browser, origin, { locale: 'de-DE', timezoneId: 'Asia/Tokyo' });
  await makeKey(visitor, 'tokyo-motors');
  const expires = visitor.page.locator('time[data-show=minute]');
  expect([await expires.innerText(), await expires.getAttribute('title')]).toEqual([
    '3. Jan. 2126, 08:30 GMT+9',
    '2126-01-02 23:30 UTC',
  ]);
  const used = visitor.page.locator('time[data-show=ago]');
  expect(await used.innerText()).toBe('vor 1 Tag');
  expect(await used.getAttribute('title')).toMatch(
    /^\d+\. \S+ \d{4}, \d\d:\d\d GMT\+9 \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/,
  );
  expect(visitor.complaints).toEqual([]);
});

test('without JavaScript times are in UTC, and say so', async () => {
  await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled: false, timezoneId: 'Asia/Tokyo' });
  await makeKey(visitor, 'plain-tokyo-motors');
  expect(await visitor.page.locator('time[data-show=minute]').innerText()).toBe('2126-01-02 23:30 UTC');
});

test("numbers have the format of the browser's language, with no script", async () => {
  await using visitor = await Visitor.come(browser, origin, { javaScriptEnabled: false, locale: 'de-DE' });
  await visitor.signUp(service, 'zahlen@example.com', 'zahlen-motors');
  await service.database.kysely.updateTable('workspaces').set({ plan: 'business' }).execute();
  await visitor.go('/portal/zahlen-motors');
  expect(await visitor.page.locator('.stats').innerText()).toContain('of 5.000 decodes');
});
