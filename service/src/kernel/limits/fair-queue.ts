import { FairOrder } from './fair-order.ts';
import { type RefusedBy, type SlotBounds, type SlotOutcome, Slots, type Tenant } from './slots.ts';

/** Bounds of a fair queue. */
export interface FairBounds extends SlotBounds {
  /** Tasks that may wait, of all tenants and of one. */
  waiting: number;
  waitingPerTenant: number;
  /** Milliseconds that a task may wait. Default: as long as it takes. */
  waitMs?: number;
}

/** A task that waits for a slot. */
interface Waiting {
  tenant: Tenant;
  resolve: (outcome: SlotOutcome) => void;
}

/**
 * Runs tasks within slots. Those that find none wait, and the tenant that has had the least time goes first; of one
 * tenant the task that came first. A full queue refuses the latest task of the tenant that has the most waiting, so
 * that nobody can fill it alone; where all have as many, that of the one that has had the most time, asks
 * again and again, or came last.
 */
export class FairQueue {
  readonly #bounds: FairBounds;
  readonly #slots: Slots;
  readonly #order = new FairOrder();
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;

  /** @param now milliseconds of a clock that never jumps. */
  constructor(bounds: FairBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#slots = new Slots(bounds);
    this.#now = now;
  }

  /** Resolves with a slot, at once or later, or with a refusal. @param signal ends the wait. */
  async enter(tenant: Tenant, signal?: AbortSignal): Promise<SlotOutcome> {
    if (signal?.aborted === true) return refused('all');
    const taken = this.#take(tenant);
    if (taken.kind === 'taken') return taken;
    this.#order.ask(tenant.id, this.#now());
    const own = this.#waiting.get(tenant.id)?.length ?? 0;
    if (own >= this.#bounds.waitingPerTenant) return refused('tenant');
    if (this.#count >= this.#bounds.waiting && !this.#displace(tenant, own)) return refused(taken.by);
    return this.#wait(tenant, signal, taken.by);
  }

  /** Runs a task in a slot. */
  async run<T>(
    tenant: Tenant,
    task: () => T | Promise<T>,
  ): Promise<{ kind: 'done'; result: T } | { kind: 'refused'; by: RefusedBy }> {
    const entered = await this.enter(tenant);
    if (entered.kind === 'refused') return entered;
    try {
      return { kind: 'done', result: await task() };
    } finally {
      entered.leave();
    }
  }

  #take(tenant: Tenant): SlotOutcome {
    const taken = this.#slots.take(tenant);
    if (taken.kind === 'refused') return taken;
    this.#order.begin(tenant.id);
    const sinceMs = this.#now();
    let isTaken = true;
    const leave = (): void => {
      if (!isTaken) return;
      isTaken = false;
      this.#order.add(tenant.id, this.#now() - sinceMs);
      taken.leave();
      this.#admit();
    };
    return { kind: 'taken', leave };
  }

  #wait(tenant: Tenant, signal: AbortSignal | undefined, by: RefusedBy): Promise<SlotOutcome> {
    const { promise, resolve } = Promise.withResolvers<SlotOutcome>();
    const waiting: Waiting = { tenant, resolve };
    const end = (): void => {
      if (this.#remove(waiting)) resolve(refused(by));
    };
    const timer = this.#bounds.waitMs === undefined ? undefined : setTimeout(end, this.#bounds.waitMs).unref();
    signal?.addEventListener('abort', end);
    const list = this.#waiting.get(tenant.id);
    if (list === undefined) this.#waiting.set(tenant.id, [waiting]);
    else list.push(waiting);
    this.#count += 1;
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    });
  }

  /** Gives free slots to those that wait. Each looks once at every tenant: thousands may wait for turns of a millisecond. */
  #admit(): void {
    const passed = new Set<string>();
    let isReserved = false;
    while (!this.#slots.isFull) {
      const id = this.#order.first(this.#candidates(passed, isReserved));
      const next = id === undefined ? undefined : this.#waiting.get(id)?.[0];
      if (next === undefined) return;
      const taken = this.#take(next.tenant);
      if (taken.kind === 'refused') {
        // What is left is for paid plans.
        if (taken.by === 'all') isReserved = true;
        else passed.add(next.tenant.id);
        continue;
      }
      this.#remove(next);
      next.resolve(taken);
    }
  }

  /** Returns the tenants that wait, or those of them that pay, without those that have all that they may. */
  *#candidates(passed: ReadonlySet<string>, isReserved: boolean): Generator<string> {
    for (const [id, [first]] of this.#waiting)
      if (!passed.has(id) && (!isReserved || first?.tenant.isPaid === true)) yield id;
  }

  /**
   * Refuses the latest task of the tenant that has the most waiting, if that is more than this one would have, or of one
   * that has had more time, if this one has none waiting.
   */
  #displace({ id, isPaid }: Tenant, own: number): boolean {
    const fuller = [...this.#waiting].filter(([other, list]) => {
      const isLower = isPaid && list[0]?.tenant.isPaid === false;
      return other !== id && list.length > (isLower ? 0 : own + 1);
    });
    const [heaviest] = fuller.toSorted(([, a], [, b]) => b.length - a.length);
    const last = heaviest?.[1].at(-1) ?? (own === 0 ? this.#lastAfter(id, isPaid) : undefined);
    if (last === undefined) return false;
    this.#remove(last);
    last.resolve(refused('all'));
    return true;
  }

  #lastAfter(id: string, isPaid: boolean): Waiting | undefined {
    const others = [...this.#waiting].filter(([, list]) => isPaid || list[0]?.tenant.isPaid === false);
    const after = this.#order.lastAfter(
      id,
      others.map(([other]) => other),
    );
    return after === undefined ? undefined : this.#waiting.get(after)?.at(-1);
  }

  #remove(waiting: Waiting): boolean {
    const { id } = waiting.tenant;
    const list = this.#waiting.get(id);
    const at = list?.indexOf(waiting) ?? -1;
    if (list === undefined || at === -1) return false;
    list.splice(at, 1);
    if (list.length === 0) this.#waiting.delete(id);
    this.#count -= 1;
    return true;
  }
}

function refused(by: RefusedBy): SlotOutcome {
  return { kind: 'refused', by };
}
