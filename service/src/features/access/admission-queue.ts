/** Kinds of requests, in the order in which they are served when not all can be. */
export const KINDS = ['paid', 'free', 'batch', 'public'] as const;

/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

interface Pending<T> {
  item: T;
  sinceMs: number;
}

/** What is pending of one kind, the oldest first. */
class Stack<T> {
  #pending: Pending<T>[] = [];
  /** Those before it are gone. */
  #first = 0;

  get size(): number {
    return this.#pending.length - this.#first;
  }

  push(pending: Pending<T>): void {
    this.#pending.push(pending);
  }

  /** The oldest if it came after a moment, else the newest. */
  next(afterMs: number): T | undefined {
    const oldest = this.#pending[this.#first];
    if (oldest === undefined) return undefined;
    if (oldest.sinceMs > afterMs) return this.oldest();
    return this.#trimmed(this.#pending.pop()?.item);
  }

  /** The oldest, if it came before a moment. */
  oldest(beforeMs = Infinity): T | undefined {
    const pending = this.#pending[this.#first];
    if (pending === undefined || pending.sinceMs > beforeMs) return undefined;
    this.#first += 1;
    return this.#trimmed(pending.item);
  }

  #trimmed(item: T | undefined): T | undefined {
    // Half of it is gone: each item is moved once at most, on average.
    if (this.#first * 2 < this.#pending.length) return item;
    this.#pending = this.#pending.slice(this.#first);
    this.#first = 0;
    return item;
  }
}

/**
 * Requests that wait to be served, the oldest of a kind first. Once that one has waited for long, not all can be served: then
 * the newest comes first, so that those that are served get their answers early, and the old ones, whose clients may have
 * given up, are refused.
 */
export class AdmissionQueue<T> {
  readonly #stacks = KINDS.map(() => new Stack<T>());
  #turn = 0;
  size = 0;

  add(kind: Kind, item: T, nowMs: number): void {
    this.#stacks[KINDS.indexOf(kind)]?.push({ item, sinceMs: nowMs });
    this.size += 1;
  }

  /**
   * Takes the next one. One place of sixteen goes to the kind after the first one that has any: none starves, and a key
   * that was not seen before comes to be known.
   */
  next(afterMs: number): T | undefined {
    this.#turn = (this.#turn + 1) % 16;
    const filled = this.#stacks.filter(({ size }) => size > 0);
    return this.#taken((this.#turn === 0 ? (filled[1] ?? filled[0]) : filled[0])?.next(afterMs));
  }

  /** Takes the oldest of the last kind that has any: what is refused where no more may wait. */
  last(): T | undefined {
    return this.#taken(this.#stacks.findLast(({ size }) => size > 0)?.oldest());
  }

  /** Takes those that came before a moment. */
  expired(beforeMs: number): T[] {
    const expired: T[] = [];
    for (const stack of this.#stacks) {
      for (;;) {
        const item = this.#taken(stack.oldest(beforeMs));
        if (item === undefined) break;
        expired.push(item);
      }
    }
    return expired;
  }

  #taken(item: T | undefined): T | undefined {
    if (item !== undefined) this.size -= 1;
    return item;
  }
}
