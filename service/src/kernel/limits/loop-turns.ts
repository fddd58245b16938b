import { setImmediate as nextTurn } from 'node:timers/promises';

import { FairQueue } from './fair-queue.ts';
import type { Tenant } from './slots.ts';

/** Waits for the turn of the event loop in which the next piece of some work may be done. */
export type NextTurn = () => Promise<void>;

/** Gives each piece a turn, and shares turns with no other work: of a thread, or of a test. */
export const anyTurn: NextTurn = () => nextTurn();

/**
 * Shares the event loop among tenants: in each turn one piece of the work of one of them, however many there are, so
 * that requests wait for no more.
 */
export class LoopTurns {
  readonly #queue: FairQueue;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(now?: () => number) {
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
    if (entered.kind === 'taken') setImmediate(entered.leave);
    signal.throwIfAborted();
    if (entered.kind === 'refused') throw new Error('A turn was refused, although as many as come may wait.');
  }
}
