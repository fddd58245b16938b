import { setImmediate as nextTurn } from 'node:timers/promises';

import { FairQueue } from './fair-queue.ts';
import type { Tenant } from './slots.ts';
import { TimeBudget, type TimeShare } from './time-budget.ts';

/** Waits for the turn of the event loop in which the next piece of some work may be done. */
export type NextTurn = () => Promise<void>;

/** Gives each piece a turn, and shares turns with no other work: of a thread, or of a test. */
export const anyTurn: NextTurn = () => nextTurn();

/** Does work in steps, each in a turn of its own. */
export async function takeSteps<Result>(
  steps: Generator<undefined, Result, undefined>,
  turn: NextTurn,
): Promise<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await turn();
  }
}

/** The share of the event loop's time that all pieces together may take. */
const SHARE: TimeShare = { share: 0.5, burstMs: 250 };

/**
 * Shares the event loop among tenants: in each turn one piece of the work of one of them, however many there are, so
 * that requests wait for no more. Where pieces take long, the next one waits until requests have had as much time.
 */
export class LoopTurns {
  readonly #now: () => number;
  readonly #budget: TimeBudget;
  readonly #queue: FairQueue;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#budget = new TimeBudget(SHARE, now);
    this.#queue = new FairQueue({ all: 1, perTenant: 1, waiting: Infinity, waitingPerTenant: Infinity }, now);
  }

  /**
   * Resolves in the tenant's turn, which ends by itself.
   *
   * @throws the reason of the signal once it is aborted.
   */
  async next(tenant: Tenant, signal: AbortSignal): Promise<void> {
    const entered = await this.#queue.enter(tenant, signal);
    // Also when it came too late: a turn that does not end is the last one.
    if (entered.kind === 'taken') this.#end(entered.leave);
    signal.throwIfAborted();
    if (entered.kind === 'refused') throw new Error('A turn was refused, although as many as come may wait.');
  }

  #end(leave: () => void): void {
    const beganMs = this.#now();
    // Runs when the piece waits for something, or is done.
    process.nextTick(() => {
      this.#budget.spend(this.#now() - beganMs);
      const lackMs = this.#budget.lackMs();
      if (lackMs === 0) setImmediate(leave);
      // Timers come before what has arrived meanwhile.
      else setTimeout(() => setImmediate(leave), lackMs);
    });
  }
}
