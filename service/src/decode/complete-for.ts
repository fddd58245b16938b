import type { VehicleReport } from '@marque/decoder';

import type { Caller } from '../workspaces/index.ts';
import type { CorrectedDecoder } from '../corrections/index.ts';
import type { Enrichment } from '../enrichment/index.ts';
import { type Meter, subjectOf, type Usage } from '../metering/index.ts';

/** What became of a report that does not name its vehicle. */
export type Completed =
  /** The best report there is. */
  | { kind: 'settled'; report: VehicleReport }
  /** The VIN is looked up outside; the request is stored, uncharged. `id`: of the first such request of this month. */
  | { kind: 'pending'; id: string; retryAfterSeconds: number }
  | { kind: 'overloaded'; retryAfterSeconds: number };

interface CompletionDeps {
  decoder: Pick<CorrectedDecoder, 'correct'>;
  meter: Pick<Meter, 'record'>;
  enrichment: Pick<Enrichment, 'complete'>;
}

/**
 * Completes a report with what is known outside.
 *
 * @param request the id under which it is stored while it is pending, and the caller's usage: a caller with no decode
 *   left cannot make anybody look, and must not come here.
 */
export async function completeFor(
  { decoder, meter, enrichment }: CompletionDeps,
  caller: Caller,
  { id, report, usage }: { id: string; report: VehicleReport; usage: Usage },
): Promise<Completed> {
  const asker = { subject: subjectOf(caller), isPublic: caller.kind === 'public', remaining: usage.remaining };
  const completion = await enrichment.complete(report, asker);
  if (completion.kind === 'settled') return { kind: 'settled', report: decoder.correct(completion.report) };
  const decode = { id, vin: report.vin, outcome: 'pending', report: JSON.stringify(report) };
  const recorded = await meter.record(caller, decode);
  if (recorded.kind === 'overloaded') return recorded;
  return { kind: 'pending', id: recorded.id, retryAfterSeconds: completion.retryAfterSeconds };
}
