import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFailed } from 'vitest';

import { signUp } from '../people/testing/people.ts';
import type { Reader } from './reader.ts';
import type { TestService } from './service.ts';

/** A bound on what hangs, for a machine several times as slow. */
const DEFAULT_TIMEOUT_MS = 100_000;

/** Opens pages of a service in a real browser, and fails a test whose page makes the browser complain. */
export class Visitor {
  readonly page: Page;
  readonly origin: string;
  /** The browser's complaints: script errors, and resources that the content security policy stopped. */
  readonly complaints: string[] = [];
  /** Requests that were not answered, or with an error: shown if the test fails. */
  readonly #unanswered: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
    page.on('console', (message) => {
      // An answer such as 422 is not a fault of the page.
      const isAnswer = message.text().startsWith('Failed to load resource: the server responded');
      if (message.type() === 'error' && !isAnswer) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('requestfailed', (request) => this.#unanswered.push(`${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      if (response.status() >= 400) this.#unanswered.push(`${response.url()} ${response.status()}`);
    });
    onTestFailed(() => {
      process.stderr.write([page.url(), ...this.#unanswered, ...this.complaints].join('\n'));
    });
  }

  static async come(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(DEFAULT_TIMEOUT_MS);
    return new Visitor(await context.newPage(), origin);
  }

  async go(path: string): Promise<Page> {
    await this.page.goto(this.origin + path);
    return this.page;
  }

  /** Goes to a page whose keys are pressed next: Chromium drops those that come before its first paint. */
  async goToPress(path: string): Promise<Page> {
    await this.go(path);
    await this.page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    return this.page;
  }

  /** Goes on as someone who signed in without a browser. */
  async adopt(reader: Reader): Promise<void> {
    const cookies = reader.cookie.split('; ').map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return { name, value, url: this.origin };
    });
    await this.page.context().addCookies(cookies);
  }

  /** Opens the dialog that asks before an act, and confirms. The first row that offers the act is taken. */
  async confirm(act: string): Promise<void> {
    await this.page.getByRole('button', { name: act }).first().click();
    await this.page.getByRole('dialog').getByRole('button', { name: act }).click();
  }

  /** Continues as a person who has just signed up, on the page of the keys. */
  async signUp(service: TestService, email: string, slug: string): Promise<void> {
    await this.adopt(await signUp(service, email, slug));
    await this.go(`/portal/${slug}/keys`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
  }
}
