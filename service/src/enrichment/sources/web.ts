import { isIP } from 'node:net';

import { type Agent, errors, request } from 'undici';

import { AddressNotAllowedError, openAgent, TooManyAddressesError } from '../../kernel/egress/agent.ts';
import { isPublicAddress, type ResolveName, waitAskedFor } from '../../kernel/egress/index.ts';
import type { LookUp } from '../source.ts';

/** A vehicle's data is a few kilobytes; vPIC's longest answer is under 20. */
const MOST_BYTES = 1_048_576;

/** The longest Retry-After that is honored; a longer one is taken for a mistake. */
const MOST_RETRY_AFTER_MS = 3_600_000;

/** The answer of a source's server: JSON with its status, or the reason why there is none. */
type Fetched = { kind: 'json'; status: number; body: unknown } | Extract<LookUp, { kind: 'failed' }>;

/** Restrictions on requests to a source's server. */
export interface WebOptions {
  /** The only origin that requests are sent to. */
  origin: string;
  /** True if the host's name may resolve to an address that is not public. */
  privateAddresses: boolean;
  concurrent: number;
  timeoutMs: number;
  /** Finds a name's addresses; the system's way unless a test brings its own. */
  resolve?: ResolveName | undefined;
}

/**
 * Asks one configured server, and can reach no other: it follows no redirect, and it connects only to addresses that
 * were checked. An address that is written in the configuration itself is allowed by that.
 */
export class Web {
  readonly #agent: Agent;
  readonly #origin: string;

  constructor(options: WebOptions) {
    this.#origin = new URL(options.origin).origin;
    const allowsAny = mayReachAny(options);
    this.#agent = openAgent({
      mayReach: (address) => allowsAny || isPublicAddress(address),
      connections: options.concurrent,
      timeoutMs: options.timeoutMs,
      mostBytes: MOST_BYTES,
      resolve: options.resolve,
    });
  }

  /** Gets a JSON document from the source's server. Never rejects because of the server. */
  async getJson(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Fetched> {
    if (url.origin !== this.#origin) return { kind: 'failed', reason: 'address not allowed' };
    try {
      const {
        statusCode,
        headers: answered,
        body,
      } = await request(url, {
        dispatcher: this.#agent,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'marque', ...headers },
        signal,
      });
      const refusal = refusalOf(statusCode, answered['retry-after']);
      if (refusal !== undefined) {
        // The body of a failure is not needed; a short one is read so that the connection can be reused.
        await body.dump({ limit: 16_384, signal });
        return refusal;
      }
      return readJson(statusCode, await body.text());
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error, signal) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Returns true if any address may be reached: one that is written in the configuration itself is allowed by that. */
function mayReachAny({ origin, privateAddresses }: WebOptions): boolean {
  const named = new URL(origin).hostname;
  return privateAddresses || named === 'localhost' || isIP(named.replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Returns the failure of a status that is not an answer; undefined for 200 and for 404, which some services send for
 * unknown VINs.
 */
function refusalOf(status: number, retryAfter: string | string[] | undefined): Fetched | undefined {
  if (status === 200 || status === 404) return undefined;
  const afterMs = waitAskedFor(retryAfter, MOST_RETRY_AFTER_MS);
  const wait = afterMs === undefined ? {} : { retryAfterMs: afterMs };
  if (status === 429) return { kind: 'failed', reason: 'busy', ...wait };
  if (status >= 500) return { kind: 'failed', reason: 'server error', ...wait };
  if (status >= 300 && status < 400) return { kind: 'failed', reason: 'redirected' };
  return { kind: 'failed', reason: 'refused' };
}

function readJson(status: number, text: string): Fetched {
  try {
    return { kind: 'json', status, body: JSON.parse(text) };
  } catch {
    // A 404 without JSON means that the address is wrong, not that the VIN is unknown.
    return { kind: 'failed', reason: status === 404 ? 'refused' : 'not JSON' };
  }
}

function reasonOf(error: unknown, signal: AbortSignal): Extract<LookUp, { kind: 'failed' }>['reason'] {
  if (error instanceof AddressNotAllowedError) return 'address not allowed';
  if (error instanceof TooManyAddressesError) return 'too many addresses';
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'too large';
  const slow = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
  if (signal.aborted || slow.some((kind) => error instanceof kind)) return 'too slow';
  return 'connection broke';
}
