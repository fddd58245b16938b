import { project, type Depth, premiumFields } from '../depth.ts';
import type { BatchItem } from './item.ts';

/** The answer to one VIN of a batch, as its schema has it. */
export type BatchLine = { vin: string; status: string } & Record<string, unknown>;

const LIMIT_REACHED = 'The monthly limit was reached before this VIN. It was not decoded and not charged.';

/**
 * The answer to one VIN.
 *
 * @param text the VIN as it was sent.
 * @param withKey whether the caller has a plan, and so a word about what a higher one would show.
 */
export function lineOf(text: string, item: BatchItem, depth: Depth, withKey: boolean): BatchLine {
  switch (item.kind) {
    case 'decoded': {
      const { id, report } = item;
      const line = { vin: text, status: 'decoded', requestId: id, report: project(depth, report) };
      return withKey ? { ...line, premiumFieldsAvailable: premiumFields(report) } : line;
    }
    case 'malformed':
      return { vin: text, status: 'invalid', error: item.message };
    case 'pending':
      return {
        vin: text,
        status: 'enrichment_pending',
        requestId: item.id,
        retryAfterSeconds: item.retryAfterSeconds,
      };
    case 'exhausted':
      return { vin: text, status: 'limit_reached', error: LIMIT_REACHED };
    default:
      return item satisfies never;
  }
}
