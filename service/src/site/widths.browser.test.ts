import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { Visitor } from '../testing/browsing.ts';
import { administrator, signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { openSite } from '../testing/site.ts';

const VIN = '1HGCM82633A004352';
/** 683 is a laptop's 1366 at 200 %. */
const WIDTHS = [320, 390, 683, 768, 1024, 1280, 1440, 2560];

/** Long and without a place to break: the worst of real data. */
const WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft';
const SLUG = 'the-longest-name-that-a-workspace-x';

const { browser, service, origin } = await openSite({ WEBHOOK_ALLOW_PRIVATE: 'yes' });
let admin: Reader;
let owner: Reader;

beforeAll(async () => {
  admin = await administrator(service, 'root@example.com');
  owner = await signUp(service, `${WORD.slice(0, 60)}@${WORD.slice(0, 60).toLowerCase()}.example.com`, SLUG);
  await fill();
});

/** Puts long data wherever a subscriber can put any. */
async function fill(): Promise<void> {
  const path = `/portal/${SLUG}`;
  await owner.post(`${path}/keys`, { name: WORD.slice(0, 80) });
  await owner.post(`${path}/members`, { email: `${WORD.slice(0, 60)}@example.com`, role: 'member' });
  await owner.post(`${path}/webhooks`, { url: `https://example.com/${WORD}/${WORD}`, event: 'report.decided' });
  await owner.post(`${path}/try`, { vin: VIN });
  await owner.post(`${path}/reports`, {
    vin: VIN,
    expectedManufacturer: WORD,
    expectedModel: WORD,
    expectedBodyStyle: WORD,
    expectedModelYear: '2003',
    note: WORD.repeat(20),
  });
}

/** Addresses of a page that begin with a path. */
async function linksOf(reader: Reader, page: string, prefix: string): Promise<string[]> {
  const { body } = await reader.get(page);
  return [...body.matchAll(/href="([^"#?]+)"/g)]
    .map(([, href = '']) => href)
    .filter((href) => href.startsWith(prefix) && !href.endsWith('.csv'));
}

/** Lists elements of a page that are wider than the screen, and by how much. */
async function overflows(visitor: Visitor, path: string): Promise<string[]> {
  const page = await visitor.go(path);
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const { px, widest, overlapping } = await page.evaluate(() => ({
      px: document.documentElement.scrollWidth - innerWidth,
      widest: (document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll('main *')] : [])
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .map((element) => `${element.tagName}.${element.className}`)
        .slice(0, 3)
        .join(' '),
      // Figures stand side by side: one that is wider than its place covers its neighbor.
      overlapping: [...document.querySelectorAll('.stats > div')]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.textContent),
    }));
    if (px > 0) found.push(`${path} at ${width}: ${px} px too wide, ${widest}`);
    for (const figure of overlapping) found.push(`${path} at ${width}: ${figure} covers its neighbor`);
  }
  return found;
}

test('no page scrolls sideways at any width, however long its data', { timeout: 240_000 }, async () => {
  await using visitor = await Visitor.come(browser, origin);
  const faults: string[] = [];
  for (const path of [
    '/',
    '/docs',
    '/docs/decode',
    '/docs/vpic',
    '/docs/schemas',
    '/docs/search?q=the',
    '/status',
    '/changelog',
    '/privacy',
    '/terms',
    '/sign-up',
  ]) {
    faults.push(...(await overflows(visitor, path)));
  }
  await visitor.adopt(owner);
  const portal = `/portal/${SLUG}`;
  const tabs = await linksOf(owner, portal, portal);
  const webhook = (await linksOf(owner, `${portal}/webhooks`, `${portal}/webhooks/`)).slice(0, 1);
  const decode = (await linksOf(owner, `${portal}/decodes`, `${portal}/decodes/`)).slice(0, 1);
  const own = new Set([...tabs, ...webhook, ...decode, '/portal/workspaces', '/account']);
  expect([webhook.length, decode.length]).toEqual([1, 1]);
  expect(own.size).toBeGreaterThan(11);
  for (const path of own) faults.push(...(await overflows(visitor, path)));
  await visitor.adopt(admin);
  const report = (await linksOf(admin, '/admin', '/admin/reports/')).slice(0, 1);
  const administered = new Set([...(await linksOf(admin, '/admin', '/admin')), ...report]);
  expect(report).toHaveLength(1);
  expect(administered.size).toBeGreaterThan(4);
  for (const path of [...administered, `/admin/workspaces/${SLUG}`]) faults.push(...(await overflows(visitor, path)));
  expect(faults).toEqual([]);
});

/** Lists paragraphs of a page whose lines are longer than people read with ease. */
async function longLines(visitor: Visitor, path: string): Promise<string[]> {
  const page = await visitor.go(path);
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(p, li)')]
      .filter((element) => element.closest('table, pre') === null && element.querySelector('p, pre') === null)
      .filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size;
        return lines > 0 && element.innerText.length > 72 * lines;
      })
      .map((element) => element.innerText),
  );
}

test('lines of text are at most 72 characters long', async () => {
  await using visitor = await Visitor.come(browser, origin, { viewport: { width: 1600, height: 900 } });
  const found: string[] = [];
  for (const path of ['/', '/docs/vpic', '/status', '/changelog', '/privacy', '/terms'])
    found.push(...(await longLines(visitor, path)));
  expect(found).toEqual([]);
});

test('filters fold on a phone, say how many are in use, and stand open on a wide screen', async () => {
  await using visitor = await Visitor.come(browser, origin, { viewport: { width: 390, height: 900 } });
  await visitor.adopt(owner);
  const page = await visitor.go(`/portal/${SLUG}/decodes?make=Honda`);
  const field = page.getByLabel('Make');
  expect(await field.isVisible()).toBe(false);
  await page.getByText('Filter: 1 in use').click();
  expect(await field.inputValue()).toBe('Honda');
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.reload();
  expect([await field.isVisible(), await page.getByText('Filter: 1 in use').isVisible()]).toEqual([true, false]);
});

/** Returns true if the search field names the key that leads to it. */
async function hintsAtKey(options: BrowserContextOptions): Promise<boolean> {
  await using visitor = await Visitor.come(browser, origin, options);
  const page = await visitor.go('/docs');
  return await page.locator('.search kbd').first().isVisible();
}

test('a device without a mouse shows no hint for keys', async () => {
  expect(await hintsAtKey({})).toBe(true);
  expect(await hintsAtKey({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 900 } })).toBe(false);
});
