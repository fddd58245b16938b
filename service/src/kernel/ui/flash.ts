import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { cookieIn } from '../cookies.ts';
import { SecretBox } from '../secret-box.ts';

/** Long enough for a slow phone to follow a redirect; a later message would only confuse. */
const GOOD_FOR_SECONDS = 120;

/**
 * Flash messages: the outcome of a form, carried over the redirect that answers it and shown once, so that loading the
 * page again repeats nothing. The cookie that carries it is encrypted, for one page and one person: it may contain a key
 * that is shown only once.
 */
export class FlashMessages {
  readonly #box: SecretBox;
  readonly #isSecure: boolean;

  /** @param instanceSecret the secret that all instances share: another one may send the page. */
  constructor(instanceSecret: string, isSecure: boolean) {
    this.#box = new SecretBox(instanceSecret, 'marque flash messages');
    this.#isSecure = isSecure;
  }

  /** Answers a form: redirects to a page, which shows the message. */
  redirect(reply: FastifyReply, url: string, message: object): FastifyReply {
    // The browser keeps the fragment to itself.
    const place = placeOf(url.replace(/#.*$/, ''), reply.request.viewer);
    const sealed = this.#box.seal(JSON.stringify(message), place);
    return reply.header('set-cookie', this.#cookie(sealed, GOOD_FOR_SECONDS)).redirect(url, 303);
  }

  /** Returns the message for the requested page; undefined if there is none, or it was shown already. */
  take<T extends object>(reply: FastifyReply): Partial<T> | undefined {
    const { headers, url, viewer } = reply.request;
    const sealed = cookieIn(headers.cookie, this.#name);
    const text = sealed === undefined ? undefined : this.#open(sealed, placeOf(url, viewer));
    if (text === undefined) return undefined;
    this.drop(reply);
    const message: Partial<T> = JSON.parse(text);
    return message;
  }

  /** Takes whatever message waits from the browser. */
  drop(reply: FastifyReply): void {
    reply.header('set-cookie', this.#cookie('', 0));
  }

  get #name(): string {
    return this.#isSecure ? '__Host-marque.flash' : 'marque.flash';
  }

  #cookie(value: string, maxAgeSeconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.#name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  /** Opens a message; undefined if it is for another page or person, or was made up. */
  #open(sealed: string, place: string): string | undefined {
    try {
      return this.#box.open(sealed, place);
    } catch {
      return undefined;
    }
  }
}

/** Returns what a message is sealed for: a page, and who is signed in. */
function placeOf(url: string, viewer: { id: string } | undefined): string {
  return `${url} ${viewer?.id ?? ''}`;
}

/** The query of a page's address, each name once. */
export type PageQuery = Readonly<Record<string, string>>;

/** A page whose forms do something. */
interface ActingPage<Params, Result> {
  flash: FlashMessages;
  /** Its path, with the names of its parameters: `/admin/reports/:id`. */
  path: string;
  /** Shows the page, with the outcome of a form or its error. */
  send: (
    request: FastifyRequest<{ Params: Params; Querystring: PageQuery }>,
    reply: FastifyReply,
    result: Partial<Result>,
  ) => Promise<FastifyReply>;
}

/**
 * Adds a page, and returns the function that adds its forms by their names: a form leads back to the page, which shows
 * once that it was `done`; otherwise it shows the page again.
 */
export function addActingPage<Params extends object, Result extends { done?: string }>(
  scope: FastifyInstance,
  { flash, path, send }: ActingPage<Params, Result>,
): (name: string, work: (request: FastifyRequest<{ Params: Params }>) => Promise<Result>) => void {
  scope.get<{ Params: Params; Querystring: PageQuery }>(path, async (request, reply) =>
    send(request, reply, flash.take<Result>(reply) ?? {}),
  );
  return (name, work) => {
    scope.post<{ Params: Params; Querystring: PageQuery }>(`${path}/${name}`, async (request, reply) => {
      const result = await work(request);
      const { done } = result;
      return done === undefined
        ? send(request, reply, result)
        : flash.redirect(reply, addressOf(path, request.url), { done });
    });
  };
}

/** Returns the page's address, with which that of each of its forms begins. */
function addressOf(path: string, url: string): string {
  return url.split('/', path.split('/').length).join('/');
}
