import createApi, { type Client } from 'openapi-fetch';

import { listsOf, MOST_VINS, MOST_VINS_PUBLIC, pauseSeconds, pendingIn, withAnswers } from './batch.ts';
import { ConnectionFailedError, refusalOf, StillPendingError } from './errors.ts';
import type { paths } from './generated/api.ts';
import { resultsIn } from './job-results.ts';
import { type Fetch, onlyJson, pause, retryingFetch, type RetryOptions } from './retry.ts';
import type {
  BatchResult,
  CandidatesResponse,
  DecodeResponse,
  Hints,
  Job,
  JobResult,
  OwnReports,
  UsageResponse,
  VinCheck,
  WrongDecode,
  WrongDecodeSaved,
} from './types.ts';

/** Options that may also be given as undefined, which is as if they were not: so an unset variable may be passed on. */
type Optional<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

/** Options of a client. */
export interface MarqueOptions extends Optional<RetryOptions> {
  /** The address of the service, such as `https://vin.example`. */
  baseUrl: string;
  /** An API key; without one the client is a public one. Keep it out of pages: in a browser anyone can read it. */
  apiKey?: string | undefined;
  /** Sends requests, called with a URL and options. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
}

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /**
   * A repeated call with the same key within 24 hours gets the same answer and is charged once. Default: a random one
   * for each call, so that the client's own retries are never charged twice.
   */
  idempotencyKey?: string | undefined;
}

/** Options of a decode. */
export interface DecodeOptions extends WriteOptions {
  /** The longest wait while the VIN is looked up elsewhere, in seconds; 0: no wait. Default: 60. */
  waitSeconds?: number | undefined;
}

/** Options of `decodeMany`. */
export interface DecodeManyOptions extends CallOptions {
  /** VINs in one request. Default: the most that the service takes, 1000 with a key and 10 without. */
  batchSize?: number | undefined;
  /** The longest wait for VINs of one request that are looked up elsewhere, in seconds; 0: no wait. Default: 60. */
  waitSeconds?: number | undefined;
}

const RETRY: RetryOptions = { retries: 4, longestPauseSeconds: 30, timeoutSeconds: 30 };
const VISIBLE_ASCII = /^[!-~]*$/;
const WAIT_SECONDS = 60;
const JOB_POLL_MS = 1_000;

/** A client of the service. Stateless: one serves any number of calls at once. */
export class Marque {
  readonly #api: Client<paths>;
  readonly #mostVins: number;

  constructor({ baseUrl, apiKey, fetch = (url, init) => globalThis.fetch(url, init), ...options }: MarqueOptions) {
    const {
      retries = RETRY.retries,
      longestPauseSeconds = RETRY.longestPauseSeconds,
      timeoutSeconds = RETRY.timeoutSeconds,
    } = options;
    // These messages leave out what was given: a log may keep them.
    if (baseUrl.includes('@')) throw new TypeError('baseUrl must have no user and password.');
    const key = apiKey?.trim();
    if (key !== undefined && !VISIBLE_ASCII.test(key)) {
      throw new TypeError('apiKey must consist of visible ASCII characters.');
    }
    this.#mostVins = key === undefined ? MOST_VINS_PUBLIC : MOST_VINS;
    this.#api = createApi<paths>({
      baseUrl,
      // A redirect would carry the key to another server.
      redirect: 'manual',
      fetch: onlyJson(retryingFetch(fetch, { retries, longestPauseSeconds, timeoutSeconds })),
      headers: key === undefined ? {} : { 'x-api-key': key },
    });
  }

  /**
   * Decodes a VIN, and waits if it is looked up elsewhere. Charged once, however often it is retried.
   *
   * @throws InvalidRequestError when the VIN is invalid; NotAuthorizedError; LimitReachedError; StillPendingError;
   *   UnavailableError; ConnectionFailedError.
   */
  async decode(vin: string, options: DecodeOptions = {}): Promise<DecodeResponse> {
    const { waitSeconds = WAIT_SECONDS, signal } = options;
    const headers = idempotent(options);
    const deadlineMs = Date.now() + waitSeconds * 1000;
    for (;;) {
      const data = await answerOf(this.#api.POST('/api/decode', { body: { vin }, headers, ...listening(signal) }));
      if (!('status' in data)) return data;
      const retryAfterSeconds = pauseSeconds(data.retryAfterSeconds);
      if (Date.now() + retryAfterSeconds * 1000 > deadlineMs) throw new StillPendingError(vin, retryAfterSeconds);
      await pause(retryAfterSeconds * 1000, signal);
    }
  }

  /**
   * Decodes any number of VINs, in their order, a request for each `batchSize` of them. An invalid VIN has an
   * `error`; a VIN that is still being looked up after `waitSeconds` stays `enrichment_pending`.
   *
   * @throws LimitReachedError when the month is used up at the start of a request: the results so far are all there
   *   are. Otherwise as `decode`. Every charged result is yielded before.
   */
  async *decodeMany(
    vins: Iterable<string> | AsyncIterable<string>,
    { batchSize = this.#mostVins, waitSeconds = WAIT_SECONDS, signal }: DecodeManyOptions = {},
  ): AsyncGenerator<BatchResult, void> {
    for await (const list of listsOf(vins, batchSize)) {
      const deadlineMs = Date.now() + waitSeconds * 1000;
      let results = await this.#batch(list, signal);
      try {
        for (;;) {
          const { indices, retryAfterSeconds } = pendingIn(results);
          if (indices.length === 0 || Date.now() + retryAfterSeconds * 1000 > deadlineMs) break;
          await pause(retryAfterSeconds * 1000, signal);
          const again = indices.map((index) => list[index] ?? '');
          results = withAnswers(results, indices, await this.#batch(again, signal));
        }
      } catch (error) {
        // The others are charged already.
        yield* results;
        throw error;
      }
      yield* results;
    }
  }

  async #batch(vins: string[], signal: AbortSignal | undefined): Promise<BatchResult[]> {
    const data = await answerOf(
      this.#api.POST('/api/decode/batch', { body: { vins }, headers: idempotent({}), ...listening(signal) }),
    );
    // It is one document unless the request asks for lines.
    if (!('results' in data && Array.isArray(data.results) && data.results.length === vins.length)) throw foreign();
    return data.results;
  }

  /**
   * Lists the candidates for fields that a VIN leaves open, and narrows them down by hints about the vehicle. Accepts
   * masked VINs too: 11 to 17 characters, `*` for each unknown one. Charged like a decode, once a day for each VIN.
   *
   * @throws InvalidRequestError when the VIN or a hint is invalid; NotAuthorizedError; LimitReachedError;
   * UnavailableError; ConnectionFailedError.
   */
  async candidates(vin: string, hints: Hints = {}, { signal }: CallOptions = {}): Promise<CandidatesResponse> {
    return answerOf(this.#api.POST('/api/decode/candidates', { body: { vin, hints }, ...listening(signal) }));
  }

  /**
   * Creates a job that decodes up to 200,000 VINs in the background. Only decoded VINs are charged.
   *
   * @throws InvalidRequestError when there are no VINs or too many; otherwise as `decode`.
   */
  async createJob(vins: readonly string[], options: WriteOptions = {}): Promise<Job> {
    const data = await answerOf(
      this.#api.POST('/api/jobs', {
        body: { vins: [...vins] },
        headers: idempotent(options),
        ...listening(options.signal),
      }),
    );
    // The other answer is that of a dry run, which is not asked for.
    if (!('id' in data)) throw foreign();
    return data;
  }

  /** Returns the state of a job. Free. */
  async job(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return answerOf(this.#api.GET('/api/jobs/{id}', { params: { path: { id } }, ...listening(signal) }));
  }

  /** Waits until a job is completed or stopped at the monthly limit. */
  async finishedJob(id: string, options: CallOptions = {}): Promise<Job> {
    for (;;) {
      const job = await this.job(id, options);
      if (typeof job.status !== 'string') throw foreign();
      if (job.status === 'completed' || job.status === 'stopped') return job;
      await pause(JOB_POLL_MS, options.signal);
    }
  }

  /** Resumes a job that stopped at the monthly limit. */
  async resumeJob(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return answerOf(this.#api.POST('/api/jobs/{id}/resume', { params: { path: { id } }, ...listening(signal) }));
  }

  /**
   * Yields the results of a job so far, in the order of its VINs. One attempt must return them all: see
   * `timeoutSeconds`.
   */
  async *jobResults(id: string, { signal }: CallOptions = {}): AsyncGenerator<JobResult, void> {
    const data = await answerOf(
      this.#api.GET('/api/jobs/{id}/results', { params: { path: { id } }, parseAs: 'stream', ...listening(signal) }),
    );
    yield* resultsIn(data, signal);
  }

  /** Checks a VIN: its validity, its faults, and the VINs that were likely meant if it looks mistyped. Free. */
  async check(vin: string, { signal }: CallOptions = {}): Promise<VinCheck> {
    return answerOf(this.#api.GET('/api/vin/{vin}', { params: { path: { vin } }, ...listening(signal) }));
  }

  /** Returns the usage of the key's workspace. Free. */
  async usage({ signal }: CallOptions = {}): Promise<UsageResponse> {
    return answerOf(this.#api.GET('/api/usage', listening(signal)));
  }

  /** Reports a wrong decode for review. Free. */
  async report(report: WrongDecode, options: WriteOptions = {}): Promise<WrongDecodeSaved> {
    return answerOf(
      this.#api.POST('/api/report-decode-issue', {
        body: report,
        headers: idempotent(options),
        ...listening(options.signal),
      }),
    );
  }

  /**
   * Returns the workspace's own reports with their states, newest first. Pass a page's `next` as `after` for the next
   * page.
   */
  async reports({ signal, after }: CallOptions & { after?: string | undefined } = {}): Promise<OwnReports> {
    const query = after === undefined ? {} : { after };
    return answerOf(this.#api.GET('/api/reports', { params: { query }, ...listening(signal) }));
  }
}

/** Returns the data of a success, and throws the error that every other answer is. */
async function answerOf<Data>(
  asking: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await asking.catch((cause: unknown) => {
    // What cannot be parsed, or is nested too deeply for it.
    throw cause instanceof SyntaxError || cause instanceof RangeError ? foreign(cause) : cause;
  });
  if (!response.ok) throw refusalOf(response, error);
  if (typeof data !== 'object' || data === null) throw foreign();
  return data;
}

function foreign(cause?: unknown): ConnectionFailedError {
  return new ConnectionFailedError('The answer is not of the service. Check baseUrl.', { cause });
}

function idempotent({ idempotencyKey = randomKey() }: WriteOptions): { 'idempotency-key': string } {
  return { 'idempotency-key': idempotencyKey };
}

/** Returns 128 random bits. Pages without TLS have no `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function listening(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
