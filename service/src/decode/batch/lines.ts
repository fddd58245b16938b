import { readVinAlone } from '@marque/catalog/tables';
import { readVin, type VinForm } from '@marque/decoder';

import { project, type Depth } from '../depth.ts';
import type { NextTurn } from '../../kernel/limits/loop-turns.ts';
import type { Item, MeteredRequest } from '../metered.ts';

/** The answer to one VIN of a batch, as its schema has it. */
export type BatchLine = { vin: string; status: string } & Record<string, unknown>;

const LIMIT_REACHED = 'The monthly limit was reached before this VIN. It was not decoded and not charged.';

/** Texts of a batch that are no VIN and are searched for one, for the message: that takes up to 0.3 ms each. */
const MOST_SEARCHED = 20;

/** Returns a batch of VINs as they were sent, to be decoded. */
export async function batchRequest(
  texts: readonly string[],
  newId: () => string,
  idempotencyKey: string | undefined,
  turn: NextTurn,
): Promise<MeteredRequest> {
  const forms: VinForm[] = [];
  let searched = 0;
  const read = (text: string): VinForm => {
    const form = readVin(text);
    if (form.kind === 'vin' || searched >= MOST_SEARCHED) return form;
    searched += 1;
    return readVinAlone(text);
  };
  await inTurns(
    texts,
    (text) => forms.push(read(text)),
    turn,
    (text) => 1 + text.length / 16,
  );
  // The first word distinguishes a batch from the single decode of the same VIN.
  const body = ['batch', ...texts.map((text) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n'))].join('\n');
  return { forms, newId, idempotencyKey, body };
}

/** After so many VINs others get their turn: about a millisecond. */
const A_TURN = 100;

/**
 * Does something with each item of a batch, in the turns of who sent it.
 *
 * @param weightOf how many VINs an item takes as long as.
 */
export async function inTurns<Item>(
  items: Iterable<Item>,
  use: (item: Item, index: number) => unknown,
  turn: NextTurn,
  weightOf: (item: Item) => number = () => 1,
): Promise<void> {
  let [index, weight] = [0, 0];
  for (const item of items) {
    weight += weightOf(item);
    if (weight >= A_TURN) {
      await turn();
      weight = 0;
    }
    use(item, index);
    index += 1;
  }
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
