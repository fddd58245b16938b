import { Stripe } from 'stripe';
import type { FastifyBaseLogger } from 'fastify';

import type { BillingConfig } from '../kernel/config/config.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { SERVER_LIMITS } from '../kernel/http/limits.ts';
import { isRecord } from '../kernel/records.ts';

/** Three tries with 1.5 seconds of pauses: they end before the connection of the person who waits. */
const RETRIES = 2;
const TIMEOUT_MS = (SERVER_LIMITS.connectionTimeout - 6_000) / (1 + RETRIES);

const REFUSED = 'Stripe refused a request: check the secret key and the prices in the settings';

/** Returns what calls Stripe. */
export function openStripe({ secretKey, apiUrl }: BillingConfig): Stripe {
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    // It bounds the time of the whole answer, and lets it be looked at first.
    httpClient: Stripe.createFetchHttpClient(fetchObject),
    ...apiHostOptions(apiUrl),
  });
}

/** The longest answer, in bytes: a list of a hundred subscriptions has some 500,000. */
const MOST_BYTES = 4_000_000;

/**
 * Fetches an answer that is an object, as all of Stripe's are: the library ends the process by some others, such as one
 * of a gateway on the way. Other errors than Stripe's own, such as a page of HTML, count as no answer.
 *
 * @throws Error if it is none, which the library takes for a broken connection.
 */
async function fetchObject(...[url, options]: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(url, { ...options, redirect: 'manual' });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error('The answer is too long for one of Stripe.');
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || (!answer.ok && !isRecord(value['error']))) throw new Error('The answer is none of Stripe.');
  return new Response(text, { status: answer.status, headers: answer.headers });
}

/**
 * Waits for Stripe's answer.
 * @throws HttpError 503 when Stripe cannot be reached, fails or refuses; its cause is Stripe's error.
 */
export async function answered<T>(request: Promise<T>, log: Pick<FastifyBaseLogger, 'error'>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, statusCode: status = 0, code, param } = error;
    const isOut = type === 'StripeConnectionError' || type === 'StripeRateLimitError' || status >= 500;
    // Not its message, which may have part of the secret key.
    if (!isOut) log.error({ type, status, code, param }, REFUSED);
    const what = isOut ? 'cannot be reached' : 'refused this';
    const message = `The payment provider ${what}. Nothing was changed or charged. Try again in a minute.`;
    throw Object.assign(new HttpError(503, message, { 'retry-after': '60' }), { cause: error });
  }
}

function apiHostOptions(apiUrl: string | undefined): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (apiUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const isSecure = protocol === 'https:';
  return {
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    protocol: isSecure ? 'https' : 'http',
  };
}

/** Returns true if Stripe does not have what was asked for: another account's, or removed. */
export function isUnknownToStripe(error: unknown): boolean {
  return error instanceof HttpError && isMissing(error.cause);
}

/** Returns true if an error says that Stripe does not have what was asked for, or what this field of a request names. */
export function isMissing(error: unknown, field?: string): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || error.code !== 'resource_missing') return false;
  return field === undefined || error.param === field;
}
