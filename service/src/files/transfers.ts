import { Readable } from 'node:stream';

import type { Clock } from '../kernel/clock.ts';
import type { BurstLimit, OpenRateLimit, RateLimiter } from '../kernel/http/burst.ts';
import { RETRY_AFTER_SECONDS, textOf } from '../kernel/http/errors.ts';
import { type Exchange, onceOver } from '../kernel/http/exchanges.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { scriptBeside, ThreadLostError, ThreadPool } from '../kernel/threads/pool.ts';
import type { PackedFile, Unpacked } from './unpack.ts';
import { tooLarge } from '../kernel/csv/unpacked.ts';

/** Reading a file takes up to a second; no client needs more than one every twenty seconds for long. */
const UPLOADS: BurstLimit = { burst: 30, refillMs: 20_000 };

/** Bounds of one process. */
const BOUNDS = {
  /** Files read concurrently. Each takes some megabytes, and reading them in turn takes no longer. */
  uploads: { perWorkspace: 2, all: 16 },
  /** Results that are sent at once. Each takes up to a megabyte while its reader is slow. */
  downloads: { perWorkspace: 4, all: 100 },
  /** The time that a reader may take for one page of results, in milliseconds: about seven kilobytes a second. */
  pageMs: 60_000,
};

/** Bounds of transfers: tests set their own. */
export type TransferBounds = Readonly<typeof BOUNDS>;

/**
 * Unpacking a stranger's file takes tens of megabytes and up to seconds: a file that takes more is refused. The thread ends
 * after a minute without one.
 */
const UNPACKING = {
  threads: 2,
  // Other requests that waited for a thread that ended would end with it.
  requestsAThread: 1,
  limits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
  timeoutMs: 20_000,
  idleMs: 60_000,
};

/** Bounds concurrent uploads and downloads, of the API and the portal together, to what fits in memory. */
export class Transfers {
  readonly #unpacking = new ThreadPool<PackedFile, Unpacked>({
    script: scriptBeside(import.meta.url, 'unpack-thread'),
    workerData: undefined,
    ...UNPACKING,
  });
  readonly #clock: Clock;
  readonly #bursts: RateLimiter;
  readonly #uploads: Places;
  readonly #downloads: Places;
  readonly #pageMs: number;

  constructor(deps: { rateLimit: OpenRateLimit; clock: Clock; bounds?: Partial<TransferBounds> }) {
    const { rateLimit, clock, bounds } = deps;
    const { uploads, downloads, pageMs } = { ...BOUNDS, ...bounds };
    this.#clock = clock;
    this.#bursts = rateLimit('uploads', UPLOADS);
    this.#uploads = new Places(uploads);
    this.#downloads = new Places(downloads);
    this.#pageMs = pageMs;
  }

  /**
   * Admits a file, before any of it is read.
   *
   * @returns a signal that aborts when the sender disconnects.
   * @throws HttpError 429 or 503 with `Retry-After`.
   */
  async receive(workspaceId: string, exchange: Exchange): Promise<AbortSignal> {
    const seconds = await this.#bursts.take(workspaceId, this.#clock());
    if (seconds > 0) {
      throw tooMany(`Too many files in a short time. Send the next one in ${seconds} seconds.`, seconds);
    }
    const most = `at most ${this.#uploads.most} files at once`;
    const leave = this.#uploads.take(workspaceId, `A workspace sends ${most}. Wait until one of them is answered.`);
    const gone = new AbortController();
    const end = (): void => {
      leave();
      // Nobody reads this answer.
      if (!exchange.response.writableFinished) gone.abort(new HttpError(400, textOf(400)));
    };
    onceOver(exchange, end);
    return gone.signal;
  }

  /** Unpacks a file in a thread, so that its contents can harm nothing else. The file's bytes are transferred. */
  async unpack(file: PackedFile): Promise<Unpacked> {
    try {
      return await this.#unpacking.run(file, [file.bytes.buffer]);
    } catch (error) {
      if (isThreadLost(error)) return { kind: 'refused', message: tooLarge().message };
      throw error;
    }
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#unpacking.close();
  }

  /**
   * Sends results page by page, and ends where their reader takes too long for one.
   *
   * @throws HttpError 429 or 503 with `Retry-After`.
   */
  send(workspaceId: string, pages: AsyncGenerator<string | Uint8Array>): Readable {
    const most = `at most ${this.#downloads.most} results at once`;
    const leave = this.#downloads.take(workspaceId, `A workspace gets ${most}. Wait until one of them has ended.`);
    const stalled = new AbortController();
    const stream = Readable.from(paced(pages, this.#pageMs, stalled));
    stalled.signal.addEventListener('abort', () => stream.destroy(new Error('The reader of results has stalled.')));
    return stream.once('close', leave);
  }
}

/** Returns true if a thread ended because it took too long, or too much memory. */
function isThreadLost(error: unknown): boolean {
  if (error instanceof ThreadLostError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Passes pages on, and aborts if the next one is not read in time. */
async function* paced<Page>(
  pages: AsyncGenerator<Page>,
  pageMs: number,
  stalled: AbortController,
): AsyncGenerator<Page> {
  for await (const page of pages) {
    const timer = setTimeout(() => stalled.abort(), pageMs).unref();
    try {
      yield page;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Limits concurrency, per workspace and overall. */
class Places {
  readonly #bounds: { perWorkspace: number; all: number };
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(bounds: { perWorkspace: number; all: number }) {
    this.#bounds = bounds;
  }

  /** Places of one workspace. */
  get most(): number {
    return this.#bounds.perWorkspace;
  }

  /** Takes a place. @returns a function that releases it. @throws HttpError 429 with the message, or 503. */
  take(workspaceId: string, message: string): () => void {
    const taken = this.#taken.get(workspaceId) ?? 0;
    if (taken >= this.#bounds.perWorkspace) throw tooMany(message, RETRY_AFTER_SECONDS);
    if (this.#all >= this.#bounds.all) {
      throw new HttpError(503, textOf(503), { 'retry-after': String(RETRY_AFTER_SECONDS) });
    }
    this.#taken.set(workspaceId, taken + 1);
    this.#all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#all -= 1;
      const left = (this.#taken.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.#taken.delete(workspaceId);
      else this.#taken.set(workspaceId, left);
    };
  }
}

function tooMany(message: string, seconds: number): HttpError {
  return new HttpError(429, message, { 'retry-after': String(seconds) });
}
