import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect, inject, test } from 'vitest';

import { startService } from './real-service.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Gives the path of the browser that is unpacked once a run. */
    browserDesk: string;
  }
}

const ENTRY = fileURLToPath(new URL('../dist/index.js', import.meta.url));

/**
 * Without what suits AWS Lambda only, and without what would switch off the rules between origins. A graphics card
 * that the processor imitates takes ten times as long as drawing without one.
 */
const UNWANTED =
  /^--(?:single-process|no-zygote|disable-web|headless|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu)/;

test('a page of another origin decodes in a real browser, and reads refusals by type', async () => {
  await using service = await startService({ PUBLIC_MONTHLY_LIMIT: '1' });
  const bundle = await rolldown({ input: ENTRY, platform: 'browser' });
  const { output } = await bundle.generate({ minify: true });
  const code = output[0].code;
  expect(code).not.toMatch(/['"]node:/);
  expect(code.length).toBeLessThan(20_000);
  const script = `
    import { Marque } from './client.js';
    const marque = new Marque({ baseUrl: ${JSON.stringify(service.url)} });
    const { report } = await marque.decode('1HGCM82633A004352');
    const refusal = await marque.decode('1HGCM82633A004352').catch((error) => error);
    document.title = [report.manufacturer, report.model, refusal.name, refusal.limit].join(' ');`;
  const pages = createServer((request, response) => {
    const isCode = request.url === '/client.js';
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
    response.end(
      isCode ? code : `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`,
    );
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const address = pages.address();
  if (address === null || typeof address === 'string') throw new Error('The pages have no port.');
  try {
    await using browser = await playwright.launch({
      executablePath: await (await fetch(inject('browserDesk'))).text(),
      args: [...chromium.args.filter((argument) => !UNWANTED.test(argument)), '--disable-gpu'],
    });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${address.port}/`);
    await page.waitForFunction('document.title !== ""');
    expect(await page.title()).toBe('Honda Accord LimitReachedError 1');
  } finally {
    pages.closeAllConnections();
    pages.close();
  }
});
