import { Readable } from 'node:stream';

import type { Clock } from '../kernel/clock.ts';
import { textOf } from '../kernel/http/errors.ts';
import { type Exchange, onceOver } from '../kernel/http/exchanges.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import { type SlotBounds, Slots, type Tenant } from '../kernel/limits/slots.ts';
import { LoopTurns, type NextTurn } from '../kernel/limits/loop-turns.ts';
import type { BurstLimit, OpenRateLimit, RateLimiter } from '../kernel/limits/token-buckets.ts';
import { type FileTurns, MOST_BYTES } from './store.ts';
import { busy, placeOf, tooMany, tooManyFiles } from './transfer-refusals.ts';
import type { PackedFile, Unpacked } from './unpack.ts';
import { Unpacker } from './unpacker.ts';

/** Reading a file takes up to a second; no client needs more than one every twenty seconds for long. */
const UPLOADS: BurstLimit = { burst: 30, refillMs: 20_000 };

/** Bounds of one process. */
export interface TransferBounds {
  /**
   * Files that are received and read concurrently. Each takes some megabytes, and reading them in turn takes no longer.
   * The wait is part of the ten seconds in which a request has to arrive.
   */
  uploads: FairBounds;
  /** Files of which more than `MOST_BYTES` have arrived: they count as uploads, too. */
  large: FairBounds;
  /** Files that are unpacked: while one waits it is in memory, and is not counted as an upload. */
  unpacking: Partial<FairBounds>;
  /** Files that are stored at once: their transactions take connections, and on SQLite its lock. */
  storing: Omit<FairBounds, 'waitMs'>;
  /** Results that are sent at once. Each takes up to a megabyte while its reader is slow. */
  downloads: SlotBounds;
  /** Pages of results that are made at once. */
  pages: SlotBounds;
  /** The time that a reader may take for one page of results, in milliseconds: about seven kilobytes a second. */
  pageMs: number;
}

const BOUNDS: TransferBounds = {
  uploads: { all: 16, reserved: 4, perTenant: 2, waiting: 64, waitingPerTenant: 2, waitMs: 4_000 },
  large: { all: 3, reserved: 1, perTenant: 1, waiting: 16, waitingPerTenant: 2, waitMs: 2_000 },
  unpacking: {},
  storing: { all: 2, reserved: 1, perTenant: 1, waiting: Infinity, waitingPerTenant: Infinity },
  downloads: { all: 100, reserved: 20, perTenant: 4 },
  pages: { all: 4, reserved: 2, perTenant: 1 },
  pageMs: 60_000,
};

/**
 * A reader is slow that takes longer for a page, or for all of its results: one that has several loses one if all places
 * are taken.
 */
const SLOW_MS = { page: 1_000, all: 30_000 };

/** The longest time in which a file is read: a connection without an answer is closed after 30 s, the wait included. */
const READING = { ms: 22_000, late: busy };

/** Results that are being sent. */
interface Sending {
  tenant: Tenant;
  begunAtMs: number;
  /** Since when its reader has had a page to take; undefined: one is being made. */
  heldSinceMs: number | undefined;
  /** Ends it, and frees its place. */
  end: (error: Error) => void;
}

/** A file that was admitted. */
export interface Upload extends FileTurns {
  /**
   * Waits for a place among large files.
   *
   * @throws HttpError 429 or 503 with `Retry-After`.
   */
  enterLarge: () => Promise<void>;
  /**
   * Unpacks the file when it is the workspace's turn.
   *
   * @throws HttpError 429 or 503 with `Retry-After`; the file then does not count against the workspace's limit.
   */
  unpack: (file: PackedFile<Uint8Array>) => Promise<Unpacked>;
  /** Ends the work on it. */
  leave: () => void;
}

/** Bounds concurrent uploads and downloads, of the API and the portal together, and shares them among workspaces. */
export class TransferLimits {
  readonly #unpacker: Unpacker;
  readonly #clock: Clock;
  readonly #bursts: RateLimiter;
  readonly #bounds: TransferBounds;
  readonly #uploads: FairQueue;
  readonly #large: FairQueue;
  readonly #turns: LoopTurns;
  readonly #storing: FairQueue;
  readonly #downloads: Slots;
  readonly #sent = new Set<Sending>();
  readonly #pages: FairQueue;
  readonly #now: () => number;

  /** @param deps.now milliseconds of a clock that never jumps. */
  constructor(
    deps: { rateLimit: OpenRateLimit; clock: Clock; bounds?: Partial<TransferBounds>; now?: () => number },
    turns = new LoopTurns(deps.now),
  ) {
    const { rateLimit, clock, bounds, now = () => performance.now() } = deps;
    this.#bounds = { ...BOUNDS, ...bounds };
    const { uploads, large, unpacking, storing, downloads, pages } = this.#bounds;
    this.#clock = clock;
    this.#now = now;
    this.#bursts = rateLimit('uploads', UPLOADS);
    this.#uploads = new FairQueue(uploads, now);
    this.#large = new FairQueue(large, now);
    this.#turns = turns;
    this.#storing = new FairQueue(storing, now);
    this.#unpacker = new Unpacker(unpacking);
    this.#downloads = new Slots(downloads);
    this.#pages = new FairQueue({ ...pages, waiting: downloads.all, waitingPerTenant: downloads.perTenant }, now);
  }

  /**
   * Admits a file before any of it is read, when it is the workspace's turn.
   *
   * @throws HttpError 429 or 503 with `Retry-After`.
   */
  async receive(tenant: Tenant, exchange: Exchange): Promise<Upload> {
    const gone = new AbortController();
    const places = new Set<() => void>();
    let isLeft = false;
    const leave = (): void => {
      isLeft = true;
      for (const place of places) place();
      places.clear();
    };
    onceOver(exchange, () => {
      leave();
      // Nobody reads this answer.
      if (!exchange.response.writableFinished) gone.abort(new HttpError(400, textOf(400)));
    });
    const { turn, pause } = this.#turns.work(tenant, gone.signal, READING);
    places.add(pause);
    const place = placeOf(await this.#uploads.enter(tenant, gone.signal), tooManyFiles(this.#bounds.uploads));
    places.add(place);
    // After the place: a refusal for lack of one takes nothing from the limit.
    const seconds = await this.#bursts.take(tenant.id, this.#clock());
    if (seconds > 0) {
      leave();
      const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
      throw tooMany(`Too many files in a short time. Send the next one in ${wait}.`, seconds);
    }
    if (gone.signal.aborted) leave();
    const enterLarge = async (): Promise<void> => {
      const most = tooManyFiles(this.#bounds.large, ` larger than ${MOST_BYTES / 1_000_000} MB`);
      places.add(placeOf(await this.#large.enter(tenant, gone.signal), most));
      if (isLeft) leave();
    };
    const unpack = async (file: PackedFile<Uint8Array>): Promise<Unpacked> => {
      // Other files need not wait for those that are unpacked.
      place();
      pause();
      const entered = await this.#unpacker.enter(tenant, gone.signal);
      if (entered.kind === 'refused') this.#bursts.giveBack(tenant.id);
      const free = placeOf(entered, tooManyFiles(this.#bounds.uploads));
      const unpacked = this.#unpacker.unpack(file);
      // The thread is busy for as long as it works, even if the sender has gone.
      places.add(() => void unpacked.then(free, free));
      return unpacked;
    };
    const store = async <T>(work: () => Promise<T>): Promise<T> => {
      pause();
      const entered = await this.#storing.enter(tenant, gone.signal);
      try {
        gone.signal.throwIfAborted();
        return await work();
      } finally {
        if (entered.kind === 'taken') entered.leave();
      }
    };
    return { enterLarge, turn, unpack, store, leave };
  }

  /** Scans a stored file in turns, until its reader has gone. */
  scan<Result>(tenant: Tenant, exchange: Exchange, scan: (turn: NextTurn) => Promise<Result>): Promise<Result> {
    const gone = new AbortController();
    onceOver(exchange, () => gone.abort(new HttpError(400, textOf(400))));
    const { turn, pause } = this.#turns.work(tenant, gone.signal, READING);
    return scan(turn).finally(pause);
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#unpacker.close();
  }

  /**
   * Sends results page by page, and ends where their reader takes too long for one. Workspaces take turns with each
   * page, of which none begins in one turn of the event loop with another, or with a piece of an upload.
   *
   * @param pages makes them, and waits for another turn after whatever ends one, such as an answer of the database.
   * @throws HttpError 429 or 503 with `Retry-After`.
   */
  send(tenant: Tenant, pages: (turn: NextTurn) => AsyncGenerator<string | Uint8Array>): Readable {
    const { pageMs, downloads } = this.#bounds;
    const most = `A workspace gets at most ${downloads.perTenant} results at once. Wait until one of them has ended.`;
    let place = this.#downloads.take(tenant);
    if (place.kind === 'refused' && place.by === 'all' && this.#endSlow(tenant)) place = this.#downloads.take(tenant);
    const leave = placeOf(place, most);
    const gone = new AbortController();
    const begunAtMs = this.#now();
    const end: Sending['end'] = (error) => void stream.destroy(error);
    const sending: Sending = { tenant, begunAtMs, heldSinceMs: undefined, end };
    const over = (): void => {
      this.#sent.delete(sending);
      leave();
    };
    this.#sent.add(sending);
    const stream = Readable.from(this.#paced(this.#inTurns(tenant, pages, gone.signal), pageMs, sending));
    // Before it waits for the end of the page that is being made, as it does before it closes.
    const destroy = stream.destroy.bind(stream);
    stream.destroy = (error) => {
      over();
      gone.abort();
      return destroy(error);
    };
    return stream.once('close', over);
  }

  /**
   * Ends the results of a slow reader for a workspace that has none: one of those of the workspace that has most.
   *
   * @returns false: no workspace has a slow reader and others.
   */
  #endSlow({ id, isPaid }: Tenant): boolean {
    const sent = [...this.#sent];
    if (sent.some(({ tenant }) => tenant.id === id)) return false;
    const others = sent.filter(({ tenant }) => isPaid || !tenant.isPaid);
    const byTenant = [...Map.groupBy(others, ({ tenant }) => tenant.id).values()].filter(({ length }) => length > 1);
    const nowMs = this.#now();
    for (const all of byTenant.toSorted((a, b) => b.length - a.length)) {
      const isSlow = ({ begunAtMs, heldSinceMs = nowMs }: Sending): boolean =>
        nowMs - heldSinceMs >= SLOW_MS.page || nowMs - begunAtMs >= SLOW_MS.all;
      const oldest = all.find(isSlow); // They are in the order in which they began.
      if (oldest === undefined) continue;
      oldest.end(new Error('The reader of results was slow, and another workspace had none.'));
      return true;
    }
    return false;
  }

  /** Passes pages on, and ends where the next one is not taken in time. */
  async *#paced<Page>(pages: AsyncGenerator<Page>, pageMs: number, sending: Sending): AsyncGenerator<Page> {
    for await (const page of pages) {
      const timer = setTimeout(() => sending.end(new Error('The reader of results has stalled.')), pageMs).unref();
      sending.heldSinceMs = this.#now();
      try {
        yield page;
      } finally {
        sending.heldSinceMs = undefined;
        clearTimeout(timer);
      }
    }
  }

  /** Makes each page when it is the tenant's turn, until the reader has gone. */
  async *#inTurns<Page>(
    tenant: Tenant,
    pagesIn: (turn: NextTurn) => AsyncGenerator<Page>,
    gone: AbortSignal,
  ): AsyncGenerator<Page> {
    const turn = (): Promise<void> => this.#turns.next(tenant, gone);
    const pages = pagesIn(turn);
    try {
      for (;;) {
        const entered = await this.#pages.enter(tenant, gone);
        if (gone.aborted) {
          if (entered.kind === 'taken') entered.leave();
          return;
        }
        if (entered.kind === 'refused') throw new Error('More results are sent than may wait for a page.');
        let page: IteratorResult<Page>;
        try {
          await turn();
          page = await pages.next();
        } catch (error) {
          if (gone.aborted) return;
          throw error;
        } finally {
          entered.leave();
        }
        if (page.done === true) return;
        yield page.value;
      }
    } finally {
      await pages.return(undefined);
    }
  }
}
