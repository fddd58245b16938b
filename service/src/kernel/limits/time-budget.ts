/** A share of one processor's time. */
export interface TimeShare {
  /** Share of the time that passes, from 0 to 1. */
  share: number;
  /** Milliseconds that may be taken at once after a pause. */
  burstMs: number;
}

/** The most that one piece of work counts as: a process that stood still meanwhile has taken no time from others. */
const LONGEST_MS = 1_000;

/** A token bucket whose tokens are milliseconds of work. */
export class TimeBudget {
  readonly #bounds: TimeShare;
  readonly #now: () => number;
  #leftMs: number;
  #filledAtMs: number;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(bounds: TimeShare, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#now = now;
    this.#leftMs = bounds.burstMs;
    this.#filledAtMs = now();
  }

  /** Returns the milliseconds until some budget is left; 0: now. */
  lackMs(): number {
    const now = this.#now();
    const { share, burstMs } = this.#bounds;
    this.#leftMs = Math.min(burstMs, this.#leftMs + (now - this.#filledAtMs) * share);
    this.#filledAtMs = now;
    return this.#leftMs > 0 ? 0 : Math.max(1, -this.#leftMs / share);
  }

  /** Takes time that work has used. The last work may take more than is left. */
  spend(ms: number): void {
    this.#leftMs -= Math.min(LONGEST_MS, ms);
  }
}
