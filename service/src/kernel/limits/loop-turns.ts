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

/** Work of paid plans, or that of others. */
interface Lane {
  queue: FairQueue;
  budget: TimeBudget;
  /** Long work: one at a time. */
  long: FairQueue;
}

/** The share of the event loop's time that all pieces of paid plans, or of others, together may take. */
const SHARE: TimeShare = { share: 0.5, burstMs: 250 };

/** Turns after which some work counts as long: of a table, those for half a megabyte. */
const LONG_TURNS = 50;

/** Milliseconds after which long work lets other long work come before it. */
const QUANTUM_MS = 8_000;

/** The longest time that long work waits for other long work, so that what begins can end in time. */
const LONG_WAIT_MS = 15_000;

/** The turns of one piece of work, such as reading a file. */
interface PacedWork {
  /** @throws the reason of the signal once it is aborted, or the error for late work. */
  turn: NextTurn;
  /** Lets other long work go on while this waits for something else, or after its end. */
  pause: () => void;
}

/**
 * Shares the event loop among tenants: in each turn one piece of the work of one of those with a paid plan, and one of
 * the others, however many there are, so that requests wait for no more. Where pieces take long, the next one waits
 * until requests have had as much time.
 */
export class LoopTurns {
  readonly #now: () => number;
  readonly #paid: Lane;
  readonly #others: Lane;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(now: () => number = () => performance.now()) {
    const bounds = { all: 1, perTenant: 1, waiting: Infinity, waitingPerTenant: Infinity };
    const open = (): Lane => ({
      queue: new FairQueue(bounds, now),
      budget: new TimeBudget(SHARE, now),
      long: new FairQueue({ ...bounds, waitMs: LONG_WAIT_MS }, now),
    });
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
    const { queue, budget } = this.#laneOf(tenant);
    const entered = await queue.enter(tenant, signal);
    // Also when it came too late: a turn that does not end is the last one.
    if (entered.kind === 'taken') this.#end(budget, entered.leave);
    signal.throwIfAborted();
    if (entered.kind === 'refused') throw new Error('A turn was refused, although as many as come may wait.');
  }

  /**
   * Returns the turns of some work. Long work of one lane is done one after the other: side by side, all would be late
   * where there is more than can be done in time.
   *
   * @param bounds milliseconds for all of it, and what makes the error of work that is late.
   */
  work(tenant: Tenant, signal: AbortSignal, { ms, late }: { ms: number; late: () => Error }): PacedWork {
    const { long } = this.#laneOf(tenant);
    let turns = 0;
    let sinceMs = 0;
    let beganMs: number | undefined;
    let leave: (() => void) | undefined;
    const pause = (): void => {
      leave?.();
      leave = undefined;
    };
    signal.addEventListener('abort', pause);
    const turn = async (): Promise<void> => {
      turns += 1;
      beganMs ??= this.#now();
      if (this.#now() - sinceMs > QUANTUM_MS) pause();
      if (turns > LONG_TURNS && leave === undefined) {
        const leftMs = Math.max(0, Math.round(ms - (this.#now() - beganMs)));
        const entered = await long.enter(tenant, AbortSignal.any([signal, AbortSignal.timeout(leftMs)]));
        if (entered.kind === 'taken') leave = entered.leave;
        sinceMs = this.#now();
        if (signal.aborted) pause();
        signal.throwIfAborted();
        if (entered.kind === 'refused') throw late();
      }
      await this.next(tenant, signal);
    };
    return { turn: withinTime(turn, ms, late, this.#now), pause };
  }

  #laneOf({ isPaid }: Tenant): Lane {
    return isPaid ? this.#paid : this.#others;
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
