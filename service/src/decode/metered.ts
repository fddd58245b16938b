import { setImmediate } from 'node:timers/promises';

import { readVinAlone } from '@marque/catalog/tables';
import type { VehicleReport, VinForm } from '@marque/decoder';

import type { Completion, Enrichment } from '../enrichment/index.ts';
import { maskVin } from '../kernel/mask-vin.ts';
import {
  type IdempotencyRefusal,
  type IdempotentCharge,
  type Meter,
  type Repetition,
  storedReports,
  type Usage,
  fixedOutcome,
  isTestCaller,
  UnreadableOutcome,
  withIdempotency,
} from '../metering/index.ts';
import { subjectOf, type Caller } from '../workspaces/index.ts';
import { type Answer, answerOfReport, answerOfVin } from './answer.ts';
import { chargeItems, type Charging, type CutOff, type Overloaded } from './charge-items.ts';
import type { DecodeParts } from './parts.ts';

/** The result of one VIN. Only `decoded` is charged. */
export type Item =
  | Decoded
  | { kind: 'malformed'; message: string }
  /** It is looked up outside: the same request later brings the report. `id` is the stored request's. */
  | { kind: 'pending'; id: string; retryAfterSeconds: number }
  | CutOff;

/** A decoded VIN. The answer is at full depth: cut it before it leaves. `id` is the stored decode's. */
interface Decoded {
  kind: 'decoded';
  id: string;
  answer: Answer;
}

/** The outcome of a request: `settled` has an item for each VIN, in order. */
export type BatchOutcome =
  /** `isReplay`: it was answered before, and nothing was charged now. */
  | { kind: 'settled'; items: Item[]; usage: Usage; isReplay: boolean }
  /** Not one of the VINs could be served within the limit. */
  | { kind: 'exhausted'; usage: Usage }
  | Overloaded
  | IdempotencyRefusal;

/** A request for decodes. */
export interface MeteredRequest {
  /** The VINs as they were read. */
  forms: readonly VinForm[];
  /** Makes the id under which a decode is stored: a UUIDv7. */
  newId: () => string;
  /** The key as the client sent it. */
  idempotencyKey: string | undefined;
  /** The request's parameters, as text: distinguishes it from another one with the same key. */
  body: string;
}

/** The outcome of a request for one decode. Only `granted` is charged, and once however often it is repeated. */
export type DecodeOutcome =
  | { kind: 'malformed'; message: string }
  | { kind: 'granted'; id: string; answer: Answer; usage: Usage; isReplay: boolean }
  | { kind: 'exhausted'; usage: Usage }
  | { kind: 'pending'; id: string; vin: string; retryAfterSeconds: number; usage: Usage }
  | Overloaded
  | IdempotencyRefusal;

/** A request for one decode: the VIN as it was sent, and the id under which it is stored. */
export interface SingleRequest {
  text: string;
  id: string;
  idempotencyKey: string | undefined;
}

/** Decodes one VIN, as a request for many with one in it. A malformed one is refused, whatever its key. */
export async function decodeFor(deps: DecodeParts, caller: Caller, request: SingleRequest): Promise<DecodeOutcome> {
  const form = readVinAlone(request.text);
  if (form.kind === 'malformed') return form;
  const { id, idempotencyKey } = request;
  const settled = await decodeManyFor(deps, caller, { forms: [form], newId: () => id, idempotencyKey, body: form.vin });
  if (settled.kind !== 'settled') return settled;
  const { items, usage, isReplay } = settled;
  const [item] = items;
  switch (item?.kind) {
    case 'decoded':
      return { kind: 'granted', id: item.id, answer: item.answer, usage, isReplay };
    case 'pending':
      return { ...item, vin: form.vin, usage };
    case 'malformed':
      return item;
    default:
      return { kind: 'exhausted', usage };
  }
}

/**
 * Decodes VINs, completes them, charges and stores as many as the limit allows in one transaction, and only then
 * returns the answers. A request whose key came before gets its earlier answer.
 */
export function decodeManyFor(deps: DecodeParts, caller: Caller, request: MeteredRequest): Promise<BatchOutcome> {
  return withIdempotency<BatchOutcome>(
    deps.idempotency,
    { scope: subjectOf(caller), key: request.idempotencyKey, body: request.body },
    (recordOf) => decodeAndCharge(deps, caller, request, recordOf),
    (finding) => repeated(deps, finding, request.forms),
  );
}

/** An item before its charge. */
type Uncharged = Charging<Decoded> | Extract<Item, { kind: 'malformed' | 'pending' }>;

/** After so many decodes others get their turn: about a millisecond. */
const TURN = 100;

async function decodeAndCharge(
  deps: DecodeParts,
  caller: Caller,
  { forms, newId }: MeteredRequest,
  recordOf: ((outcome: string) => IdempotentCharge) | undefined,
): Promise<BatchOutcome> {
  const { decoder, meter, enrichment } = deps;
  const items: Uncharged[] = [];
  let usage: Usage | undefined;
  for (const [index, form] of forms.entries()) {
    if (index % TURN === TURN - 1) await setImmediate();
    if (form.kind === 'malformed') {
      items.push(form);
      continue;
    }
    const id = newId();
    const answer = answerOfVin(decoder.shared(form.vin), form.vin);
    if (!isOpen(enrichment, caller, answer)) {
      items.push(chargingOf(id, answer));
      continue;
    }
    usage ??= await meter.peek(caller);
    const item = await completed(meter, enrichment, caller, { id, answer, usage });
    if (item.kind === 'overloaded') return item;
    items.push(item);
  }
  const charged = await chargeItems(meter, caller, items, recordOf?.(planOf(items)));
  if (charged.kind === 'conflict') return { kind: 'under-way' };
  if (charged.kind !== 'settled') return charged;
  return { ...charged, isReplay: false };
}

function chargingOf(id: string, answer: Answer): Uncharged {
  const decode = { id, vin: answer.vin, outcome: answer.outcome, report: answer.textAt('full') };
  return { kind: 'decoded', id, answer, decode };
}

/** Returns a decode that a source concerns: completed, or stored as pending. */
async function completed(
  meter: Pick<Meter, 'record'>,
  enrichment: DecodeParts['enrichment'],
  caller: Caller,
  { id, answer, usage }: { id: string; answer: Answer; usage: Usage },
): Promise<Uncharged | Overloaded> {
  const report = answer.report();
  const completion = await complete(enrichment, caller, report, usage);
  if (completion.kind !== 'pending') return chargingOf(id, answerOfReport(completion.report));
  const pending = { id, vin: answer.vin, outcome: 'pending', report: JSON.stringify(report) };
  const recorded = await meter.record(caller, pending);
  return recorded.kind === 'overloaded' ? recorded : { ...completion, id: recorded.id };
}

/** Returns true if a report waits for outside sources. No source is asked for a test key. */
export function isOpen(
  enrichment: DecodeParts['enrichment'],
  caller: Caller,
  report: Parameters<Enrichment['concerns']>[0],
): boolean {
  if (isTestCaller(caller)) return fixedOutcome(caller, report.vin)?.kind === 'pending';
  return enrichment?.concerns(report) === true;
}

/** Completes a report that `isOpen`, or reports it as pending. A caller with no decode left starts no look-up. */
export async function complete(
  enrichment: DecodeParts['enrichment'],
  caller: Caller,
  report: VehicleReport,
  usage: Usage,
): Promise<Completion> {
  if (usage.remaining === 0) return { kind: 'settled', report };
  const fixed = fixedOutcome(caller, report.vin);
  if (fixed?.kind === 'pending') return fixed;
  if (enrichment === undefined) return { kind: 'settled', report };
  return enrichment.complete(report, { subject: subjectOf(caller), isPublic: caller.kind === 'public', usage });
}

/** An item as it is stored with the charge, to be answered again: a report is named by its id. */
type PlannedItem =
  | { kind: 'decoded'; id: string }
  /** Stored without its message, which follows from the request: a batch may have a thousand, and none is charged. */
  | { kind: 'malformed' }
  | Extract<Item, { kind: 'pending' }>;

/**
 * Returns the items as they are stored with their charge. It is written before the charge is decided: which decodes
 * were granted follows from which of them are stored, and these are kept longer than it is.
 */
function planOf(items: readonly Uncharged[]): string {
  const plan = items.map((item): PlannedItem => {
    if (item.kind === 'decoded') return { kind: item.kind, id: item.id };
    return item.kind === 'malformed' ? { kind: item.kind } : item;
  });
  return JSON.stringify(plan);
}

/** Reads what `planOf` wrote; undefined if another version of the program wrote it. */
function planIn(outcome: string): PlannedItem[] | undefined {
  try {
    const plan: PlannedItem[] | null = JSON.parse(outcome);
    return Array.isArray(plan) && plan.every((item) => PLANNED_KINDS.has(item?.kind)) ? plan : undefined;
  } catch {
    return undefined;
  }
}

/** The error where this version of the program takes a text that the one before it refused. */
const NO_VIN_THEN = 'This was not read as a VIN when the request first came.';

const PLANNED_KINDS: ReadonlySet<unknown> = new Set([
  'decoded',
  'malformed',
  'pending',
] satisfies PlannedItem['kind'][]);

/** Returns the earlier answer. Charged decodes are stored; the rest of the request was beyond the limit. */
async function repeated(
  { database }: Pick<DecodeParts, 'database'>,
  { outcome, usage, isUnchecked }: Repetition,
  forms: MeteredRequest['forms'],
): Promise<BatchOutcome> {
  const plan = planIn(outcome);
  if (usage === null || plan === undefined) throw new UnreadableOutcome();
  if (isUnchecked && plan.length !== forms.length) return { kind: 'reused-idempotency-key' };
  const ids = plan.flatMap((item) => (item.kind === 'decoded' ? [item.id] : []));
  const reports = await storedReports(database, ids);
  if (reports.size === 0) throw new UnreadableOutcome();
  let isAnother = false;
  const items = plan.map((item, index): Item => {
    const form = forms[index];
    if (item.kind === 'malformed') {
      return form?.kind === 'malformed' ? form : { kind: 'malformed', message: NO_VIN_THEN };
    }
    if (item.kind !== 'decoded') return item;
    const text = reports.get(item.id);
    if (text === undefined) return { kind: 'exhausted' };
    const report: VehicleReport = JSON.parse(text);
    // An erased VIN is stored without its serial number.
    if (isUnchecked && (form?.kind !== 'vin' || !isStoredAs(form.vin, report.vin))) isAnother = true;
    return { kind: 'decoded', id: item.id, answer: answerOfReport(report, text) };
  });
  return isAnother ? { kind: 'reused-idempotency-key' } : { kind: 'settled', items, usage, isReplay: true };
}

/** Returns true if a VIN may be stored so: without its serial number where it was erased. */
function isStoredAs(vin: string, stored: string): boolean {
  return stored === vin || stored === maskVin(vin);
}
