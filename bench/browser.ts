import { fileURLToPath } from 'node:url';

import { type Browser, chromium } from 'playwright-core';

import { serveFolder } from '../decoder/examples/dist/serve-folder.js';
import { unpackChromium } from '../service/dist/testing/unpack-chromium.js';
import type { Ratio } from './ratio.ts';
import { median } from './running.ts';

export const name = 'browser';
export const title = 'The first decode in Chromium, the compressed catalog downloaded (median of rounds)';

const ROUNDS = 9;
const DECODER = fileURLToPath(new URL('../decoder/', import.meta.url));

/** Runs in the page. Gives milliseconds: to expand the catalog alone, and to expand and open it and decode a VIN. */
const IN_PAGE = `(async () => {
  const { fetchCatalog } = await import('/dist/index.js');
  const bytes = await (await fetch('/catalog/marque.catalog.gz')).arrayBuffer();
  const timed = async (work) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const decodeMs = await timed(async () => {
    const decoder = await fetchCatalog('', { fetch: async () => new Response(bytes) });
    if (decoder.decode('1HGCM82633A004352').model !== 'Accord') throw new Error('The decode is wrong.');
  });
  const expanded = () => new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const expandMs = await timed(() => new Response(expanded()).arrayBuffer());
  return { decodeMs, expandMs };
})()`;

interface Round {
  decodeMs: number;
  expandMs: number;
}

/** Opens a page with an empty cache in each round. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const unpacked = await unpackChromium();
  const browser = await chromium.launch({ executablePath: unpacked.file, args: ['--no-sandbox'], headless: true });
  try {
    await using server = await serveFolder(DECODER);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(browser, server.origin));
    const times = rounds.map(({ decodeMs }) => decodeMs);
    print(
      `first decode             ${median(times).toFixed(0)} ms, least ${Math.min(...times).toFixed(0)} ms (aim 150 ms)`,
    );
    const ratio = median(rounds.map(({ decodeMs, expandMs }) => decodeMs / expandMs));
    return [{ what: 'Time to the first decode in Chromium', beside: 'expanding the catalog', ratio }];
  } finally {
    await browser.close();
    unpacked.remove();
  }
}

async function measure(browser: Browser, origin: string): Promise<Round> {
  const context = await browser.newContext();
  const page = await context.newPage();
  // Any page of the same origin serves.
  await page.goto(`${origin}/dist/index.js`);
  const round: Round = await page.evaluate(IN_PAGE);
  await context.close();
  return round;
}
