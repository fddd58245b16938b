import { ConnectionFailedError, MarqueError, mayWorkLater, retryAfterSeconds } from './errors.ts';
import { JsonShape } from './json-shape.ts';

/** When a client retries, and when it gives up. */
export interface RetryOptions {
  /** Attempts after the first one. */
  retries: number;
  /** The longest pause before a retry; if `Retry-After` asks for more, the client gives up. */
  longestPauseSeconds: number;
  /** The longest time of one attempt. */
  timeoutSeconds: number;
}

/** The outcome of one attempt. */
export type Attempt = { kind: 'answered'; response: Response } | { kind: 'failed'; error: unknown };

const FIRST_PAUSE_MS = 250;
/** The longest answer that is read, several times that of a batch of 1,000. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The most JSON that is parsed: each level, and each empty object, takes 40 bytes of memory. A batch of 1,000 has 36,000 values. */
const MOST_JSON = { levels: 1_000, values: 1_000_000 };
/** The longest time of a timer: a longer one would end at once. */
const MOST_PAUSE_MS = 2 ** 31 - 1;
/** A type of JSON, also one that the service does not send. */
const JSON_TYPE = /json/i;

/**
 * Milliseconds to wait before the next attempt; undefined: do not retry. `Retry-After` where there is one, otherwise
 * exponential backoff with jitter, so that many clients do not come back at once.
 *
 * @param tried how many attempts were made.
 * @param random 0 to 1.
 */
export function pauseAfter(attempt: Attempt, tried: number, options: RetryOptions, random: number): number | undefined {
  if (tried > options.retries) return undefined;
  const longestMs = options.longestPauseSeconds * 1000;
  const backoffMs = Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), longestMs) * (0.5 + random / 2);
  if (attempt.kind === 'failed') return backoffMs;
  const { response } = attempt;
  if (!mayWorkLater(response.status)) return undefined;
  const retryAfter = retryAfterSeconds(response);
  // A 429 without a time is the month's limit: waiting does not help.
  if (retryAfter === undefined) return response.status === 429 ? undefined : backoffMs;
  return retryAfter * 1000 > longestMs ? undefined : retryAfter * 1000;
}

/** The options of one request, in types that any `fetch` takes. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'follow' | 'error' | 'manual';
  signal: AbortSignal;
}

/** An answer: of the global class, or of a package's own, whose body may be a stream of Node. */
export type FetchAnswer = Pick<Response, 'ok' | 'status' | 'statusText'> & {
  headers: Iterable<[string, string]>;
  body: ReadableStream | AsyncIterable<unknown> | null;
};

/** Sends one request: the global `fetch`, or a function that is called like it, such as that of `undici`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** Sends the request that the generated client made. */
type Send = (request: Request) => Promise<Response>;

/**
 * Returns a fetch that retries after the pauses of `pauseAfter`. Requests must be safe to repeat: see
 * `Idempotency-Key`.
 */
export function retryingFetch(fetch: Fetch, options: RetryOptions): Send {
  return async (request) => {
    const body = await request.text();
    // The fetch of a package may end the process where its signal is aborted already.
    request.signal.throwIfAborted();
    for (let tried = 1; ; tried++) {
      const attempt = await attemptOnce(fetch, request, body, options.timeoutSeconds);
      request.signal.throwIfAborted();
      const pauseMs = pauseAfter(attempt, tried, options, Math.random());
      if (pauseMs === undefined) {
        if (attempt.kind === 'answered') return attempt.response;
        const { origin } = new URL(request.url);
        throw new ConnectionFailedError(`The service at ${origin} cannot be reached.`, { cause: attempt.error });
      }
      // An unread body would keep the connection busy.
      if (attempt.kind === 'answered') await attempt.response.body?.cancel();
      await pause(pauseMs, request.signal);
    }
  };
}

/** Returns a fetch that rejects if a success is not JSON: something else answers at this address. */
export function onlyJson(send: Send): Send {
  return async (request) => {
    const response = await send(request);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || JSON_TYPE.test(type)) return response;
    await response.body?.cancel();
    throw new ConnectionFailedError(
      `The server at ${new URL(request.url).origin} did not answer in JSON. Check baseUrl.`,
    );
  };
}

/** Holds what an answer that others read depends on: a request follows its signal by a weak reference only. */
const HELD = new WeakMap<ReadableStream, unknown>();

async function attemptOnce(fetch: Fetch, request: Request, body: string, timeoutSeconds: number): Promise<Attempt> {
  const { signal, ended } = endOf([request.signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
  const { url, method, redirect } = request;
  const init = { method, headers: Object.fromEntries(request.headers), redirect, signal };
  try {
    const response = ofPlatform(await Promise.race([fetch(url, body === '' ? init : { ...init, body }), ended]));
    if (!isPassedOn(request, response)) {
      return { kind: 'answered', response: await Promise.race([whole(response), ended]) };
    }
    if (response.body !== null) HELD.set(response.body, [request, signal]);
    return { kind: 'answered', response };
  } catch (error) {
    if (error instanceof MarqueError) throw error;
    return { kind: 'failed', error };
  }
}

/** Returns an answer as one of the global class, which a package's own is not. */
function ofPlatform(answer: FetchAnswer): Response {
  if (answer instanceof Response) return answer;
  const { status, statusText, headers, body } = answer;
  const stream = body === null || 'getReader' in body ? body : streamOf(body[Symbol.asyncIterator]());
  return new Response(stream, { status, statusText, headers: [...headers] });
}

/** Returns a stream that asks for each piece when it is read. Browsers have no `ReadableStream.from`. */
function streamOf(pieces: AsyncIterator<unknown>): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

/**
 * Returns a signal that is aborted with the first of others, and a promise that is rejected then. What `AbortSignal.any`
 * returns can be collected as garbage before, and so can what a request follows.
 */
function endOf(signals: readonly AbortSignal[]): { signal: AbortSignal; ended: Promise<never> } {
  const end = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason), { once: true });
  });
  // Whether anybody waits for it or not.
  ended.catch(() => {});
  for (const signal of signals) {
    if (signal.aborted) end.abort(signal.reason);
    else signal.addEventListener('abort', () => end.abort(signal.reason), { once: true });
  }
  return { signal: end.signal, ended };
}

/** Returns true if an answer is read by others: the lines of a job's results as they come, and pages not at all. */
function isPassedOn({ url }: Request, { ok, headers }: Response): boolean {
  const type = headers.get('content-type') ?? '';
  const isLines = /\/results(?:\?|$)/.test(url) && !/^application\/json\b/i.test(type);
  return ok && (isLines || !JSON_TYPE.test(type));
}

/** Reads an answer to its end, so that one that is cut off is asked for again. */
async function whole(response: Response): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const pieces: BlobPart[] = [];
  let bytes = 0;
  const shape = new JsonShape();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Response(new Blob(pieces), { status, statusText, headers });
    pieces.push(value);
    bytes += value.byteLength;
    if (bytes <= MOST_BYTES && shape.isWithin(MOST_JSON, value)) continue;
    await reader.cancel();
    throw new ConnectionFailedError(
      'The answer is longer, more deeply nested or of more values than any answer of the service.',
    );
  }
}

/** Waits, or rejects with the signal's reason when it is aborted first. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  // Node 20 has no Promise.withResolvers.
  await new Promise<void>((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      },
      Math.min(milliseconds, MOST_PAUSE_MS),
    );
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
