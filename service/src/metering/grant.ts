import { DAY_MS } from '../kernel/clock.ts';
import type { PendingDecode, RequestResult } from './store.ts';

/** The part of a request that its grant depends on: its number of decodes and its idempotency key. */
interface Wanted {
  decodes: { length: number };
  idempotency: { key: string } | undefined;
}

/**
 * Returns the decodes granted to each request of a group: the first ones that fit under the limit are granted, those in
 * conflict are left out. Of equal idempotency keys, the first one that is granted counts, and the others are in
 * conflict with it. Both databases follow this rule.
 *
 * @param conflicts the indexes of the requests whose idempotency key is stored already.
 */
export function grant(
  { limit, requests }: { limit: number | null; requests: readonly Wanted[] },
  usedBefore: number,
  conflicts: ReadonlySet<number>,
): RequestResult[] {
  let used = usedBefore;
  const keys = new Set<string>();
  return requests.map(({ decodes, idempotency }, index): RequestResult => {
    if (conflicts.has(index) || (idempotency !== undefined && keys.has(idempotency.key))) return { kind: 'conflict' };
    const granted = limit === null ? decodes.length : clamp(limit - used, decodes.length);
    used += granted;
    if (idempotency !== undefined && granted > 0) keys.add(idempotency.key);
    return { kind: 'counted', granted, usedAfter: used };
  });
}

/** Returns the decodes left under a limit; null: no limit. A limit lowered below the usage leaves 0. */
export function remainingOf(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}

/** Charges of one key on one day: a row of the ledger. */
export interface LedgerRow {
  dayStartMs: number;
  keyId: string;
  charged: number;
}

/** Returns the decodes that were granted, summed by day and key. */
export function ledgerRows(granted: readonly Pick<PendingDecode, 'createdAtMs' | 'keyId'>[]): LedgerRow[] {
  const rows: LedgerRow[] = [];
  for (const { createdAtMs, keyId } of granted) {
    const dayStartMs = createdAtMs - (createdAtMs % DAY_MS);
    const row = rows.find((known) => known.dayStartMs === dayStartMs && known.keyId === keyId);
    if (row === undefined) rows.push({ dayStartMs, keyId, charged: 1 });
    else row.charged += 1;
  }
  return rows;
}

function clamp(left: number, wanted: number): number {
  return Math.min(wanted, Math.max(0, left));
}
