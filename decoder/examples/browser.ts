import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Gives the path of the browser that is unpacked once a run. */
    browserDesk: string;
  }
}

/**
 * Matches packaged arguments that suit AWS Lambda only, or would switch off rules that the page must withstand. A
 * graphics card that the processor imitates takes ten times as long as drawing without one.
 */
const UNWANTED =
  /^--(?:single-process|no-zygote|disable-web|headless|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu)/;

/** A real browser. */
export async function launched(): Promise<Browser> {
  return playwright.launch({
    executablePath: await (await fetch(inject('browserDesk'))).text(),
    args: [...chromium.args.filter((argument) => !UNWANTED.test(argument)), '--disable-gpu'],
  });
}
