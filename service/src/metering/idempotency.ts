import { createHash, hash } from 'node:crypto';

import type { Transaction } from 'kysely';

import { DAY_MS, type Clock } from '../kernel/clock.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import { readAgain } from '../kernel/db/read-again.ts';
import type { IdempotentCharge } from './store.ts';
import type { Usage } from './types.ts';

/** The time for which an outcome can be asked for again, in milliseconds. */
const KEPT_MS = DAY_MS;

/** Matches a valid `Idempotency-Key`: 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns the name of a charge of the service's own that may be retried. It contains a space, which a client's key
 * cannot, so that no client can use it.
 */
function ownChargeName(...parts: readonly [string, ...(string | number)[]]): string {
  return ['own', ...parts].join(' ');
}

/**
 * Returns the record that is stored with such a charge.
 *
 * @param parts see `ownChargeName`.
 */
export function ownCharge(
  { atMs, keptMs = KEPT_MS }: { atMs: number; keptMs?: number },
  ...parts: Parameters<typeof ownChargeName>
): IdempotentCharge {
  return { key: ownChargeName(...parts), bodyHash: '', outcome: '', sentAtMs: atMs, expiresAtMs: atMs + keptMs };
}

/** Charges of the service's own that are named by a VIN. */
export const OWN_CHARGES_OF_VINS = ['candidates'] as const;

/** Returns the record of a charge of the service's own that is made once a day for each VIN. */
export function chargeOfVin(
  when: Parameters<typeof ownCharge>[0],
  what: (typeof OWN_CHARGES_OF_VINS)[number],
  vin: string,
): IdempotentCharge {
  return ownCharge(when, what, hash('sha256', vin));
}

/** A request that is the first one with its key. */
export interface FirstRequest {
  kind: 'first';
  /** Stored in the transaction of the request's own writes: see `Meter.charge` and `storeOutcome`. */
  recordOf: (outcome: string) => IdempotentCharge;
  /** Call it when the request is over, however it ended: others with the same key need not wait any longer. */
  end: () => void;
}

/** A repeated request: its first outcome is answered again, and nothing is charged. */
export interface Repetition {
  kind: 'repeated';
  outcome: string;
  decodeId: string | null;
  usage: Usage | null;
  /** The first request's parameters were forgotten, see `forgetBodies`: this one may be another. */
  isUnchecked: boolean;
}

/** Refusals that only an `Idempotency-Key` can cause. */
export type IdempotencyRefusal =
  /** The key is malformed. */
  | { kind: 'bad-idempotency-key' }
  /** The key came with another request before. */
  | { kind: 'reused-idempotency-key' }
  /** The first request with this key is still under way. */
  | { kind: 'under-way' };

/** The result of checking a request's `Idempotency-Key`. */
export type IdempotencyFinding = FirstRequest | Repetition | IdempotencyRefusal;

/** The parameters of a request, as text or bytes, or in pieces: joined, those of a large one would take its memory again. */
export type RequestBody = string | Uint8Array | readonly (string | Uint8Array)[];

/**
 * Lets a client repeat a request without paying twice.
 *
 * An outcome is stored in the transaction that charges it, so a crash leaves both or neither. Running requests are
 * known only on their own instance: of two that run on two instances at once, the second to commit finds the first
 * one's record and gets `conflict`, which is a 409 as well.
 */
export class Idempotency {
  readonly #database: Database;
  readonly #clock: Clock;
  /** Body hashes of running requests. */
  readonly #running = new Map<string, string>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Begins a request that came with an `Idempotency-Key`.
   *
   * @param scope the owner of the key: `subjectOf(caller)` for charges, with a route's name before it for others.
   * @param body the request's parameters.
   */
  async begin(scope: string, key: string, body: RequestBody): Promise<IdempotencyFinding> {
    if (!KEY.test(key)) return { kind: 'bad-idempotency-key' };
    const hashed = createHash('sha256');
    for (const piece of [body].flat()) hashed.update(piece);
    const bodyHash = hashed.digest('hex');
    const name = `${scope} ${key}`;
    const running = this.#running.get(name);
    if (running !== undefined) return { kind: running === bodyHash ? 'under-way' : 'reused-idempotency-key' };
    this.#running.set(name, bodyHash);
    const end = (): void => {
      this.#running.delete(name);
    };
    try {
      const sentAtMs = this.#clock();
      const stored = await readAgain(this.#database.failure, () => this.#stored(scope, key, sentAtMs));
      if (stored === undefined) return { kind: 'first', recordOf: recorder(key, bodyHash, sentAtMs), end };
      end();
      const { finding } = stored;
      return finding.isUnchecked || stored.bodyHash === bodyHash ? finding : { kind: 'reused-idempotency-key' };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Removes a record whose outcome cannot be given again, unless another request has replaced it: the next request is
   * the first one.
   */
  async forget(scope: string, key: string, outcome: string): Promise<void> {
    await this.#database.kysely
      .deleteFrom('idempotency')
      .where('scope', '=', scope)
      .where('idempotency_key', '=', key)
      .where('outcome', '=', outcome)
      .execute();
  }

  /** Returns the decode that was charged under a name; undefined if none in 24 hours. */
  async decodeOf(scope: string, name: string): Promise<string | undefined> {
    const stored = await this.#stored(scope, name, this.#clock());
    return stored?.finding.decodeId ?? undefined;
  }

  async #stored(
    scope: string,
    key: string,
    atMs: number,
  ): Promise<{ bodyHash: string; finding: Repetition } | undefined> {
    const row = await this.#database.kysely
      .selectFrom('idempotency')
      .selectAll()
      .where('scope', '=', scope)
      .where('idempotency_key', '=', key)
      .where('expires_at', '>', atMs)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const usage =
      row.usage_reset_at === null
        ? null
        : { limit: row.usage_limit, remaining: row.usage_remaining, resetAtMs: row.usage_reset_at };
    return {
      bodyHash: row.body_hash,
      finding: {
        kind: 'repeated',
        outcome: row.outcome,
        decodeId: row.decode_id,
        usage,
        isUnchecked: row.body_hash === '',
      },
    };
  }
}

/**
 * Stores the outcome of a request that charges nothing, in the transaction of its own writes.
 * @returns false when another instance was first: roll back and answer 409.
 */
export async function storeOutcome(
  transaction: Transaction<Schema>,
  scope: string,
  record: IdempotentCharge,
): Promise<boolean> {
  await transaction
    .deleteFrom('idempotency')
    .where('scope', '=', scope)
    .where('idempotency_key', '=', record.key)
    .where('expires_at', '<=', record.sentAtMs)
    .execute();
  const stored = await transaction
    .insertInto('idempotency')
    .values({
      scope,
      idempotency_key: record.key,
      body_hash: record.bodyHash,
      decode_id: null,
      outcome: record.outcome,
      usage_limit: null,
      usage_remaining: null,
      usage_reset_at: null,
      expires_at: record.expiresAtMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return stored.numInsertedOrUpdatedRows === 1n;
}

function recorder(key: string, bodyHash: string, sentAtMs: number): (outcome: string) => IdempotentCharge {
  return (outcome) => ({ key, bodyHash, outcome, sentAtMs, expiresAtMs: sentAtMs + KEPT_MS });
}
