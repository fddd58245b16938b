import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Clock } from '../kernel/clock.ts';
import { cookieIn } from '../kernel/cookies.ts';

const GOOD_FOR_SECONDS = 180 * 24 * 60 * 60;

/** The shape that a cookie must have before anything is computed for it. */
const FORM = /^([0-9a-f]{32})\.(\d{13})\.([\w-]{43})$/;

/**
 * Device cookies mark a browser that has signed in to an account before, so that other people's wrong passwords for
 * that account, or from that network, do not keep its owner out. They grant no access and contain no address. See
 * OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
export class DeviceCookies {
  readonly #secret: string;
  readonly #isSecure: boolean;
  readonly #clock: Clock;

  constructor({ secret, isSecure, clock }: { secret: string; isSecure: boolean; clock: Clock }) {
    this.#secret = secret;
    this.#isSecure = isSecure;
    this.#clock = clock;
  }

  /** Returns a new cookie for a browser that has just signed in: the whole header value. */
  issue(email: string): string {
    const id = randomBytes(16).toString('hex');
    const expires = String(this.#clock() + GOOD_FOR_SECONDS * 1000);
    const value = `${id}.${expires}.${this.#sign(id, expires, email)}`;
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.#name}=${value}; Max-Age=${GOOD_FOR_SECONDS}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  /** Returns the id of the device cookie among a request's cookies; undefined: none is valid for this account. */
  idOf(cookies: string | undefined, email: string): string | undefined {
    const [, id = '', expires = '', signature = ''] = FORM.exec(cookieIn(cookies, this.#name) ?? '') ?? [];
    if (id === '' || Number(expires) < this.#clock()) return undefined;
    const expected = Buffer.from(this.#sign(id, expires, email));
    return timingSafeEqual(Buffer.from(signature), expected) ? id : undefined;
  }

  get #name(): string {
    return this.#isSecure ? '__Host-marque.device' : 'marque.device';
  }

  #sign(id: string, expires: string, email: string): string {
    return createHmac('sha256', this.#secret).update(`device\n${id}\n${expires}\n${email}`).digest('base64url');
  }
}
