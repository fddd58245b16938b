import { setImmediate, setTimeout } from 'node:timers/promises';

import { HttpError } from '../../kernel/http/http-error.ts';

/** Limits on writing lists: it is free for anybody, and takes processor time from paid decodes. */
const BOUNDS = {
  /** Share of one processor's time that all lists together may take. A long one takes up to a tenth of a second. */
  share: 0.25,
  /** Milliseconds that they may take at once after a pause: a few lists. With 2,000, decodes beside a burst waited 0.1 s. */
  burstMs: 250,
  /** Lists that may wait for their turn. */
  queued: 20,
};

/** Bounds of writing lists: tests set their own. */
type ListBounds = Readonly<typeof BOUNDS>;

/** Writes lists for the whole process: one in a turn of the event loop, and within a budget of processor time. */
export class ListTurns {
  readonly #bounds: ListBounds;
  readonly #now: () => number;
  #budgetMs: number;
  #filledAtMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #queued = 0;

  /** @param now milliseconds of a clock that is never set. */
  constructor(bounds: ListBounds = BOUNDS, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#now = now;
    this.#budgetMs = bounds.burstMs;
    this.#filledAtMs = now();
  }

  /**
   * Writes a list when it is its turn.
   *
   * @throws HttpError 503 when too many lists wait.
   */
  async write(list: () => string): Promise<string> {
    if (this.#queued >= this.#bounds.queued) {
      throw new HttpError(503, 'Too many lists are being written. Try again in a second.', { 'retry-after': '1' });
    }
    this.#queued += 1;
    const turn = this.#last.then(() => this.#take(list));
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#queued -= 1;
    }
  }

  async #take(list: () => string): Promise<string> {
    await setImmediate();
    for (let lackMs = this.#lackMs(); lackMs > 0; lackMs = this.#lackMs()) await setTimeout(lackMs);
    const beganAtMs = this.#now();
    try {
      return list();
    } finally {
      this.#budgetMs -= this.#now() - beganAtMs;
    }
  }

  /** Milliseconds until something of the budget is there; 0: now. */
  #lackMs(): number {
    const now = this.#now();
    const { share, burstMs } = this.#bounds;
    this.#budgetMs = Math.min(burstMs, this.#budgetMs + (now - this.#filledAtMs) * share);
    this.#filledAtMs = now;
    return this.#budgetMs > 0 ? 0 : Math.max(1, -this.#budgetMs / share);
  }
}
