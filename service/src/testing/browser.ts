import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import chromium from '@sparticuz/chromium';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, chromium as playwright, type Page } from 'playwright-core';
import { inject } from 'vitest';

/** The folder of screenshots. Git ignores it. */
const SCREENSHOTS = fileURLToPath(new URL('../../screenshots/', import.meta.url));

/** Pictures take as long as the checks, and only a person looks at them. */
const TAKES_SCREENSHOTS = process.env['MARQUE_SCREENSHOTS'] !== undefined;

/**
 * Matches packaged arguments that suit AWS Lambda only, or would switch off rules that the pages must withstand. A
 * graphics card that the processor imitates takes ten times as long for a page as drawing it without one.
 */
const UNWANTED =
  /^--(?:single-process|no-zygote|disable-web-security|allow-running-insecure-content|headless|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)/;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Options of every run. */
const AXE_OPTIONS: RunOptions = {
  // Passed rules are most of a page, and would be described node by node.
  resultTypes: ['violations'],
  // Else axe fetches all style sheets again, which none of these rules reads.
  preload: { assets: ['media'] },
};
const AXE_RULES: RunOptions = {
  ...AXE_OPTIONS,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** Rules that depend on colors: the only ones that a page's other color scheme can break. */
const COLOR_RULES: RunOptions = {
  ...AXE_OPTIONS,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/**
 * The widths and color schemes in which pages are checked: each change is drawn anew. The narrowest phone only shows
 * overflow; wider screens than these are for `widths.browser.test.ts`.
 */
const VIEWS = [
  [320, []],
  [390, ['light', 'dark']],
  [1440, ['dark', 'light']],
] as const;

/** Starts a real browser from an npm package: nothing is downloaded, and it runs as root, too. */
export async function openBrowser(): Promise<Browser> {
  const answer = await fetch(inject('browserDesk'));
  const file = await answer.text();
  if (!answer.ok) throw new Error(file);
  const launch = (): Promise<Browser> =>
    playwright.launch({
      executablePath: file,
      args: [...chromium.args.filter((argument) => !UNWANTED.test(argument)), '--disable-gpu'],
      headless: true,
    });
  // On a busy machine Chromium has been seen to crash while it starts; a second crash is reported.
  return launch().catch(launch);
}

/** Returns axe's findings on a page; empty: none. */
async function accessibilityFaults(page: Page, rules: RunOptions): Promise<string[]> {
  // Evaluated by the browser's own tools, which the page's content security policy does not bind.
  if (!(await page.evaluate(() => Reflect.has(globalThis, 'axe')))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (rules) => {
    const axe: { run(rules: RunOptions): Promise<AxeResults> } = Reflect.get(globalThis, 'axe');
    return (await axe.run(rules)).violations;
  }, rules);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/**
 * Checks a page as four readers see it (phone and desktop, light and dark): faults against WCAG 2.2 AA, sideways
 * scrolling, and with MARQUE_SCREENSHOTS set a screenshot of each.
 *
 * @returns the faults, one line each.
 */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, colorSchemes] of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) faults.push(`${name}-${width}: ${overflow} px wider than the screen`);
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const view = `${name}-${width}-${colorScheme}`;
      const rules = colorScheme === 'light' ? AXE_RULES : COLOR_RULES;
      for (const fault of await accessibilityFaults(page, rules)) faults.push(`${view}: ${fault}`);
      if (!TAKES_SCREENSHOTS) continue;
      await page.evaluate(() => scrollTo(0, 0));
      // Playwright would hide the caret by a style that the page's content security policy stops.
      await page.screenshot({ path: `${SCREENSHOTS}${view}.png`, fullPage: true, caret: 'initial' });
    }
  }
  return faults;
}
