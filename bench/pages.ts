import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { type Browser, chromium } from 'playwright-core';

import { unpackChromium } from '../service/dist/testing/unpack-chromium.js';
import type { Ratio } from './ratio.ts';
import { median, startService } from './running.ts';

export const name = 'pages';
export const title =
  'First paint and main-thread time of public pages in Chromium, with an empty cache (taking turns, median of rounds)';

const ROUNDS = 15;
/** A page of the least that every browser needs to paint anything. */
const EMPTY_PAGE = '<!doctype html><title>Empty</title><p>Empty';

/** The times of a page in one round. */
interface Round {
  paintMs: number;
  /** Processor time of the browser's main thread until the page was loaded: comparable on a busy machine, too. */
  mainThreadMs: number;
}

interface MeasuredPage {
  label: string;
  url: string;
  rounds: Round[];
}

function pageAt(label: string, url: string): MeasuredPage {
  return { label, url, rounds: [] };
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
      for (const { url, rounds } of pages) rounds.push(await measure(browser, url));
    }
    for (const page of pages) {
      const [paint, thread] = [medianOf(page, 'paintMs'), medianOf(page, 'mainThreadMs')];
      // The least time is that of an idle machine.
      const least = Math.min(...page.rounds.map(({ paintMs }) => paintMs));
      print(
        `${page.label.padEnd(14)} first paint ${paint.toFixed(0)} ms (least ${least.toFixed(0)})   main thread ${thread.toFixed(0)} ms`,
      );
    }
    return ratiosOf(pages);
  } finally {
    await browser.close();
    empty.close();
    await service.close();
    unpacked.remove();
  }
}

function medianOf({ rounds }: MeasuredPage, figure: keyof Round): number {
  return median(rounds.map((round) => round[figure]));
}

/** Returns each page beside the first one, which is empty. */
function ratiosOf([empty, ...others]: readonly MeasuredPage[]): Ratio[] {
  if (empty === undefined) return [];
  return others.flatMap((page) => {
    const of = (figure: keyof Round): number => medianOf(page, figure) / medianOf(empty, figure);
    return [
      {
        what: `First paint of the ${page.label}`,
        beside: 'an empty page',
        ratio: of('paintMs'),
        users: {
          question: `How long does a browser take to paint the uncached ${page.label}?`,
          answer: `${medianOf(page, 'paintMs').toFixed(0)} ms; an empty page takes ${medianOf(empty, 'paintMs').toFixed(0)} ms`,
        },
      },
      {
        what: `Main thread's time to load the ${page.label}`,
        beside: 'an empty page',
        ratio: of('mainThreadMs'),
        aim: '≤ 4',
      },
    ];
  });
}

/** A new context has an empty cache and no connections. */
async function measure(browser: Browser, url: string): Promise<Round> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const paintMs = (await painted.jsonValue()) ?? 0;
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  await context.close();
  return { paintMs, mainThreadMs: seconds * 1000 };
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
