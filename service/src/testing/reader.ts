import { createHmac } from 'node:crypto';

import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

/** A person who reads pages and sends forms, with cookies, without a real browser. */
export class Reader {
  readonly #app: FastifyInstance;
  readonly #cookies = new Map<string, string>();

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /** The cookies that the service has set, as they are sent. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.#send({ method: 'GET', url, headers });
  }

  /** Sends a form as a page of the service does. */
  post(
    url: string,
    fields: Record<string, string> | URLSearchParams = {},
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const payload = new URLSearchParams(fields).toString();
    const type = 'application/x-www-form-urlencoded';
    return this.#send({
      method: 'POST',
      url,
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin', ...headers },
      payload,
    });
  }

  /** Sends a form, and follows where its answer leads, as a browser does. */
  async submit(...form: Parameters<Reader['post']>): Promise<LightMyRequestResponse> {
    const answer = await this.post(...form);
    return answer.statusCode === 303 ? this.get(String(answer.headers.location)) : answer;
  }

  async #send(request: {
    method: 'GET' | 'POST';
    url: string;
    headers: Record<string, string>;
    payload?: string;
  }): Promise<LightMyRequestResponse> {
    const { headers, ...rest } = request;
    const response = await this.#app.inject({ ...rest, headers: { cookie: this.cookie, ...headers } });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0 || value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, encodeURIComponent(value));
    }
    return response;
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Returns the code that an authenticator app shows for a key at a moment: RFC 6238 with SHA-1, six digits, 30 seconds.
 */
export function codeAt(secret: string, atMs: number): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Returns the last link in a log or a mail that leads to a path. */
export function lastLink(text: string, path: string): string {
  const found = [...text.matchAll(new RegExp(`${path}/[A-Za-z0-9]+`, 'g'))].at(-1)?.[0];
  if (found === undefined) throw new Error(`There is no link to ${path}.`);
  return found;
}
