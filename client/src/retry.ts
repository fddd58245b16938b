import { ConnectionFailed, mayWorkLater, retryAfterSeconds } from './errors.ts';

/** How patient a client is. */
export interface Patience {
  /** Tries after the first one. */
  retries: number;
  /** The longest wait before one of them; told to wait longer, the client gives up instead. */
  longestPauseSeconds: number;
  /** How long one try may take. */
  timeoutSeconds: number;
}

/** What has become of one try. */
export type Attempt = { kind: 'answered'; response: Response } | { kind: 'failed'; error: unknown };

const FIRST_PAUSE_MS = 250;

/**
 * Milliseconds to wait before the next try; undefined: this was the last. Told by `Retry-After` where there is one,
 * otherwise doubling, with a random part so that many clients do not come back at once.
 *
 * @param tried how many tries there were.
 * @param random 0 to 1.
 */
export function pauseAfter(attempt: Attempt, tried: number, patience: Patience, random: number): number | undefined {
  if (tried > patience.retries) return undefined;
  const longestMs = patience.longestPauseSeconds * 1000;
  const backoffMs = Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), longestMs) * (0.5 + random / 2);
  if (attempt.kind === 'failed') return backoffMs;
  const { response } = attempt;
  if (!mayWorkLater(response.status)) return undefined;
  const told = retryAfterSeconds(response);
  // A 429 without a time is the month's limit: it will not be otherwise in a minute.
  if (told === undefined) return response.status === 429 ? undefined : backoffMs;
  return told * 1000 > longestMs ? undefined : told * 1000;
}

/** What sends one request: the global `fetch`, or one with its signature. */
export type Fetch = (request: Request) => Promise<Response>;

/** A fetch that tries again as `pauseAfter` says. Requests must be safe to repeat: see `Idempotency-Key`. */
export function patientFetch(fetch: Fetch, patience: Patience): Fetch {
  return async (request) => {
    for (let tried = 1; ; tried++) {
      const attempt = await tryOnce(fetch, request, patience.timeoutSeconds);
      request.signal.throwIfAborted();
      const pauseMs = pauseAfter(attempt, tried, patience, Math.random());
      if (pauseMs === undefined) {
        if (attempt.kind === 'answered') return attempt.response;
        throw new ConnectionFailed('The service cannot be reached.', { cause: attempt.error });
      }
      // What is not read would hold the connection.
      if (attempt.kind === 'answered') await attempt.response.body?.cancel();
      await pause(pauseMs, request.signal);
    }
  };
}

async function tryOnce(fetch: Fetch, request: Request, timeoutSeconds: number): Promise<Attempt> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
  try {
    return { kind: 'answered', response: await fetch(new Request(request.clone(), { signal })) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Waits; rejects with the signal's reason when it fires first. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  // Node 20 has no Promise.withResolvers.
  await new Promise<void>((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
