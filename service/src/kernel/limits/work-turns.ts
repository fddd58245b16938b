import { setTimeout } from 'node:timers/promises';

import { FairQueue } from './fair-queue.ts';
import type { LoopTurns } from './loop-turns.ts';
import type { RefusedBy, Tenant } from './slots.ts';
import { TimeBudget } from './time-budget.ts';
import { wideNetworkOf } from './wide-network.ts';

/** Limits on work that is free for anybody, and takes processor time from paid decodes. */
const BOUNDS = {
  /** Share of one processor's time that all of it may take. One piece takes up to a tenth of a second. */
  share: 0.25,
  /** Milliseconds that it may take at once after a pause. With 2,000, decodes beside a burst waited 0.1 s. */
  burstMs: 250,
  /** Pieces that may wait for their turn: of all networks, and of one. */
  waiting: 20,
  waitingPerTenant: 10,
};

/** Bounds of such work: tests set their own. */
type WorkBounds = Readonly<typeof BOUNDS>;

/** Work that was begun is done, whether or not somebody waits for it. */
const NEVER = new AbortController().signal;

/**
 * Does work for the whole process: one piece in a turn of the event loop that other work shares, and within a budget of
 * processor time of its own.
 */
export class WorkTurns {
  readonly #turns: Pick<LoopTurns, 'next'>;
  readonly #now: () => number;
  readonly #budget: TimeBudget;
  readonly #queue: FairQueue;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(
    turns: Pick<LoopTurns, 'next'>,
    bounds: WorkBounds = BOUNDS,
    now: () => number = () => performance.now(),
  ) {
    this.#turns = turns;
    this.#now = now;
    this.#budget = new TimeBudget(bounds, now);
    this.#queue = new FairQueue({ all: 1, perTenant: 1, ...bounds }, now);
  }

  /**
   * Does a piece of work when it is its turn; refused when too many wait.
   *
   * @param network where the request came from: networks take turns.
   */
  run<T>(network: string, work: () => T): Promise<{ kind: 'done'; result: T } | { kind: 'refused'; by: RefusedBy }> {
    const tenant = tenantOf(network);
    return this.#queue.run(tenant, () => this.#take(tenant, work));
  }

  /** Does work that takes long in steps, each in a turn of its own. */
  runSteps<T>(
    network: string,
    work: () => Generator<undefined, T, undefined>,
  ): Promise<{ kind: 'done'; result: T } | { kind: 'refused'; by: RefusedBy }> {
    const tenant = tenantOf(network);
    return this.#queue.run(tenant, async () => {
      const steps = await this.#take(tenant, work);
      for (;;) {
        const step = await this.#take(tenant, () => steps.next());
        if (step.done === true) return step.value;
      }
    });
  }

  async #take<T>(tenant: Tenant, work: () => T): Promise<T> {
    for (let lackMs = this.#budget.lackMs(); lackMs > 0; lackMs = this.#budget.lackMs()) await setTimeout(lackMs);
    await this.#turns.next(tenant, NEVER);
    const beganAtMs = this.#now();
    try {
      return work();
    } finally {
      this.#budget.spend(this.#now() - beganAtMs);
    }
  }
}

/** Returns the tenant whose turns a network takes: all networks of one customer share them. */
function tenantOf(network: string): Tenant {
  return { id: wideNetworkOf(network), isPaid: false };
}
