import { readVinAlone } from '@marque/catalog/tables';

import { project, type Depth } from '../depth.ts';
import type { Item, MeteredRequest } from '../metered.ts';

/** The answer to one VIN of a batch, as its schema has it. */
export type BatchLine = { vin: string; status: string } & Record<string, unknown>;

const LIMIT_REACHED = 'The monthly limit was reached before this VIN. It was not decoded and not charged.';

/** Returns a batch of VINs as they were sent, to be decoded. */
export function batchRequest(
  texts: readonly string[],
  newId: () => string,
  idempotencyKey: string | undefined,
): MeteredRequest {
  // The first word distinguishes a batch from the single decode of the same VIN.
  return { forms: texts.map(readVinAlone), newId, idempotencyKey, body: ['batch', ...texts].join('\n') };
}

/**
 * Returns the answer to one VIN.
 *
 * @param text the VIN as it was sent.
 * @param withKey true if the caller has a plan, and so gets a note on the fields of a higher one.
 */
export function lineOf(text: string, item: Item, depth: Depth, withKey: boolean): BatchLine {
  switch (item.kind) {
    case 'decoded': {
      const { id, answer } = item;
      const line = { vin: text, status: 'decoded', requestId: id, report: project(depth, answer.report()) };
      return withKey ? { ...line, premiumFieldsAvailable: answer.premiumFields } : line;
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
