/** Kinds of requests, in the order in which they are served when not all can be. */
export const KINDS = ['paid', 'free', 'batch', 'public', 'page'] as const;

/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

interface Pending<T> {
  item: T;
  sinceMs: number;
}

/**
 * Requests that wait to be served, the oldest of a kind first. Once that one has waited for long, not all can be served: then
 * the newest comes first, so that those that are served get their answers early, and the old ones, whose clients may have
 * given up, are refused.
 */
export class AdmissionQueue<T> {
  /** What is pending of each kind, the oldest first. */
  readonly #pending = KINDS.map((): Pending<T>[] => []);
  #turn = 0;
  size = 0;

  add(kind: Kind, item: T, nowMs: number): void {
    this.#pending[KINDS.indexOf(kind)]?.push({ item, sinceMs: nowMs });
    this.size += 1;
  }

  /**
   * Takes the next one: of a kind whose oldest came after a moment that one, else the newest. One place of sixteen goes to
   * the kind after the first one that has any: none starves, and a new key gets cached.
   */
  next(afterMs: number): T | undefined {
    this.#turn = (this.#turn + 1) % 16;
    const filled = this.#pending.filter(({ length }) => length > 0);
    const pending = this.#turn === 0 ? (filled[1] ?? filled[0]) : filled[0];
    return this.#taken((pending?.[0]?.sinceMs ?? 0) > afterMs ? pending?.shift() : pending?.pop());
  }

  /** Takes the oldest of the last kind that has any: what is refused where no more may wait. */
  last(): T | undefined {
    return this.#taken(this.#pending.findLast(({ length }) => length > 0)?.shift());
  }

  /** Takes those that came before a moment. */
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
