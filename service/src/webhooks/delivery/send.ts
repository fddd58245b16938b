import { type Agent, errors, request } from 'undici';

import { AddressNotAllowedError, openAgent, TooManyAddressesError } from '../../kernel/egress/agent.ts';
import { isPublicAddress, type ResolveName, waitAskedFor } from '../../kernel/egress/index.ts';
import { publicNames } from '../../kernel/egress/names.ts';
import { MAX_RETRY_AFTER_MS } from '../retry.ts';
import { readUrl } from '../url.ts';

/** A receiver's body is read only so that the connection can be reused. */
const MOST_BYTES = 16_384;
/** The status is the answer: a body longer than this is cut off. */
const DUMP_MS = 1_000;

/** The outcome of one attempt. */
export type Attempt =
  | { kind: 'delivered'; status: number }
  /** The receiver wants no more events, ever. */
  | { kind: 'gone'; status: number }
  | { kind: 'failed'; status: number; retryAfterMs?: number | undefined }
  | { kind: 'unanswered'; fault: string };

/** Restrictions on requests to receivers. */
interface SenderOptions {
  /** True if http and addresses of this network may be used. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** Requests to one server at once. */
  concurrent: number;
  /** Finds a name's addresses; default: by name servers, or the system's way if addresses of this network may be used. */
  resolve?: ResolveName | undefined;
  /** Name servers: see `publicNames`. */
  nameServers?: readonly string[];
}

/** Posts events to receivers. Follows no redirect, and connects to public addresses only. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #agent: Agent;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#agent = openAgent({
      mayReach: (address) => options.allowPrivate || isPublicAddress(address),
      connections: options.concurrent,
      timeoutMs: options.timeoutMs,
      mostBytes: MOST_BYTES,
      resolve: options.resolve ?? (options.allowPrivate ? undefined : publicNames(options.nameServers)),
    });
  }

  /** Posts a body. Never rejects because of the receiver. */
  async post(address: string, headers: Record<string, string>, body: string, stop: AbortSignal): Promise<Attempt> {
    // Read again: which addresses are allowed can have changed since it was stored.
    const reading = readUrl(address, this.#options.allowPrivate);
    if (reading.kind === 'faulty') return { kind: 'unanswered', fault: 'address not allowed' };
    const signal = AbortSignal.any([stop, AbortSignal.timeout(this.#options.timeoutMs)]);
    try {
      const answer = await request(reading.url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { 'content-type': 'application/json', 'user-agent': 'marque-webhooks', ...headers },
        body,
        signal,
      });
      await answer.body.dump({ limit: MOST_BYTES, signal: AbortSignal.timeout(DUMP_MS) }).catch(() => {});
      return attemptOf(answer.statusCode, answer.headers['retry-after']);
    } catch (error) {
      return { kind: 'unanswered', fault: faultOf(error, signal) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function attemptOf(status: number, retryAfter: string | string[] | undefined): Attempt {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'gone', status };
  return { kind: 'failed', status, retryAfterMs: waitAskedFor(retryAfter, MAX_RETRY_AFTER_MS) };
}

const NO_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']);
const CERTIFICATE = /CERT|SIGNATURE|ALTNAME/;

function faultOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof AddressNotAllowedError) return 'address not allowed';
  if (error instanceof TooManyAddressesError) return 'too many addresses';
  const slow = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
  if (signal.aborted || slow.some((kind) => error instanceof kind)) return 'too slow';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // A name server's refusal is none of the receiver.
  const isOfName = error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('query');
  if (NO_NAME.has(code) || isOfName) return 'name not found';
  if (CERTIFICATE.test(code)) return 'certificate not trusted';
  return code === 'ECONNREFUSED' ? 'connection refused' : 'connection broke';
}
