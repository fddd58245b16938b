import { setImmediate } from 'node:timers/promises';

import { readVin } from '@marque/decoder';

import type { Caller } from '../../workspaces/index.ts';
import { withIdempotency } from '../../metering/with-idempotency.ts';
import {
  type IdempotencyRefusal,
  type IdempotentCharge,
  type Meter,
  type Repetition,
  storedReports,
  subjectOf,
  type StoredDecode,
  type Usage,
} from '../../metering/index.ts';
import { completeFor } from '../complete-for.ts';
import { outcomeOf } from '../outcome.ts';
import type { DecodeDeps, DecodeOutcome } from '../decode-for.ts';
import { type BatchItem, cutAfter, planOf, readPlan, servedOf } from './item.ts';

/** What became of a batch. `settled` has an item for each VIN, in order. */
export type BatchOutcome =
  | { kind: 'settled'; items: BatchItem[]; usage: Usage; isReplay: boolean }
  /** Not one of the VINs could be served within the limit. */
  | { kind: 'exhausted'; usage: Usage }
  | Extract<DecodeOutcome, { kind: 'overloaded' }>
  | IdempotencyRefusal;

/** What a batch needs. */
export interface BatchDeps extends Omit<DecodeDeps, 'meter'> {
  meter: Pick<Meter, 'chargeMany' | 'record' | 'peek'>;
  newId: () => string;
}

/** A batch of VINs as they were sent. */
export interface BatchOrder {
  texts: readonly string[];
  idempotencyKey: string | undefined;
}

/** After so many decodes others get their turn: about two milliseconds. */
const TURN = 200;

/** Decodes a batch, charges what the limit lets of it in one transaction, and only then gives the reports. */
export async function batchFor(deps: BatchDeps, caller: Caller, order: BatchOrder): Promise<BatchOutcome> {
  const { texts, idempotencyKey: key } = order;
  // The word before tells a batch from the single decode of the same VIN.
  const repeatable = { scope: subjectOf(caller), key, body: ['batch', ...texts].join('\n') };
  return withIdempotency(
    deps.idempotency,
    repeatable,
    (recordOf) => chargeBatch(deps, caller, texts, recordOf),
    (finding) => repeated(deps, finding),
  );
}

async function chargeBatch(
  deps: BatchDeps,
  caller: Caller,
  texts: readonly string[],
  recordOf?: (outcome: string) => IdempotentCharge,
): Promise<BatchOutcome> {
  const items = await decodeAll(deps, caller, texts);
  if (!Array.isArray(items)) return items;
  const decodes: StoredDecode[] = [];
  for (const item of items) {
    if (item.kind !== 'decoded') continue;
    const { id, report } = item;
    decodes.push({ id, vin: report.vin, outcome: outcomeOf(report), report: JSON.stringify(report) });
  }
  const charge = await deps.meter.chargeMany(caller, decodes, recordOf?.(planOf(items)));
  if (charge.kind === 'conflict') return { kind: 'under-way' };
  if (charge.kind === 'overloaded') return charge;
  if (charge.granted === 0 && decodes.length > 0) return { kind: 'exhausted', usage: charge.usage };
  return { kind: 'settled', items: cutAfter(items, charge.granted), usage: charge.usage, isReplay: false };
}

/** Decodes every VIN; those that are looked up outside are stored as pending. */
async function decodeAll(
  deps: BatchDeps,
  caller: Caller,
  texts: readonly string[],
): Promise<BatchItem[] | Extract<BatchOutcome, { kind: 'overloaded' }>> {
  const { decoder, meter, enrichment, newId } = deps;
  const items: BatchItem[] = [];
  let usage: Usage | undefined;
  for (const [index, text] of texts.entries()) {
    if (index % TURN === TURN - 1) await setImmediate();
    const form = readVin(text);
    if (form.kind === 'malformed') {
      items.push(form);
      continue;
    }
    const report = decoder.decode(form.vin);
    const id = newId();
    if (enrichment?.concerns(report) !== true) {
      items.push({ kind: 'decoded', id, report });
      continue;
    }
    usage ??= await meter.peek(caller);
    // A caller with no decode left starts no look-up.
    const completed =
      usage.remaining === 0
        ? ({ kind: 'settled', report } as const)
        : await completeFor({ decoder, meter, enrichment }, caller, { id, report, usage });
    if (completed.kind === 'overloaded') return completed;
    items.push(completed.kind === 'pending' ? completed : { kind: 'decoded', id, report: completed.report });
  }
  return items;
}

/** The answer that was given before. What was charged is stored; the rest of the plan was beyond the limit. */
async function repeated(deps: BatchDeps, { outcome, usage }: Repetition): Promise<BatchOutcome> {
  if (usage === null) throw new Error('The record of a repeated batch names no charge.');
  const plan = readPlan(outcome);
  const ids = plan.flatMap((item) => (item.kind === 'decoded' ? [item.id] : []));
  const reports = await storedReports(deps.database, ids);
  return { kind: 'settled', items: servedOf(plan, reports), usage, isReplay: true };
}
