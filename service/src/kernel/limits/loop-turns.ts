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

/**
 * Returns turns that end after some time since the first one was asked for.
 *
 * @param late makes the error that they throw then.
 */
export function withinTime(turn: NextTurn, mostMs: number, late: () => Error, now: () => number): NextTurn {
  let beganAtMs: number | undefined;
  return async () => {
    beganAtMs ??= now();
    await turn();
    if (now() - beganAtMs > mostMs) throw late();
  };
}

/** The share of the event loop's time that all pieces of paid plans, or of others, together may take. */
const SHARE: TimeShare = { share: 0.5, burstMs: 250 };

/**
 * Shares the event loop among tenants: in each turn one piece of the work of one of those with a paid plan, and one of
 * the others, however many there are, so that requests wait for no more. Where pieces take long, the next one waits
 * until requests have had as much time.
 */
export class LoopTurns {
  readonly #now: () => number;
  readonly #paid: { queue: FairQueue; budget: TimeBudget };
  readonly #others: { queue: FairQueue; budget: TimeBudget };

  /** @param now milliseconds of a clock that never jumps. */
  constructor(now: () => number = () => performance.now()) {
    const bounds = { all: 1, perTenant: 1, waiting: Infinity, waitingPerTenant: Infinity };
    const open = () => ({ queue: new FairQueue(bounds, now), budget: new TimeBudget(SHARE, now) });
    this.#now = now;
    this.#paid = open();
    this.#others = open();
  }

  /**
   * Resolves in the tenant's turn, which ends by itself.
   *
   * @throws the reason of the signal once it is aborted.
   */
  async next(tenant: Tenant, signal: AbortSignal): Promise<void> {
    const { queue, budget } = tenant.isPaid ? this.#paid : this.#others;
    const entered = await queue.enter(tenant, signal);
    // Also when it came too late: a turn that does not end is the last one.
    if (entered.kind === 'taken') this.#end(budget, entered.leave);
    signal.throwIfAborted();
    if (entered.kind === 'refused') throw new Error('A turn was refused, although as many as come may wait.');
  }

  #end(budget: TimeBudget, leave: () => void): void {
    const beganMs = this.#now();
    // Runs when the piece waits for something, or is done.
    process.nextTick(() => {
      budget.spend(this.#now() - beganMs);
      const lackMs = budget.lackMs();
      if (lackMs === 0) setImmediate(leave);
      // Timers come before what has arrived meanwhile.
      else setTimeout(() => setImmediate(leave), lackMs);
    });
  }
}
