import { hash } from 'node:crypto';

import { type CandidatesAnswer, type Decoder, type Hints, readVin } from '@marque/decoder';

import { maskVin } from '../../kernel/mask-vin.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Subscriber } from '../../workspaces/caller.ts';
import { type Idempotency, type Meter, ownCharge, subjectOf, type Usage } from '../../metering/index.ts';
import { outcomeOf } from '../outcome.ts';
import { project } from '../depth.ts';

/** What became of a request for candidates. Only `granted` is charged, once in a day for each VIN. */
export type CandidatesOutcome =
  | { kind: 'malformed'; message: string }
  /** The report is at full depth. `id` is the stored decode's. */
  | { kind: 'granted'; id: string; answer: CandidatesAnswer; usage: Usage }
  | { kind: 'exhausted'; usage: Usage }
  | { kind: 'overloaded'; retryAfterSeconds: number };

/** What candidates need. */
export interface CandidatesDeps {
  decoder: Pick<Decoder, 'candidates'>;
  meter: Pick<Meter, 'charge' | 'peek'>;
  idempotency: Pick<Idempotency, 'decodeOf'>;
  clock: Clock;
}

/** Finds what a VIN leaves open, then charges and stores it like a decode, and only then gives it. */
export async function candidatesFor(
  { decoder, meter, idempotency, clock }: CandidatesDeps,
  caller: Subscriber,
  { id, text, hints }: { id: string; text: string; hints: Hints },
): Promise<CandidatesOutcome> {
  const read = readCandidates(decoder, text, hints);
  if (read.kind === 'malformed') return read;
  const { vin, answer } = read;
  const { report } = answer;
  // A masked VIN may hold a serial number, which an erasure by VIN would not find.
  const stored = read.isWhole ? vin : maskVin(vin);
  const charge = ownCharge(clock(), 'candidates', hash('sha256', vin));
  const decode = { id, vin: stored, outcome: outcomeOf(report), report: JSON.stringify(project('full', report)) };
  const outcome = await meter.charge(caller, decode, charge);
  if (outcome.kind === 'granted') return { kind: 'granted', id, answer, usage: outcome.usage };
  if (outcome.kind !== 'conflict') return outcome;
  // Charged once a day for each VIN: a client narrows a vehicle down by asking again with other hints.
  const first = await idempotency.decodeOf(subjectOf(caller), charge.key);
  return { kind: 'granted', id: first ?? id, answer, usage: await meter.peek(caller) };
}

type ReadCandidates =
  | { kind: 'malformed'; message: string }
  /** `isWhole`: not masked or cut. */
  | { kind: 'read'; vin: string; isWhole: boolean; answer: CandidatesAnswer };

/** Finds what a VIN, a masked VIN or its beginning leaves open. Charges nothing. */
export function readCandidates(decoder: Pick<Decoder, 'candidates'>, text: string, hints: Hints): ReadCandidates {
  const form = readVin(text);
  const vin = form.kind === 'vin' ? form.vin : text.trim().toUpperCase();
  const answer = form.kind === 'vin' || isMasked(vin) ? tried(() => decoder.candidates(vin, hints)) : undefined;
  if (answer === undefined) return { kind: 'malformed', message: form.kind === 'malformed' ? form.message : NO_VIN };
  return { kind: 'read', vin, isWhole: form.kind === 'vin', answer };
}

const NO_VIN = 'This is neither a VIN nor a masked one.';

function isMasked(text: string): boolean {
  return /^[A-HJ-NPR-Z0-9*]{11,17}$/.test(text);
}

/** What the decoder answers; undefined: it cannot read the text. */
function tried(ask: () => CandidatesAnswer): CandidatesAnswer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
