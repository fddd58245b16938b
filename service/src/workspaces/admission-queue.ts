/** Kinds of requests, in the order in which they are served when not all can be. */
const KINDS = ['paid', 'free', 'batch', 'public', 'page'] as const;

/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

interface Pending<T> {
  item: T;
  sinceMs: number;
}

/**
 * Pending requests, the oldest of each kind first. Once the oldest has waited for long, not all can be served: then the
 * newest comes first, so that some are answered in time, and the old ones, whose clients may have given up, are
 * refused.
 */
export class AdmissionQueue<T> {
  /** Pending requests of each kind, the oldest first. */
  readonly #pending = KINDS.map((): Pending<T>[] => []);
  #turn = 0;
  size = 0;

  add(kind: Kind, item: T, nowMs: number): void {
    this.#pending[KINDS.indexOf(kind)]?.push({ item, sinceMs: nowMs });
    this.size += 1;
  }

  /**
   * Takes the next request of a kind: the oldest if it arrived after `afterMs`, otherwise the newest. One turn in
   * sixteen goes to the second kind that has any: none starves, and a new key gets cached.
   */
  next(afterMs: number): T | undefined {
    this.#turn = (this.#turn + 1) % 16;
    const filled = this.#pending.filter(({ length }) => length > 0);
    const pending = this.#turn === 0 ? (filled[1] ?? filled[0]) : filled[0];
    return this.#taken((pending?.[0]?.sinceMs ?? 0) > afterMs ? pending?.shift() : pending?.pop());
  }

  /** Takes the oldest request of the lowest kind: it is refused if no more may wait. */
  last(): T | undefined {
    return this.#taken(this.#pending.findLast(({ length }) => length > 0)?.shift());
  }

  /** Takes the requests that arrived before `beforeMs`. */
  expired(beforeMs: number): T[] {
    return this.#pending.flatMap((pending) => {
      const keep = pending.findIndex(({ sinceMs }) => sinceMs > beforeMs);
      const expired = pending.splice(0, keep === -1 ? pending.length : keep);
      this.size -= expired.length;
      return expired.map(({ item }) => item);
    });
  }

  #taken(pending: Pending<T> | undefined): T | undefined {
    if (pending !== undefined) this.size -= 1;
    return pending?.item;
  }
}
