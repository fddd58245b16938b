import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { isApi } from '../kernel/http/browser-safety.ts';
import type { Sort } from './admission-queue.ts';
import { isMcp } from './admission-refusal.ts';
import type { Plan } from './plan.ts';

/** Matches the path of a batch, with any query. A message to an assistant's tools may contain several calls. */
const BATCH = /(?:batch|^\/mcp)\/?(?:\?|$)/i;

/** Matches an address with a key, as NHTSA's clients send it. Whose it is shows when it was looked up. */
const KEY_IN_URL = /[?&]api_key=/;

/**
 * Returns what a request is, as far as its path and headers show it.
 *
 * @param planOf the plan of a key that was looked up lately.
 */
export function sortOf(
  { url = '', method, headers }: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
  planOf: (headers: IncomingHttpHeaders) => Plan | undefined,
): Sort {
  // Whether a page may call the API is answered without its key.
  if (method === 'OPTIONS' || !(isApi(url) || isMcp(url))) return { kind: 'page', passes: true };
  if (headers['x-api-key'] === undefined && headers.authorization === undefined)
    return { kind: 'public', passes: KEY_IN_URL.test(url) };
  const plan = planOf(headers);
  const passes = plan !== 'free';
  if (BATCH.test(url)) return { kind: isPaid(plan) ? 'paid-batch' : 'batch', passes };
  return { kind: isPaid(plan) ? 'paid' : 'free', passes };
}

/** Returns true for a plan that is paid for. */
export function isPaid(plan: Plan | undefined): boolean {
  return plan !== undefined && plan !== 'free';
}
