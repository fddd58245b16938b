/** A place in the queue. */
export interface Place<T> {
  /** Undefined: it was taken, or dropped. */
  item: T | undefined;
  sinceMs: number;
  passes: boolean;
  line: Line<T>;
}

/** Requests of a tenant. */
interface Line<T> {
  of: TenantTurns<T>;
  /** The oldest first. */
  places: Place<T>[];
  /** The number of them that are still pending. */
  size: number;
  /** The number of these that pass. */
  passing: number;
  /** The round in which it has its turn, or had its last one. */
  round: number;
  /** True if it has a turn ahead. */
  isQueued: boolean;
}

/**
 * Pending requests of which each tenant has one in each round, the oldest first. A tenant that has none joins the next
 * round, however many the others have.
 *
 * Once the oldest has waited for long, not all can be served: then the newest comes first, of the tenant that came last
 * and of those of each tenant, so that some are answered in time, and the old ones, whose clients may have given up,
 * are refused.
 */
export class TenantTurns<T> {
  size = 0;
  /** The number of requests that pass. */
  passing = 0;
  readonly #lines = new Map<string, Line<T>>();
  #round = 0;
  /** The lines whose turn is in this round, in the next one, and in the one after that. */
  #now: Line<T>[] = [];
  #next: Line<T>[] = [];
  #later: Line<T>[] = [];
  #longest: Line<T> | undefined;

  /** Adds a request. @returns its place, for `drop`. */
  add(tenant: string, passes: boolean, item: T, nowMs: number): Place<T> {
    const line = this.#lines.get(tenant) ?? { of: this, places: [], size: 0, passing: 0, round: 0, isQueued: false };
    this.#lines.set(tenant, line);
    const place = { item, sinceMs: nowMs, passes, line };
    line.places.push(place);
    count(place, 1);
    if (!line.isQueued) this.#queue(line);
    if (line.size > (this.#longest?.size ?? 0)) this.#longest = line;
    return place;
  }

  /**
   * Takes the next request.
   *
   * @param afterMs the newest comes first once the oldest arrived before. @param isHeld true to take one that passes.
   */
  next(afterMs: number, isHeld: boolean): T | undefined {
    const line = isHeld ? this.#firstPassing() : this.#nextLine(afterMs);
    if (line === undefined) return undefined;
    line.isQueued = false;
    const isNext = ({ item, passes }: Place<T>): boolean => item !== undefined && (passes || !isHeld);
    const item = take(isLate(line, afterMs) ? line.places.findLast(isNext) : line.places.find(isNext));
    if (line.size > 0) this.#queue(line);
    return item;
  }

  /** Takes the oldest request of a tenant that has most, as far as is known without looking at all. */
  ofLongest(): T | undefined {
    if ((this.#longest?.size ?? 0) === 0)
      for (const line of this.#lines.values()) if (line.size > (this.#longest?.size ?? 0)) this.#longest = line;
    return take(this.#longest && oldestOf(this.#longest));
  }

  /** Takes the requests that arrived before `beforeMs`. */
  expired(beforeMs: number): T[] {
    const expired: T[] = [];
    for (const { places } of this.#lines.values()) {
      const keep = places.findIndex(({ sinceMs }) => sinceMs > beforeMs);
      for (const place of places.splice(0, keep === -1 ? places.length : keep)) {
        const item = take(place);
        if (item !== undefined) expired.push(item);
      }
    }
    this.#forget();
    return expired;
  }

  /** Gives a line a turn in the round after that of its last one: in the next one, or in the one after it. */
  #queue(line: Line<T>): void {
    const isLater = line.round > this.#round;
    line.isQueued = true;
    line.round = this.#round + (isLater ? 2 : 1);
    (isLater ? this.#later : this.#next).push(line);
  }

  #nextLine(afterMs: number): Line<T> | undefined {
    if (this.size === 0) return undefined;
    let first = this.#now[0];
    for (; first === undefined || !isPending(first); first = this.#now[0]) this.#skip();
    return isLate(first, afterMs) ? (newestOf(this.#next) ?? newestOf(this.#now)) : this.#now.shift();
  }

  /** Goes on to the next line, or to the next round. */
  #skip(): void {
    const line = this.#now.shift();
    if (line !== undefined) line.isQueued = false;
    if (this.#now.length > 0) return;
    this.#round += 1;
    [this.#now, this.#next, this.#later] = [this.#next, this.#later, []];
  }

  /** Forgets lines that have none, but for those whose last turn was in this round or later. */
  #forget(): void {
    for (const [tenant, line] of this.#lines)
      if (line.size === 0 && (line.isQueued || line.round < this.#round || this.size === 0)) this.#lines.delete(tenant);
    this.#now = this.#now.filter(isPending);
    this.#next = this.#next.filter(isPending);
    this.#later = this.#later.filter(isPending);
  }

  #firstPassing(): Line<T> | undefined {
    for (const lines of [this.#now, this.#next, this.#later]) {
      const index = lines.findIndex(({ passing }) => passing > 0);
      if (index !== -1) return lines.splice(index, 1)[0];
    }
    return undefined;
  }
}

/** Takes a request out of its place. @returns undefined if it was taken, or dropped. */
export function take<T>(place: Place<T> | undefined): T | undefined {
  const item = place?.item;
  if (place === undefined || item === undefined) return undefined;
  place.item = undefined;
  count(place, -1);
  return item;
}

function count<T>({ passes, line }: Place<T>, by: 1 | -1): void {
  for (const counts of [line, line.of]) {
    counts.size += by;
    if (passes) counts.passing += by;
  }
}

function isPending<T>(line: Line<T>): boolean {
  return line.size > 0;
}

/** Takes the last line that has any from a round. */
function newestOf<T>(lines: Line<T>[]): Line<T> | undefined {
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    if (isPending(line)) return line;
    line.isQueued = false;
  }
  return undefined;
}

/** Returns the oldest place of a line, which then begins and ends with one that is pending. */
function oldestOf<T>({ places }: Line<T>): Place<T> | undefined {
  while (places.length > 0 && places.at(-1)?.item === undefined) places.pop();
  while (places.length > 0 && places[0]?.item === undefined) places.shift();
  return places[0];
}

function isLate<T>(line: Line<T>, afterMs: number): boolean {
  return (oldestOf(line)?.sinceMs ?? Infinity) <= afterMs;
}
