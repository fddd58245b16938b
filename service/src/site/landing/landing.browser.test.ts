import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { lookAt } from '../../testing/browser.ts';
import { openSite } from '../../testing/site.ts';

const { browser, service, origin } = await openSite();

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
  test('decodes in place a VIN typed in lower case with spaces', async () => {
    const page = await open('/');
    await page.getByLabel('VIN', { exact: true }).fill(' 1hgcm 82633a-004352 ');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('One decode was charged.').waitFor();
    expect(await page.getByRole('heading', { name: '2003 Honda Accord' }).count()).toBe(1);
    await page.waitForURL('**/decoded/*');
    expect(new URL(page.url()).pathname).toMatch(/^\/decoded\/[0-9a-f-]{36}\.[\w-]{22}$/);
    await page.reload();
    expect(await page.getByRole('heading', { name: '2003 Honda Accord' }).count()).toBe(1);
    expect(await page.locator('.plate .stamped').allTextContents()).toEqual(['1HG', 'CM826', '3', '3', 'A', '004352']);
    await page.context().close();
  });

  test('shows the answer where the reader is, with the focus on its name, on a phone and a desktop', async () => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 720 },
    ]) {
      const page = await open('/', { viewport });
      await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A004352');
      await page.getByRole('button', { name: 'Decode' }).click();
      await page.getByText('Answered in').waitFor();
      // The answer can be seen before it has the focus.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('2003 Honda Accord');
      const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(viewport.height / 2);
      await page.context().close();
    }
  });

  test('states the length of a VIN under the box, and goes back to it', async () => {
    const page = await open('/', { viewport: { width: 390, height: 844 } });
    const box = page.getByLabel('VIN', { exact: true });
    await box.fill('hello');
    await page.getByRole('button', { name: 'Decode' }).click();
    const fault = page.getByRole('alert');
    await fault.getByText('A VIN has 17 characters; you entered 5.').waitFor();
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
    const [above, below] = await Promise.all([box.boundingBox(), fault.boundingBox()]);
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(200);
    expect(await page.locator('#answer').innerText()).toBe('');
    await box.press('Backspace');
    expect(await fault.innerText()).toBe('');
    await page.context().close();
  });

  test('is a plate: typed characters fill its slots, with the maker and the year as soon as they are known', async () => {
    const page = await open('/');
    const box = page.getByLabel('VIN', { exact: true });
    const reading = page.locator('#vin-reading');
    await box.pressSequentially('wvw');
    await reading.getByText('Volkswagen, Europe').waitFor();
    expect((await page.locator('.slots b').allTextContents()).join('')).toBe('WVW');
    await box.pressSequentially('ZZZ1KZ6');
    await reading.getByText('Model year 2006').waitFor();
    expect(await reading.innerText()).toContain('7 to go');
    await page.context().close();
  });

  test('marks a character that cannot be right, and puts the likely one there', async () => {
    const page = await open('/');
    const box = page.getByLabel('VIN', { exact: true });
    await box.fill('1HGCM82633AO04352');
    expect(await page.locator('.slots .wrong').allTextContents()).toEqual(['O']);
    // In its own place, as large as the others.
    const drawn = await page
      .locator('.slots b')
      .evaluateAll((slots) => slots.map((slot) => slot.getBoundingClientRect().x));
    expect(drawn).toEqual(drawn.toSorted((one, other) => one - other));
    const sizes = await page
      .locator('.slots b')
      .evaluateAll((slots) => slots.map((slot) => getComputedStyle(slot).fontSize));
    expect(new Set(sizes).size).toBe(1);
    await page.getByRole('button', { name: 'Use 0' }).click();
    expect(await box.inputValue()).toBe('1HGCM82633A004352');
    expect(await page.locator('.slots .wrong').count()).toBe(0);
    await page.locator('#vin-reading').getByText('Check digit matches').waitFor();
    await box.fill('1HGCM82643A004352');
    await page.getByRole('button', { name: '1HGCM82633A004352' }).click();
    expect(await box.inputValue()).toBe('1HGCM82633A004352');
    await page.context().close();
  });

  test('drops separators at the caret, and shows plainly characters beyond the 17 slots', async () => {
    const page = await open('/');
    const box = page.getByLabel('VIN', { exact: true });
    await box.fill('1HG CM826-33A.004352');
    expect(await box.inputValue()).toBe('1HGCM82633A004352');
    await box.fill('1HGCM82633A0043521');
    expect(await page.locator('.is-plate').count()).toBe(0);
    await page.context().close();
  });

  test('works without JavaScript', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A004352');
    await page.getByRole('button', { name: 'Decode' }).click();
    expect(await page.getByText('One decode was charged.').innerText()).not.toBe('');
    await page.context().close();
  });

  test('names the fault of a mistyped VIN beside the box', async () => {
    const page = await open('/');
    await page.getByLabel('VIN', { exact: true }).fill('1HGCM82633A00435O');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Did you mean the digit 0?');
    await page.context().close();
  });

  test('shows nothing of a page that an intermediary sends, nor an old answer when the connection is lost', async () => {
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
    expect(await page.locator('#vin-fault').innerText()).toBe('');
    await context.close();
  });

  test('shows how long it has been waiting, and accepts no second click meanwhile', async () => {
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
    // The browser reports its request with a delay.
    await expect.poll(() => sent).toBe(1);
    await page.getByRole('button', { name: 'Decode' }).click({ force: true });
    answered.resolve();
    await page.getByText('One decode was charged.').waitFor();
    expect(sent).toBe(1);
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

  test('lights the positions that determine a field when asked why', async () => {
    const page = await open('/?example=american', { javaScriptEnabled: false });
    const lit = () =>
      page
        .locator('.plate b')
        .evaluateAll((slots) =>
          slots.flatMap((slot, index) =>
            getComputedStyle(slot).backgroundColor === 'rgba(0, 0, 0, 0)' ? [] : index + 1,
          ),
        );
    expect(await lit()).toEqual([]);
    await page.locator('summary', { hasText: 'Why? Model year' }).click();
    await page.getByText('Positions 7 and 10 of the VIN.').waitFor();
    await page.mouse.move(0, 0);
    expect(await lit()).toEqual([7, 10]);
    await page.context().close();
  });

  test('hides what cannot work without JavaScript', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    expect(await page.getByRole('button', { name: /Copy|camera|photo/ }).count()).toBe(0);
    await page.context().close();
  });

  test('brings out the line of a part that the Tab key reaches', async () => {
    const page = await open('/');
    const part = page.locator('.part.wmi').first();
    await part.focus();
    const described = await part.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).innerText()).toContain('Volkswagen, Europe.');
    await page.context().close();
  });
});

test.each([['landing', '/']])(
  '%s can be read by everyone, on a phone and a desktop, light and dark',
  async (name, path) => {
    const page = await open(path);
    expect(await lookAt(page, name)).toEqual([]);
    await page.context().close();
  },
);

const paper = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

describe('the theme', () => {
  const LIGHT = 'rgb(251, 250, 247)';
  const DARK = 'rgb(20, 22, 26)';

  test.each([true, false])(
    'is that of the device until one is chosen, and then everywhere; scripts: %s',
    async (js) => {
      const page = await open('/docs', { colorScheme: 'light', javaScriptEnabled: js });
      expect(await paper(page)).toBe(LIGHT);
      const chosen = page.waitForResponse('**/theme');
      await page.getByRole('button', { name: 'Dark' }).click();
      await chosen;
      await expect.poll(() => paper(page)).toBe(DARK);
      for (const path of ['/', '/status', '/sign-in', '/docs']) {
        await page.goto(`${origin}${path}`);
        expect({ path, paper: await paper(page) }).toEqual({ path, paper: DARK });
        expect(await page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed')).toBe('true');
      }
      await page.emulateMedia({ media: 'print', colorScheme: 'light' });
      expect(await paper(page)).toBe(LIGHT);
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
      const forgotten = page.waitForResponse('**/theme');
      await page.getByRole('button', { name: 'System' }).click();
      await forgotten;
      await expect.poll(() => paper(page)).toBe(LIGHT);
      await page.goto(`${origin}/`);
      expect(await paper(page)).toBe(LIGHT);
      await page.context().close();
    },
  );
});

test.each(['status', 'changelog'])(
  '%s can be read by everyone, on a phone and a desktop, light and dark',
  async (name) => {
    const page = await open(`/${name}`);
    expect(await lookAt(page, name)).toEqual([]);
    await page.context().close();
  },
);
