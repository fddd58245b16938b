import type { ChargeRequest, RequestResult } from './store.ts';

/** A request that waits for its transaction. */
export interface Waiter extends ChargeRequest {
  subject: string;
  windowStartMs: number;
  windowEndMs: number;
  limit: number | null;
  /** Stored only, not charged. */
  free: boolean;
  /** When it began to wait, on the monotonic clock. */
  sinceMs: number;
  /** Told when its transaction begins. */
  begun: (() => void) | undefined;
  settle: (result: RequestResult | 'overloaded') => void;
  fail: (reason: unknown) => void;
}

interface QueueBounds {
  batch: number;
  queuedPerSubject: number;
  queued: number;
  waitMs: number;
}

/** The waiters of one subject, in the order they came in. */
interface Line {
  waiters: Waiter[];
  decodes: number;
  /** In a transaction that is under way: the line has to wait for it. */
  underWay: boolean;
}

/**
 * Who waits for a transaction: one line for each subject, served in turn, so that a busy workspace does not hold up
 * the others. Those who wait too long are told so.
 */
export class Queue {
  readonly #bounds: QueueBounds;
  /** In the order in which they are to be served. */
  readonly #lines = new Map<string, Line>();
  #decodes = 0;
  #underWay = 0;
  #expiry: NodeJS.Timeout | undefined;
  #drained: (() => void)[] = [];

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  /** How many decodes wait. */
  get waiting(): number {
    return this.#decodes;
  }

  /** Whether a request may wait. One that is larger than the bounds may when nothing else waits. */
  hasRoom({ subject, decodes }: Pick<Waiter, 'subject' | 'decodes'>): boolean {
    const before = this.#lines.get(subject)?.decodes ?? 0;
    const fits = (waiting: number, bound: number): boolean => waiting === 0 || waiting + decodes.length <= bound;
    return fits(before, this.#bounds.queuedPerSubject) && fits(this.#decodes, this.#bounds.queued);
  }

  add(waiter: Waiter): void {
    let line = this.#lines.get(waiter.subject);
    if (line === undefined) {
      line = { waiters: [], decodes: 0, underWay: false };
      this.#lines.set(waiter.subject, line);
    }
    line.waiters.push(waiter);
    line.decodes += waiter.decodes.length;
    this.#decodes += waiter.decodes.length;
    this.#expiry ??= setTimeout(() => this.#expire(), this.#bounds.waitMs);
  }

  /** The next transaction's waiters, of subjects that have none under way. Give them to `done` afterwards. */
  take(): Waiter[] {
    const taken: Waiter[] = [];
    let room = this.#bounds.batch;
    for (const [subject, line] of this.#lines) {
      if (room <= 0) break;
      if (line.underWay || line.waiters.length === 0) continue;
      const count = fitting(line.waiters, room, taken.length === 0);
      if (count === 0) continue;
      for (const waiter of line.waiters.splice(0, count)) {
        room -= waiter.decodes.length;
        this.#forget(line, waiter);
        taken.push(waiter);
      }
      line.underWay = true;
      // To the end of the order: the others come first next time.
      this.#lines.delete(subject);
      this.#lines.set(subject, line);
    }
    if (taken.length > 0) this.#underWay += 1;
    return taken;
  }

  /** The waiters' transaction is over: their subjects may go into the next one. */
  done(waiters: readonly Waiter[]): void {
    for (const { subject } of waiters) {
      const line = this.#lines.get(subject);
      if (line === undefined) continue;
      line.underWay = false;
      if (line.waiters.length === 0) this.#lines.delete(subject);
    }
    this.#underWay -= 1;
    this.#tellDrained();
  }

  /** Resolves when nothing waits and no transaction is under way. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#tellDrained();
    });
  }

  #forget(line: Line, waiter: Waiter): void {
    line.decodes -= waiter.decodes.length;
    this.#decodes -= waiter.decodes.length;
  }

  #tellDrained(): void {
    if (this.#decodes > 0 || this.#underWay > 0) return;
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Tells those who waited too long, and comes back for the next one. */
  #expire(): void {
    const now = performance.now();
    let oldestMs = Infinity;
    for (const [subject, line] of this.#lines) {
      const keep = line.waiters.findIndex(({ sinceMs }) => now - sinceMs < this.#bounds.waitMs - 1);
      for (const waiter of line.waiters.splice(0, keep === -1 ? line.waiters.length : keep)) {
        this.#forget(line, waiter);
        waiter.settle('overloaded');
      }
      oldestMs = Math.min(oldestMs, line.waiters[0]?.sinceMs ?? Infinity);
      if (line.waiters.length === 0 && !line.underWay) this.#lines.delete(subject);
    }
    this.#expiry =
      oldestMs === Infinity ? undefined : setTimeout(() => this.#expire(), oldestMs + this.#bounds.waitMs - now);
    this.#tellDrained();
  }
}

/** How many of a line's first waiters fit. The very first one of a transaction fits whatever its size. */
function fitting(waiters: readonly Waiter[], room: number, first: boolean): number {
  let left = room;
  let count = 0;
  for (const { decodes } of waiters) {
    if (decodes.length > left && !(first && count === 0)) break;
    left -= decodes.length;
    count += 1;
  }
  return count;
}
