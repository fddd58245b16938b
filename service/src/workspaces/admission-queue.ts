/** Kinds of requests, in the order in which they are served when not all can be. */
const KINDS = ['paid', 'paid-batch', 'free', 'batch', 'public', 'page'] as const;

/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

/** The kind of a request, and whether it needs a place of other plans. */
export interface Sort {
  kind: Kind;
  /** True if it is served while those of other plans have all of their places: it may be of a paid plan, or takes none. */
  passes: boolean;
}

/** A place in the queue. */
export interface Place<T> {
  /** Undefined: it was taken, or dropped. */
  item: T | undefined;
  sinceMs: number;
  passes: boolean;
}

/**
 * Pending requests, the oldest of each kind first. Once the oldest has waited for long, not all can be served: then the
 * newest comes first, so that some are answered in time, and the old ones, whose clients may have given up, are
 * refused.
 */
export class AdmissionQueue<T> {
  /** Pending requests of each kind, the oldest first. */
  readonly #pending = KINDS.map((): Place<T>[] => []);
  #turn = 0;
  size = 0;
  /** Requests that are served while other plans have all of their places. */
  passing = 0;

  /** Adds a request. @returns its place, for `drop`. */
  add({ kind, passes }: Sort, item: T, nowMs: number): Place<T> {
    const place = { item, sinceMs: nowMs, passes };
    this.#pending[KINDS.indexOf(kind)]?.push(place);
    this.size += 1;
    if (passes) this.passing += 1;
    return place;
  }

  /** Drops a request if it is still pending. */
  drop(place: Place<T>): void {
    this.#taken(place);
  }

  /**
   * Takes the next request of a kind: the oldest if it arrived after `afterMs`, otherwise the newest. One turn in
   * sixteen goes to the second kind that has any: none starves, and a new key gets cached.
   *
   * @param isHeld true to take one that passes: the others have all of their places.
   */
  next(afterMs: number, isHeld = false): T | undefined {
    if (isHeld && this.passing === 0) return undefined;
    this.#turn = (this.#turn + 1) % 16;
    const filled = isHeld ? this.#passingOnly() : this.#filled();
    const pending = this.#turn === 0 ? (filled[1] ?? filled[0]) : filled[0];
    const place = (pending?.[0]?.sinceMs ?? 0) > afterMs ? pending?.[0] : pending?.at(-1);
    return this.#taken(place);
  }

  /** Takes the oldest request of the lowest kind: it is refused if no more may wait. */
  last(): T | undefined {
    return this.#taken(this.#filled().at(-1)?.shift());
  }

  /** Takes the requests that arrived before `beforeMs`. */
  expired(beforeMs: number): T[] {
    return this.#pending.flatMap((pending) => {
      const keep = pending.findIndex(({ sinceMs }) => sinceMs > beforeMs);
      const expired = pending.splice(0, keep === -1 ? pending.length : keep);
      return expired.map((place) => this.#taken(place)).filter((item) => item !== undefined);
    });
  }

  /** Returns the kinds that have any, without the dropped ones at both ends. */
  #filled(): Place<T>[][] {
    for (const pending of this.#pending) {
      while (pending.length > 0 && pending[0]?.item === undefined) pending.shift();
      while (pending.length > 0 && pending.at(-1)?.item === undefined) pending.pop();
    }
    return this.#pending.filter(({ length }) => length > 0);
  }

  /** Returns those that pass, of each kind that has any. */
  #passingOnly(): Place<T>[][] {
    const passes = ({ item, passes: does }: Place<T>): boolean => does && item !== undefined;
    return this.#pending.map((pending) => pending.filter(passes)).filter(({ length }) => length > 0);
  }

  #taken(place: Place<T> | undefined): T | undefined {
    const item = place?.item;
    if (place === undefined || item === undefined) return undefined;
    place.item = undefined;
    this.size -= 1;
    if (place.passes) this.passing -= 1;
    return item;
  }
}
