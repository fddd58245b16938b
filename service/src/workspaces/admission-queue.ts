/** Kinds of requests, in the order in which they are served when not all can be. */
const KINDS = ['paid', 'paid-batch', 'free', 'batch', 'public', 'page'] as const;

/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

/** The kind of a request, whose it is, and whether it needs a place of other plans. */
export interface Sort {
  kind: Kind;
  /** The workspace or network that it is of. */
  tenant: string;
  /** True if it is served while those of other plans have all of their places: it may be of a paid plan, or takes none. */
  passes: boolean;
}

/** A place in the queue. */
export interface Place<T> {
  /** Undefined: it was taken, or dropped. */
  item: T | undefined;
  sinceMs: number;
  line: Line<T>;
}

/** Requests of a tenant that are all of a kind, and either pass or do not. */
interface Line<T> {
  name: string;
  passes: boolean;
  /** The oldest first. */
  places: Place<T>[];
  /** The number of them that are still pending. */
  size: number;
}

/**
 * Pending requests: of each kind, one of each tenant in turn, and of each tenant the oldest first. Once its oldest has
 * waited for long, not all can be served: then the newest comes first, so that some are answered in time, and the old
 * ones, whose clients may have given up, are refused.
 */
export class AdmissionQueue<T> {
  /** Pending requests of each kind. The tenant whose turn comes next is first. */
  readonly #pending = KINDS.map(() => new Map<string, Line<T>>());
  #turn = 0;
  size = 0;
  /** Requests that are served while other plans have all of their places. */
  passing = 0;

  /** Adds a request. @returns its place, for `drop`. */
  add({ kind, tenant, passes }: Sort, item: T, nowMs: number): Place<T> {
    const name = `${passes}:${tenant}`;
    const lines = this.#pending[KINDS.indexOf(kind)];
    const line = lines?.get(name) ?? { name, passes, places: [], size: 0 };
    lines?.set(name, line);
    const place = { item, sinceMs: nowMs, line };
    line.places.push(place);
    line.size += 1;
    this.size += 1;
    if (passes) this.passing += 1;
    return place;
  }

  /** Drops a request if it is still pending. */
  drop(place: Place<T>): void {
    this.#taken(place);
  }

  /**
   * Takes the next request of a kind, of the tenant whose turn it is: the oldest if it arrived after `afterMs`,
   * otherwise the newest. One turn in sixteen goes to the second kind that has any: none starves, and a new key gets
   * cached.
   *
   * @param isHeld true to take one that passes: the others have all of their places.
   */
  next(afterMs: number, isHeld = false): T | undefined {
    if (isHeld && this.passing === 0) return undefined;
    this.#turn = (this.#turn + 1) % 16;
    const lines = this.#linesAt(this.#turn === 0 ? 1 : 0, isHeld);
    const line = lines && firstOf(lines, isHeld);
    if (line === undefined) return undefined;
    const { name, places } = line;
    const item = this.#taken((places[0]?.sinceMs ?? 0) > afterMs ? places.shift() : places.pop());
    lines?.delete(name);
    if (line.size > 0) lines?.set(name, line);
    return item;
  }

  /** Takes the oldest request of the tenant with most of the lowest kind: it is refused if no more may wait. */
  last(): T | undefined {
    const lines = this.#pending.findLast((all) => firstOf(all, false) !== undefined);
    const [longest] = [...(lines?.values() ?? [])].toSorted((one, other) => other.size - one.size);
    return this.#taken(longest?.places.find(({ item }) => item !== undefined));
  }

  /** Takes the requests that arrived before `beforeMs`. */
  expired(beforeMs: number): T[] {
    const lines = this.#pending.flatMap((all) => [...all.values()]);
    return lines.flatMap(({ places }) => {
      const keep = places.findIndex(({ sinceMs }) => sinceMs > beforeMs);
      const expired = places.splice(0, keep === -1 ? places.length : keep);
      return expired.map((place) => this.#taken(place)).filter((item) => item !== undefined);
    });
  }

  /** Returns the lines of the first or the second kind that has any to take; of the first where there is no second. */
  #linesAt(index: 0 | 1, isHeld: boolean): Map<string, Line<T>> | undefined {
    let first: Map<string, Line<T>> | undefined;
    for (const lines of this.#pending) {
      if (firstOf(lines, isHeld) === undefined) continue;
      if (index === 0 || first !== undefined) return lines;
      first = lines;
    }
    return first;
  }

  #taken(place: Place<T> | undefined): T | undefined {
    const item = place?.item;
    if (place === undefined || item === undefined) return undefined;
    place.item = undefined;
    place.line.size -= 1;
    this.size -= 1;
    if (place.line.passes) this.passing -= 1;
    return item;
  }
}

/** Returns the first line that has any to take, without the dropped ones at both ends. Forgets lines that are empty. */
function firstOf<T>(lines: Map<string, Line<T>>, isHeld: boolean): Line<T> | undefined {
  for (const [name, line] of lines) {
    if (line.size === 0) lines.delete(name);
    if (line.size === 0 || (isHeld && !line.passes)) continue;
    const { places } = line;
    while (places[0]?.item === undefined) places.shift();
    while (places.at(-1)?.item === undefined) places.pop();
    return line;
  }
  return undefined;
}
