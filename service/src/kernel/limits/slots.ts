/** Someone whose work is bounded: a workspace, or a network without a key. */
export interface Tenant {
  id: string;
  /** True if it may use the reserved slots. */
  isPaid: boolean;
}

/** Bounds on the tasks that run at once. */
export interface SlotBounds {
  all: number;
  perTenant: number;
  /** Slots of `all` that only paid plans get. Default: none. */
  reserved?: number;
}

/** The one that has too many tasks: the tenant, or all together. */
export type RefusedBy = 'tenant' | 'all';

/** A slot, with the function that frees it; calling that again does nothing. */
export type SlotOutcome = { kind: 'taken'; leave: () => void } | { kind: 'refused'; by: RefusedBy };

/** Bounds how many tasks run at once, for each tenant and in all. */
export class Slots {
  readonly #bounds: SlotBounds;
  readonly #taken = new Map<string, number>();
  #all = 0;
  /** Tasks without a right to the reserved slots: tasks of paid plans do not count against theirs. */
  #unpaid = 0;

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /** True if no slot is left, not even a reserved one. */
  get isFull(): boolean {
    return this.#all >= this.#bounds.all;
  }

  /** Takes a slot, if there is one. */
  take({ id, isPaid }: Tenant): SlotOutcome {
    const { all, perTenant, reserved = 0 } = this.#bounds;
    const own = this.#taken.get(id) ?? 0;
    if (own >= perTenant) return { kind: 'refused', by: 'tenant' };
    if (this.#all >= all || (!isPaid && this.#unpaid >= all - reserved)) return { kind: 'refused', by: 'all' };
    this.#taken.set(id, own + 1);
    this.#all += 1;
    if (!isPaid) this.#unpaid += 1;
    let isTaken = true;
    const leave = (): void => {
      if (!isTaken) return;
      isTaken = false;
      this.#all -= 1;
      if (!isPaid) this.#unpaid -= 1;
      const left = (this.#taken.get(id) ?? 1) - 1;
      if (left === 0) this.#taken.delete(id);
      else this.#taken.set(id, left);
    };
    return { kind: 'taken', leave };
  }
}
