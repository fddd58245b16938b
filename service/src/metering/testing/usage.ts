import { expect } from 'vitest';

import type { Caller, Subscriber } from '../../workspaces/index.ts';
import type { Database } from '../../kernel/db/index.ts';
import { type IdempotentCharge, type Meter, type ChargeableDecode, type Usage } from '../index.ts';
import { newUuid7 } from '../../kernel/db/uuid7.ts';
import { DEFAULT_BOUNDS, type MeterBounds } from '../bounds.ts';

/** Waits for a busy database, and for one that starts again, as long as a slow machine takes for that. */
export const PATIENT: MeterBounds = { ...DEFAULT_BOUNDS, waitMs: 100_000, commitMs: 100_000 };

/** Returns a caller with their own workspace and key. */
export function subscriber(workspaceId: string, limit: number | null): Subscriber {
  return { kind: 'subscriber', workspaceId, slug: workspaceId, plan: 'free', limit, keyId: `key-of-${workspaceId}` };
}

/** Returns a decode to charge. */
export function decodeAt(atMs: number): ChargeableDecode {
  return { id: newUuid7(atMs), vin: '1HGCM82633A004352', outcome: 'identified', report: '{"model":"Accord"}' };
}

/** The outcome of charging one decode. */
export type OneOutcome =
  | { kind: 'granted' | 'exhausted'; usage: Usage }
  | { kind: 'conflict' }
  | { kind: 'overloaded'; retryAfterSeconds: number };

/** Charges one decode. */
export async function chargeOne(
  meter: Pick<Meter, 'charge'> | undefined,
  caller: Caller,
  decode: ChargeableDecode,
  idempotency?: IdempotentCharge,
): Promise<OneOutcome> {
  if (meter === undefined) throw new Error('There is no such meter.');
  const outcome = await meter.charge(caller, [decode], idempotency);
  if (outcome.kind !== 'settled') return outcome;
  return { kind: outcome.granted === 1 ? 'granted' : 'exhausted', usage: outcome.usage };
}

/** Expects the counter, the ledger and the stored charged decodes of a workspace to have the same number. */
export async function expectCounted(database: Database, workspaceId: string, count: number): Promise<void> {
  const subject = `workspace:${workspaceId}`;
  const { kysely } = database;
  const counters = kysely.selectFrom('usage_counters').select(({ fn }) => fn.sum('used').as('n'));
  const ledger = kysely.selectFrom('usage_ledger').select(({ fn }) => fn.sum('charged').as('n'));
  const decodes = kysely.selectFrom('decodes').select(({ fn }) => fn.sum('charged').as('n'));
  const found = {
    counter: sumOf(await counters.where('subject', '=', subject).execute()),
    ledger: sumOf(await ledger.where('subject', '=', subject).execute()),
    decodes: sumOf(await decodes.where('subject', '=', subject).execute()),
  };
  expect(found).toEqual({ counter: count, ledger: count, decodes: count });
}

function sumOf(rows: readonly { n: number | bigint | string | null }[]): number {
  return Number(rows[0]?.n ?? 0);
}
