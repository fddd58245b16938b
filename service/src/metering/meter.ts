import { setTimeout as sleep } from 'node:timers/promises';

import { type Caller, keyOf, subjectOf } from '../workspaces/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { readAgain } from '../kernel/db/read-again.ts';
import { isPassing, StorageUnwritableError } from '../kernel/db/refusal.ts';
import { remainingOf } from './grant.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import { monthOf } from '../kernel/db/month.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { type BurstLimit, TokenBuckets } from '../kernel/limits/token-buckets.ts';
import { giveBackAll, takeAll } from '../kernel/limits/wide-network.ts';
import { DEFAULT_BOUNDS, type MeterBounds } from './bounds.ts';
import { batchOf, Queue, type PendingCharge } from './queue.ts';
import type { Batch, IdempotentCharge, RequestResult, UnsyncedWrite, UsageStore } from './store.ts';
import { unchargedDecode, usedBy } from './stored.ts';
import type { Outcome, ChargeableDecode, Usage } from './types.ts';

/**
 * Called when a charge begins to wait; the function it returns, if any, is called when the charge's transaction begins.
 */
export type OnWait = () => (() => void) | undefined;

const RETRY_AFTER_SECONDS = 1;
const RETRY_COMMIT_MS = 20;

/**
 * Waiting decodes with which a transaction begins at once if none is under way: the database works while this thread
 * reads the other requests of its turn.
 */
const ENOUGH_DECODES = 16;

const OVERLOADED = { kind: 'overloaded', retryAfterSeconds: RETRY_AFTER_SECONDS } as const;

/** The result of recording a decode that is not charged. */
type Recorded = { kind: 'stored'; id: string } | typeof OVERLOADED;

/**
 * Decodes of all clients without a key in one IPv6 /48, on this process: with a month's limit for each of its 65,536
 * networks, they would be gigabytes. These are some 45,000 a month.
 */
const WIDE_NETWORK_DECODES: BurstLimit = { burst: 2_000, refillMs: MINUTE_MS };

/**
 * Charges decodes: exactly, durably, many at a time.
 *
 * For each subject and window one transaction is under way at most, on SQLite two; requests that come in meanwhile wait
 * and go into the next one together. No charge is `granted` before the transaction is committed.
 */
export class Meter {
  readonly #database: Database;
  readonly #store: UsageStore;
  readonly #clock: Clock;
  readonly #bounds: MeterBounds;
  readonly #queue: Queue;
  readonly #beginsEarly: boolean;
  readonly #onWait: OnWait;
  readonly #mayCharge: () => boolean;
  /** Running records, by subject and VIN. */
  readonly #recording = new Map<string, Promise<Recorded>>();
  #underWay = 0;
  #pumpPlanned = false;
  /** True if the last transaction was given up: the database is away for longer than a restart or a failover takes. */
  #isAway = false;
  #closed = false;

  constructor(
    database: Database,
    store: UsageStore,
    clock: Clock,
    bounds: MeterBounds = DEFAULT_BOUNDS,
    onWait: OnWait = () => undefined,
    mayCharge: () => boolean = () => true,
  ) {
    this.#database = database;
    this.#store = store;
    this.#clock = clock;
    this.#bounds = bounds;
    this.#onWait = onWait;
    this.#mayCharge = mayCharge;
    this.#beginsEarly = store.concurrencyPerSubject > 1;
    this.#queue = new Queue(bounds, store.concurrencyPerSubject);
  }

  readonly #wideNetworks = new TokenBuckets(WIDE_NETWORK_DECODES);

  /** Returns the number of decodes that wait for their transaction. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Charges and stores the first of some decodes, as many as the limit still lets; answers when both are durable.
   *
   * One promise for each charge, not one for each function on its way: a busy service spends much of its time on them.
   */
  charge(caller: Caller, decodes: readonly ChargeableDecode[], idempotency?: IdempotentCharge): Promise<Outcome> {
    if (decodes.length === 0) return this.peek(caller).then((usage) => ({ kind: 'settled', granted: 0, usage }));
    if (!this.#mayCharge()) return Promise.resolve(OVERLOADED);
    const createdAtMs = this.#clock();
    const wide = caller.kind === 'public' ? caller.wideClientId : undefined;
    const waitSeconds = wide === undefined ? 0 : takeAll(this.#wideNetworks, wide, decodes.length, createdAtMs);
    if (waitSeconds > 0) return Promise.reject(tooManyInNetwork(waitSeconds));
    const { startMs, endMs } = monthOf(createdAtMs);
    const { limit } = caller;
    const keyId = keyOf(caller);
    const order = {
      subject: subjectOf(caller),
      windowStartMs: startMs,
      windowEndMs: endMs,
      limit,
      decodes: decodes.map(({ id, vin, outcome, report }) => ({ id, vin, outcome, report, keyId, createdAtMs })),
      idempotency,
      free: false,
    };
    return this.#enqueue(order, (result) => {
      if (wide !== undefined) giveBackAll(this.#wideNetworks, wide, decodes.length - grantedIn(result));
      if (result === 'overloaded') return OVERLOADED;
      if (result.kind === 'conflict') return result;
      return { kind: 'settled', granted: result.granted, usage: usageOf(limit, result.usedAfter, endMs) };
    });
  }

  /**
   * Stores a decode that is not charged, once a month for each subject and VIN, however often it is asked for; answers
   * when it is durable, with the id under which it is stored.
   */
  async record(caller: Caller, decode: ChargeableDecode): Promise<Recorded> {
    const name = `${subjectOf(caller)} ${decode.vin}`;
    const underWay = this.#recording.get(name);
    if (underWay !== undefined) return underWay;
    const recording = this.#record(caller, decode).finally(() => this.#recording.delete(name));
    this.#recording.set(name, recording);
    return recording;
  }

  async #record(caller: Caller, decode: ChargeableDecode): Promise<Recorded> {
    const createdAtMs = this.#clock();
    const { startMs, endMs } = monthOf(createdAtMs);
    const known = await readAgain(this.#database.failure, () =>
      unchargedDecode(this.#database, subjectOf(caller), decode.vin, startMs),
    );
    if (known !== undefined) return { kind: 'stored', id: known };
    const order = {
      subject: subjectOf(caller),
      windowStartMs: startMs,
      windowEndMs: endMs,
      limit: caller.limit,
      decodes: [{ ...decode, keyId: keyOf(caller), createdAtMs }],
      idempotency: undefined,
      free: true,
    };
    return this.#enqueue(order, (result) => (result === 'overloaded' ? OVERLOADED : { kind: 'stored', id: decode.id }));
  }

  /** Returns the usage in this window, without a charge. */
  async peek(caller: Caller): Promise<Usage> {
    const { startMs, endMs } = monthOf(this.#clock());
    return usageOf(
      caller.limit,
      await readAgain(this.#database.failure, () => usedBy(this.#database, subjectOf(caller), startMs)),
      endMs,
    );
  }

  /**
   * Runs a statement whose writes may be lost in a power cut until the next charge. It does not wait for the disk, and
   * on SQLite not on this thread either.
   */
  write(statement: UnsyncedWrite): Promise<void> {
    return this.#store.write(statement);
  }

  /** Lets everything that waits be committed, then takes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue.drained();
    await this.#store.close();
  }

  #enqueue<T>(
    request: Omit<PendingCharge, 'settle' | 'fail' | 'sinceMs' | 'begun'>,
    outcomeOf: (result: RequestResult | 'overloaded') => T,
  ): Promise<T> {
    if (this.#closed || !this.#queue.accepts(request)) return Promise.resolve(outcomeOf('overloaded'));
    const begun = this.#onWait();
    return new Promise((resolve, fail) => {
      const settle = (result: RequestResult | 'overloaded'): void => resolve(outcomeOf(result));
      this.#queue.add({ ...request, begun, settle, fail, sinceMs: performance.now() });
      this.#planPump();
    });
  }

  /**
   * Plans the next transactions, usually one turn of the event loop later, so that requests of one turn go into one
   * transaction.
   */
  #planPump(): void {
    if (this.#underWay >= this.#store.concurrency) return;
    if (this.#beginsEarly && this.#underWay === 0 && this.#queue.waiting >= ENOUGH_DECODES) {
      this.#pump();
      return;
    }
    if (this.#pumpPlanned) return;
    this.#pumpPlanned = true;
    setImmediate(() => {
      this.#pumpPlanned = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#underWay < this.#store.concurrency) {
      const pending = this.#queue.take();
      if (pending.length === 0) return;
      this.#underWay += 1;
      void this.#run(pending);
    }
  }

  async #run(pending: PendingCharge[]): Promise<void> {
    for (const { begun } of pending) begun?.();
    const answer = await this.#commit(pending);
    this.#queue.done(pending);
    this.#underWay -= 1;
    // Before these are answered, which takes this thread as long as the database needs for the next transaction.
    this.#pump();
    answer();
  }

  /** Commits charges. Never rejects. @returns a function that resolves or rejects each of them. */
  async #commit(pending: PendingCharge[]): Promise<() => void> {
    const { batch, order } = batchOf(pending);
    try {
      const results = await this.#commitWithRetries(batch);
      return () => {
        for (const [index, { pending: group }] of order.entries()) {
          for (const [place, charge] of group.entries()) settle(charge, results[index]?.[place]);
        }
        for (const charge of pending) if (charge.free) charge.settle({ kind: 'counted', granted: 0, usedAfter: 0 });
      };
    } catch (error) {
      if (isPassing(error)) {
        return () => {
          for (const charge of pending) charge.settle('overloaded');
        };
      }
      // A fault of storage is not a matter of load: the caller logs the reason.
      if (error instanceof StorageUnwritableError || pending.length === 1) {
        return () => {
          for (const charge of pending) charge.fail(error);
        };
      }
      // The database may refuse the values of one request: the others must not fail with it.
      for (const charge of pending) (await this.#commit([charge]))();
      return () => {};
    }
  }

  async #commitWithRetries(batch: Batch): Promise<RequestResult[][]> {
    const { commitMs, commitAgainMs } = this.#bounds;
    const beganMs = performance.now();
    const waitMs = this.#isAway ? commitAgainMs : commitMs;
    for (;;) {
      try {
        const results = await this.#store.commit(batch);
        this.#isAway = false;
        return results;
      } catch (error) {
        const mostMs = isPassing(error) && this.#database.failure.goesOn(error) ? commitAgainMs : waitMs;
        if (!isPassing(error) || performance.now() - beganMs > mostMs) {
          this.#isAway = isPassing(error);
          throw error;
        }
        batch.earlierTries += 1;
        await sleep(RETRY_COMMIT_MS);
      }
    }
  }
}

function settle(charge: PendingCharge, result: RequestResult | undefined): void {
  if (result === undefined) charge.fail(new Error('The usage store gave no result for a request.'));
  else charge.settle(result);
}

function tooManyInNetwork(waitSeconds: number): HttpError {
  const text = 'Too many VINs are decoded without an API key in your network. Use a key, or try again later.';
  return new HttpError(429, text, { 'retry-after': String(waitSeconds) });
}

function grantedIn(result: RequestResult | 'overloaded'): number {
  return result !== 'overloaded' && result.kind === 'counted' ? result.granted : 0;
}

function usageOf(limit: number | null, used: number, resetAtMs: number): Usage {
  return { limit, remaining: remainingOf(limit, used), resetAtMs };
}
