import { setTimeout as sleep } from 'node:timers/promises';

import { lastLink } from '../../service/dist/testing/reader.js';
import type { Instance } from './fleet.ts';

/** Someone with an account and a workspace, who uses the pages as a browser does. */
export class Person {
  readonly #origin: string;
  readonly #slug: string;
  readonly #cookies = new Map<string, string>();

  private constructor(origin: string, slug: string) {
    this.#origin = origin;
    this.#slug = slug;
  }

  /** Signs up through the pages. The instance must log warnings: the link is there. */
  static async signUp(one: Instance, slug: string): Promise<Person> {
    const person = new Person(one.origin, slug);
    await person.#post('/sign-up', new URLSearchParams({ email: `${slug}@example.com`, slug }));
    while (!one.said.includes('/sign-up/')) await sleep(20);
    const fields = new URLSearchParams({ name: 'Ada Example', password: 'correct horse battery' });
    const made = await person.#post(lastLink(one.said, '/sign-up'), fields);
    if (made.status !== 303) throw new Error(`The link answered ${made.status}.`);
    return person;
  }

  path(tab: string): string {
    return `/portal/${this.#slug}${tab === '' ? '' : '/'}${tab}`;
  }

  /** Reads a page. @returns its status. */
  async get(path: string): Promise<string> {
    return String((await this.#read(path)).status);
  }

  async makeAndRevokeKey(): Promise<string> {
    await this.#post(this.path('keys'), new URLSearchParams({ name: 'soak' }));
    const { text } = await this.#read(this.path('keys'));
    const [, revoke] = /action="([^"]+\/revoke)"/.exec(text) ?? [];
    if (revoke === undefined) return 'no key to revoke';
    return String((await this.#post(revoke, new URLSearchParams())).status);
  }

  /** Sends a file of VINs and starts it. @returns the status; 303: it was taken. */
  async sendFile(vins: readonly string[]): Promise<string> {
    const form = new FormData();
    form.set('pasted', vins.join('\n'));
    const taken = await this.#post(this.path('files'), form);
    if (taken.status !== 303) return String(taken.status);
    return String((await this.#post(`${taken.location}/resume`, new URLSearchParams())).status);
  }

  /** Returns true if a file is not decoded to its end. */
  async hasFilesUnderWay(): Promise<boolean> {
    return /class="tag[^>]*>(?:waiting|running)</.test((await this.#read(this.path('files'))).text);
  }

  async #read(path: string): Promise<{ status: number; text: string }> {
    const answer = await fetch(this.#origin + path, { headers: { cookie: this.#cookie() } });
    this.#keepCookies(answer);
    return { status: answer.status, text: await answer.text() };
  }

  async #post(path: string, body: URLSearchParams | FormData): Promise<{ status: number; location: string | null }> {
    const headers = { cookie: this.#cookie(), 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(this.#origin + path, { method: 'POST', headers, body, redirect: 'manual' });
    this.#keepCookies(answer);
    await answer.arrayBuffer();
    return { status: answer.status, location: answer.headers.get('location') };
  }

  #cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keepCookies({ headers }: Response): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /; Max-Age=0(?:;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
