/** How late the event loop may be before there is too much to do, milliseconds: what a request waits at each turn. */
const LATE_MS = 60;

/** Measurements in a row that must be late: one pause, of the machine or for collecting garbage, is no overload. */
const LATE_IN_A_ROW = 3;

/** The limit is never less than this: it must be enough to keep commits large. */
const LEAST = 200;

/**
 * How many requests may be under way: what the process can bear. A fixed number is too much for a small machine, where
 * it means seconds of waiting; so the limit falls while the event loop is late, and rises again when it is not.
 *
 * A slow disk or database does not lower it: waiting for them costs nothing, and more requests make larger commits.
 */
export class ConcurrencyLimit {
  readonly #most: number;
  #size: number;
  #lateInARow = 0;

  /** @param most the limit of a process that is never late. */
  constructor(most: number) {
    this.#most = most;
    this.#size = most;
  }

  /** Requests that may be under way now. */
  get size(): number {
    return this.#size;
  }

  /** Takes in how late the event loop is, milliseconds; call it often and at a steady interval. */
  measure(lateMs: number, underWay: number): void {
    this.#lateInARow = lateMs > LATE_MS ? this.#lateInARow + 1 : 0;
    if (this.#lateInARow >= LATE_IN_A_ROW) {
      this.#size = Math.max(Math.min(LEAST, this.#most), Math.floor(Math.min(this.#size, underWay) * 0.9));
    } else if (lateMs < LATE_MS / 2) {
      this.#size = Math.min(this.#most, Math.ceil(this.#size * 1.02));
    }
  }
}
