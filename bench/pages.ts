import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { type Browser, chromium } from 'playwright-core';

import { unpackChromium } from '../service/dist/testing/unpack-chromium.js';
import type { Ratio } from './ratio.ts';
import { median, startService } from './running.ts';

export const name = 'pages';
export const title = 'First paint of public pages in Chromium, with an empty cache (taking turns, median of rounds)';

const ROUNDS = 15;
/** What every browser needs to paint anything. */
const EMPTY_PAGE = '<!doctype html><title>Empty</title><p>Empty';

/** A page, and when it first painted in each round. */
interface MeasuredPage {
  label: string;
  url: string;
  paintsMs: number[];
}

function pageAt(label: string, url: string): MeasuredPage {
  return { label, url, paintsMs: [] };
}

/** Opens each page anew, again and again, and asks the browser when it first painted. */
export async function run(print: (line: string) => void): Promise<Ratio[]> {
  const unpacked = await unpackChromium();
  const service = await startService();
  const empty = await serveEmptyPage();
  const browser = await chromium.launch({ executablePath: unpacked.file, args: ['--no-sandbox'], headless: true });
  try {
    const { origin } = new URL(service.url);
    const pages = [
      pageAt('empty page', urlOf(empty)),
      pageAt('landing page', `${origin}/`),
      pageAt('API reference', `${origin}/docs/decode`),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      for (const { url, paintsMs } of pages) paintsMs.push(await firstPaintMs(browser, url));
    }
    for (const { label, paintsMs } of pages) print(`${label.padEnd(14)} first paint after ${median(paintsMs)} ms`);
    const [floor = 1, landing = 0, reference = 0] = pages.map(({ paintsMs }) => median(paintsMs));
    return [
      { what: 'First paint of the landing page', beside: 'an empty page', ratio: landing / floor, aim: '≤ 5' },
      { what: 'First paint of the API reference', beside: 'an empty page', ratio: reference / floor, aim: '≤ 5' },
    ];
  } finally {
    await browser.close();
    empty.close();
    await service.close();
    unpacked.remove();
  }
}

/** A new context has an empty cache and no connections. */
async function firstPaintMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const paintMs = (await painted.jsonValue()) ?? 0;
  await context.close();
  return Math.round(paintMs);
}

async function serveEmptyPage(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(EMPTY_PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return `http://127.0.0.1:${address.port}/`;
}
