import { readVin, type VehicleReport } from '@marque/decoder';

import type { Database } from '../kernel/db/index.ts';
import type { Caller } from '../workspaces/index.ts';
import type { CorrectedDecoder } from '../corrections/index.ts';
import type { Enrichment } from '../enrichment/index.ts';
import { withIdempotency } from '../metering/with-idempotency.ts';
import {
  type Idempotency,
  type IdempotencyRefusal,
  type IdempotentCharge,
  type Meter,
  type Repetition,
  storedReports,
  subjectOf,
  type Usage,
} from '../metering/index.ts';
import { type Answer, answerOfReport, answerOfVin } from './answer.ts';
import { completeFor } from './complete-for.ts';

/** What became of a request for a decode. Only `granted` is charged, and once however often it is repeated. */
export type DecodeOutcome =
  | { kind: 'malformed'; message: string }
  /** `id` is the stored decode's; `isReplay`: it was answered before. */
  | { kind: 'granted'; id: string; answer: Answer; usage: Usage; isReplay: boolean }
  | { kind: 'exhausted'; usage: Usage }
  /** The VIN is looked up outside: the same request later brings the report. `id` is the stored request's. */
  | { kind: 'pending'; id: string; vin: string; retryAfterSeconds: number; usage: Usage }
  | { kind: 'overloaded'; retryAfterSeconds: number }
  | IdempotencyRefusal;

/** What a decode needs. */
export interface DecodeDeps {
  decoder: CorrectedDecoder;
  meter: Pick<Meter, 'charge' | 'record' | 'peek'>;
  idempotency: Pick<Idempotency, 'begin'>;
  /** Undefined: no source is configured, and nothing is ever pending. */
  enrichment: Pick<Enrichment, 'concerns' | 'complete'> | undefined;
  /** Where the report is stored of a request that comes again. */
  database: Database;
}

/** What is stored with the charge of one decode. The report is not: it belongs to the decode, and is erased there. */
const RECORDED = 'decode';

/** A request for a decode. */
export interface DecodeOrder {
  /** The VIN as it was sent. */
  text: string;
  /** The id under which the decode is stored: a UUIDv7. */
  id: string;
  idempotencyKey: string | undefined;
}

/** Decodes for a caller, then charges and stores it, and only then gives the report. */
export function decodeFor(deps: DecodeDeps, caller: Caller, order: DecodeOrder): Promise<DecodeOutcome> {
  const form = readVin(order.text);
  if (form.kind === 'malformed') return Promise.resolve(form);
  const repeatable = { scope: subjectOf(caller), key: order.idempotencyKey, body: form.vin };
  return withIdempotency(
    deps.idempotency,
    repeatable,
    (recordOf) => chargeFor(deps, caller, order.id, form.vin, recordOf),
    (finding) => repeated(deps, finding),
  );
}

async function chargeFor(
  deps: DecodeDeps,
  caller: Caller,
  id: string,
  vin: string,
  recordOf?: (outcome: string) => IdempotentCharge,
): Promise<DecodeOutcome> {
  const { decoder, meter, enrichment } = deps;
  let answer = answerOfVin(decoder.shared(vin), vin);
  if (enrichment?.concerns(answer) === true) {
    const usage = await meter.peek(caller);
    if (usage.remaining === 0) return { kind: 'exhausted', usage };
    const completed = await completeFor({ decoder, meter, enrichment }, caller, { id, report: answer.report(), usage });
    if (completed.kind === 'pending') return { ...completed, vin, usage };
    if (completed.kind === 'overloaded') return completed;
    answer = answerOfReport(completed.report);
  }
  const decode = { id, vin, outcome: answer.outcome, report: answer.textAt('full') };
  const charge = await meter.charge(caller, decode, recordOf?.(RECORDED));
  if (charge.kind === 'conflict') return { kind: 'under-way' };
  return charge.kind === 'granted' ? { kind: 'granted', id, answer, usage: charge.usage, isReplay: false } : charge;
}

/** The answer that was given before, from the decode that was stored with its charge. */
async function repeated(
  { database }: Pick<DecodeDeps, 'database'>,
  { decodeId, usage }: Repetition,
): Promise<DecodeOutcome> {
  if (decodeId === null || usage === null) throw new Error('The record of a repeated decode names no charge.');
  const text = (await storedReports(database, [decodeId])).get(decodeId);
  if (text === undefined) throw new Error('The decode of a repeated request is not stored.');
  const report: VehicleReport = JSON.parse(text);
  return { kind: 'granted', id: decodeId, answer: answerOfReport(report, text), usage, isReplay: true };
}
