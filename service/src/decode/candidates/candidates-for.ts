import { type CandidatesAnswer, type Hints, segmentsOf } from '@marque/decoder';

import { maskVin } from '../../kernel/mask-vin.ts';
import { type Subscriber, subjectOf, tenantOf } from '../../workspaces/index.ts';
import { chargeOfVin, type Usage } from '../../metering/index.ts';
import { answerOfReport } from '../answer.ts';
import { chargeItems } from '../charge-items.ts';
import type { DecodeParts } from '../parts.ts';
import type { NotSearched } from '../searches/candidate-searches.ts';

/** The outcome of a request for candidates. Only `granted` is charged, once a day for each VIN. */
type CandidatesOutcome =
  | { kind: 'malformed'; message: string }
  /** The report is at full depth. `id` is the stored decode's. */
  | { kind: 'granted'; id: string; answer: CandidatesAnswer; usage: Usage }
  | { kind: 'exhausted'; usage: Usage }
  | NotSearched;

/** Finds the fields that a VIN leaves open, then charges and stores it like a decode, and only then returns them. */
export async function candidatesFor(
  { searches, meter, idempotency, clock }: DecodeParts,
  caller: Subscriber,
  { id, text, hints }: { id: string; text: string; hints: Hints },
): Promise<CandidatesOutcome> {
  const read = await searches.read(tenantOf(caller), text, hints);
  if (read.kind !== 'read') return read;
  const { vin, answer } = read;
  // A masked VIN may contain a serial number, which an erasure by VIN would not find.
  const stored = read.isWhole ? vin : maskVin(vin);
  const told = answerOfReport(read.isWhole ? answer.report : { ...answer.report, vin: stored, ...segmentsOf(stored) });
  const decode = { id, vin: stored, outcome: told.outcome, report: told.textAt('full') };
  // Charged once a day for each VIN: a client narrows a vehicle down by asking again with other hints.
  const once = chargeOfVin({ atMs: clock() }, 'candidates', vin);
  const charged = await chargeItems(meter, caller, [{ kind: 'decoded', decode }], once);
  if (charged.kind === 'settled') return { kind: 'granted', id, answer, usage: charged.usage };
  if (charged.kind !== 'conflict') return charged;
  const first = await idempotency.decodeOf(subjectOf(caller), once.key);
  return { kind: 'granted', id: first ?? id, answer, usage: await meter.peek(caller) };
}

/** Returns the message to a workspace that requests candidates too often. */
export function tooOftenText(retryAfterSeconds: number): string {
  const unit = retryAfterSeconds === 1 ? 'second' : 'seconds';
  return `Too many requests for candidates in a short time. Send the next one in ${retryAfterSeconds} ${unit}. Nothing was charged.`;
}

/** Characters of a fault that are named. */
const LONGEST_FAULT = 220;

/** Returns the first faults of a question, shortened: an unknown hint's name can be as long as the body. */
export function firstFaults(messages: readonly string[], most = 2): string {
  return messages
    .slice(0, most)
    .map((message) => message.slice(-LONGEST_FAULT))
    .join(' ');
}
