import type { Conversions } from '../kernel/db/index.ts';

/**
 * Outcomes of requests with an `Idempotency-Key`: programs up to 22 November 2026 kept a single decode as the word
 * `decode`.
 */
export const RECORD_CONVERSIONS: Conversions = {
  async idempotency(row) {
    const { outcome, decode_id: id } = row;
    if (outcome !== 'decode' || typeof id !== 'string') return [{ table: 'idempotency', row }];
    return [{ table: 'idempotency', row: { ...row, outcome: JSON.stringify([{ kind: 'decoded', id }]) } }];
  },
};
