import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';

import { openBrowser } from './browser.ts';
import { type TestService, testService } from './service.ts';

/** A service that listens, and a browser to look at it with. */
export interface Site {
  browser: Browser;
  service: TestService;
  /** The address of the service: `http://127.0.0.1:1234`. */
  origin: string;
}

/** Opens them for a test file, to be awaited at its top, and closes them after its tests. */
export async function openSite(env: NodeJS.ProcessEnv = {}): Promise<Site> {
  const [browser, service] = await Promise.all([openBrowser(), testService(env)]);
  afterAll(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });
  return { browser, service, origin: await service.app.listen({ host: '127.0.0.1', port: 0 }) };
}
