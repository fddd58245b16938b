import { type Place, take, TenantTurns } from './tenant-turns.ts';

/** A kind of requests. */
export type Kind = 'paid' | 'paid-batch' | 'free' | 'batch' | 'public' | 'page';

/** The kind of a request, whose it is, and whether it needs a place of other plans. */
export interface Sort {
  kind: Kind;
  /** The workspace or network that it is of. */
  tenant: string;
  /** True if it is served while those of other plans have all of their places: it may be of a paid plan, or takes none. */
  passes: boolean;
}

/** Pending requests, by kind. */
export class AdmissionQueue<T> {
  readonly #turnsOf: Readonly<Record<Kind, TenantTurns<T>>> = {
    paid: new TenantTurns(),
    'paid-batch': new TenantTurns(),
    free: new TenantTurns(),
    batch: new TenantTurns(),
    public: new TenantTurns(),
    page: new TenantTurns(),
  };
  /** In the order in which they are served when not all can be. */
  readonly #kinds: readonly TenantTurns<T>[] = Object.values(this.#turnsOf);
  #turn = 0;

  get size(): number {
    return this.#kinds.reduce((sum, { size }) => sum + size, 0);
  }

  /** The number of requests that are served while other plans have all of their places. */
  get passing(): number {
    return this.#kinds.reduce((sum, { passing }) => sum + passing, 0);
  }

  /** Adds a request. @returns its place, for `drop`. */
  add({ kind, tenant, passes }: Sort, item: T, nowMs: number): Place<T> {
    return this.#turnsOf[kind].add(tenant, passes, item, nowMs);
  }

  /**
   * Takes the next request of a kind. One turn in sixteen goes to the second kind that has any: none starves, and a new
   * key gets cached.
   *
   * @param afterMs see `TenantTurns`. @param isHeld true to take one that passes: the others have all of their places.
   */
  next(afterMs: number, isHeld = false): T | undefined {
    const filled = this.#kinds.filter(({ size, passing }) => (isHeld ? passing : size) > 0);
    if (filled.length === 0) return undefined;
    this.#turn = (this.#turn + 1) % 16;
    const kind = this.#turn === 0 ? (filled[1] ?? filled[0]) : filled[0];
    return kind?.next(afterMs, isHeld);
  }

  /** Takes the oldest request of the tenant with most of the lowest kind: it is refused if no more may wait. */
  last(): T | undefined {
    return this.#kinds.findLast(({ size }) => size > 0)?.ofLongest();
  }

  /** Drops a request if it is still pending. */
  drop(place: Place<T>): void {
    take(place);
  }

  /** Takes the requests that arrived before `beforeMs`. */
  expired(beforeMs: number): T[] {
    return this.#kinds.flatMap((kind) => kind.expired(beforeMs));
  }
}
