import { setImmediate, setTimeout } from 'node:timers/promises';

import { HttpError } from '../../kernel/http/http-error.ts';
import { FairQueue } from '../../kernel/limits/fair-queue.ts';
import { TimeBudget } from '../../kernel/limits/time-budget.ts';

/** Limits on writing lists: it is free for anybody, and takes processor time from paid decodes. */
const BOUNDS = {
  /** Share of one processor's time that all lists together may take. A long one takes up to a tenth of a second. */
  share: 0.25,
  /**
   * Milliseconds that they may take at once after a pause: a few lists. With 2,000, decodes beside a burst waited 0.1
   * s.
   */
  burstMs: 250,
  /** Lists that may wait for their turn: of all networks, and of one. */
  waiting: 20,
  waitingPerTenant: 10,
};

/** Bounds of writing lists: tests set their own. */
type ListBounds = Readonly<typeof BOUNDS>;

/** Writes lists for the whole process: one in a turn of the event loop, and within a budget of processor time. */
export class ListTurns {
  readonly #now: () => number;
  readonly #budget: TimeBudget;
  readonly #queue: FairQueue;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(bounds: ListBounds = BOUNDS, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#budget = new TimeBudget(bounds, now);
    this.#queue = new FairQueue({ all: 1, perTenant: 1, ...bounds }, now);
  }

  /**
   * Writes a list when it is its turn.
   *
   * @param network where the request came from: networks take turns.
   * @throws HttpError 503 when too many lists wait.
   */
  async write(network: string, list: () => string): Promise<string> {
    const written = await this.#queue.run({ id: network, isPaid: false }, () => this.#take(list));
    if (written.kind === 'done') return written.result;
    throw new HttpError(503, 'Too many lists are being written. Try again in a second.', { 'retry-after': '1' });
  }

  async #take(list: () => string): Promise<string> {
    await setImmediate();
    for (let lackMs = this.#budget.lackMs(); lackMs > 0; lackMs = this.#budget.lackMs()) await setTimeout(lackMs);
    const beganAtMs = this.#now();
    try {
      return list();
    } finally {
      this.#budget.spend(this.#now() - beganAtMs);
    }
  }
}
