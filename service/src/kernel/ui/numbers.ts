import { AsyncLocalStorage } from 'node:async_hooks';

import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';

/**
 * The language in which pages are written, and in which numbers are written for readers whose browser asks for none
 * that is known here.
 */
const ENGLISH = 'en-US';

/** The language whose number formats the page that is being made has; unset: English. */
const language = new AsyncLocalStorage<string>();

/** Makes the pages of a scope with the number formats of their reader's browser. */
export function readersNumbers(scope: FastifyInstance): void {
  // Not before the body is read: its reader continues outside of the request's context.
  scope.addHook('preHandler', (request, _reply, done) => {
    language.run(languageOf(request.headers['accept-language']), done);
  });
}

/** Makes content that is the same for every reader: cached pages, and files. */
export function inEnglish<T>(make: () => T): T {
  return language.run(ENGLISH, make);
}

/** The formats that were used last, by language and options: one takes eighty times as long to make as to use. */
const formats = new LRUCache<string, Intl.NumberFormat>({ max: 200 });

/** Returns a number as its reader writes it, thousands separated; always in the digits 0 to 9. */
export function count(value: number, options: Intl.NumberFormatOptions = {}): string {
  const locale = language.getStore() ?? ENGLISH;
  const key = JSON.stringify([locale, options]);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, { ...options, numberingSystem: 'latn' });
    formats.set(key, format);
  }
  return format.format(value);
}

/** Returns the first language that a browser asks for, if its formats are known. Pure. */
export function languageOf(accepted: string | undefined): string {
  const [first = ''] = (accepted ?? '').split(/[,;]/, 1);
  try {
    return Intl.NumberFormat.supportedLocalesOf(first.trim())[0] ?? ENGLISH;
  } catch {
    return ENGLISH;
  }
}
