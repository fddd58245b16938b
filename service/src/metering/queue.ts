import type { MeterBounds } from './bounds.ts';
import type { Batch, ChargeRequest, FreeDecode, RequestResult } from './store.ts';

/** A request that waits for its transaction. */
export interface PendingCharge extends ChargeRequest {
  subject: string;
  windowStartMs: number;
  windowEndMs: number;
  limit: number | null;
  /** Stored only, not charged. */
  free: boolean;
  /** The start of its wait, on the monotonic clock. */
  sinceMs: number;
  /** Called when its transaction begins. */
  begun: (() => void) | undefined;
  settle: (result: RequestResult | 'overloaded') => void;
  fail: (reason: unknown) => void;
}

/** The charges of one subject that are pending, in the order they came in. */
interface SubjectQueue {
  pending: PendingCharge[];
  decodes: number;
  /** The number of its transactions in flight; at the maximum the queue waits for one of them. */
  underWay: number;
}

/**
 * Charges that wait for a transaction: one queue for each subject, served in turn, so that a busy workspace does not
 * hold up the others. Charges that wait too long fail as overloaded.
 */
export class Queue {
  readonly #bounds: Omit<MeterBounds, 'commitMs'>;
  readonly #transactionsPerSubject: number;
  /** Ordered by turn: the first is served next. */
  readonly #queues = new Map<string, SubjectQueue>();
  #decodes = 0;
  #underWay = 0;
  #expiry: NodeJS.Timeout | undefined;
  #drained: (() => void)[] = [];

  constructor(bounds: Omit<MeterBounds, 'commitMs'>, transactionsPerSubject: number) {
    this.#bounds = bounds;
    this.#transactionsPerSubject = transactionsPerSubject;
  }

  /** Returns the number of decodes that wait. */
  get waiting(): number {
    return this.#decodes;
  }

  /** Returns true if a request may wait. One that exceeds the bounds may, if nothing else waits. */
  accepts({ subject, decodes }: Pick<PendingCharge, 'subject' | 'decodes'>): boolean {
    const before = this.#queues.get(subject)?.decodes ?? 0;
    const fits = (waiting: number, bound: number): boolean => waiting === 0 || waiting + decodes.length <= bound;
    return fits(before, this.#bounds.queuedPerSubject) && fits(this.#decodes, this.#bounds.queued);
  }

  add(charge: PendingCharge): void {
    let queue = this.#queues.get(charge.subject);
    if (queue === undefined) {
      queue = { pending: [], decodes: 0, underWay: 0 };
      this.#queues.set(charge.subject, queue);
    }
    queue.pending.push(charge);
    this.#count(queue, charge.decodes.length);
    this.#expiry ??= setTimeout(() => this.#expire(), this.#bounds.waitMs);
  }

  /**
   * Returns the charges of the next transaction, of subjects that may have one more under way, and of one window for
   * each subject. Give them to `done` afterwards.
   */
  take(): PendingCharge[] {
    const taken: PendingCharge[] = [];
    const served: [string, SubjectQueue][] = [];
    let free = this.#bounds.batch;
    for (const [subject, queue] of this.#queues) {
      if (free <= 0) break;
      if (!this.#isReady(queue) || queue.pending.length === 0) continue;
      const count = fitting(queue.pending, free, taken.length === 0);
      if (count === 0) continue;
      for (const charge of queue.pending.splice(0, count)) {
        free -= charge.decodes.length;
        this.#count(queue, -charge.decodes.length);
        taken.push(charge);
      }
      queue.underWay += 1;
      served.push([subject, queue]);
    }
    // Moved to the end of the order: the others come first next time.
    for (const [subject, queue] of served) {
      this.#queues.delete(subject);
      this.#queues.set(subject, queue);
    }
    if (taken.length > 0) this.#underWay += 1;
    return taken;
  }

  /** Ends the transaction of these charges: their subjects may go into the next one. */
  done(pending: readonly PendingCharge[]): void {
    for (const subject of new Set(pending.map((charge) => charge.subject))) {
      const queue = this.#queues.get(subject);
      if (queue === undefined) continue;
      queue.underWay -= 1;
      if (queue.pending.length === 0 && queue.underWay === 0) this.#queues.delete(subject);
    }
    this.#underWay -= 1;
    this.#settleDrained();
  }

  /** Resolves when nothing waits and no transaction is under way. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#settleDrained();
    });
  }

  #isReady({ underWay }: SubjectQueue): boolean {
    return underWay < this.#transactionsPerSubject;
  }

  /** Changes the number of decodes that wait in a queue. */
  #count(queue: SubjectQueue, decodes: number): void {
    queue.decodes += decodes;
    this.#decodes += decodes;
  }

  #settleDrained(): void {
    if (this.#decodes > 0 || this.#underWay > 0) return;
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Fails what waited too long, and comes back for the next one. */
  #expire(): void {
    const now = performance.now();
    let oldestMs = Infinity;
    for (const [subject, queue] of this.#queues) {
      const keep = queue.pending.findIndex(({ sinceMs }) => now - sinceMs < this.#bounds.waitMs - 1);
      for (const charge of queue.pending.splice(0, keep === -1 ? queue.pending.length : keep)) {
        this.#count(queue, -charge.decodes.length);
        charge.settle('overloaded');
      }
      oldestMs = Math.min(oldestMs, queue.pending[0]?.sinceMs ?? Infinity);
      if (queue.pending.length === 0 && queue.underWay === 0) this.#queues.delete(subject);
    }
    this.#expiry =
      oldestMs === Infinity ? undefined : setTimeout(() => this.#expire(), oldestMs + this.#bounds.waitMs - now);
    this.#settleDrained();
  }
}

/**
 * Returns how many charges at the head of a queue fit, all of one window. The first one of a transaction always fits.
 */
function fitting(pending: readonly PendingCharge[], free: number, first: boolean): number {
  let left = free;
  let count = 0;
  for (const { decodes, windowStartMs } of pending) {
    if (windowStartMs !== pending[0]?.windowStartMs) break;
    if (decodes.length > left && !(first && count === 0)) break;
    left -= decodes.length;
    count += 1;
  }
  return count;
}

interface PendingGroup {
  pending: PendingCharge[];
  group: Batch['groups'][number];
}

/** Returns the batch of one transaction, grouped by subject, with the charges of each group in order. */
export function batchOf(pending: readonly PendingCharge[]): { batch: Batch; order: { pending: PendingCharge[] }[] } {
  const order: PendingGroup[] = [];
  const free: FreeDecode[] = [];
  for (const charge of pending) {
    const { subject, windowStartMs, windowEndMs, limit, decodes, idempotency } = charge;
    if (charge.free) {
      free.push(...decodes.map((decode) => ({ ...decode, subject })));
      continue;
    }
    // The charges of a subject come one after the other, and all are of one window.
    let last = order.at(-1);
    if (last?.group.subject !== subject) {
      last = { pending: [], group: { subject, windowStartMs, windowEndMs, limit, requests: [] } };
      order.push(last);
    }
    last.pending.push(charge);
    // The limit may change between two requests: the newest one counts for the whole group.
    last.group.limit = limit;
    last.group.requests.push({ decodes, idempotency });
  }
  return { batch: { groups: order.map(({ group }) => group), free, earlierTries: 0 }, order };
}
