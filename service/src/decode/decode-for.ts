import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';

import type { Caller } from '../access/index.ts';
import type { Meter, StoredDecode, Usage } from '../usage/index.ts';

/** What became of a request for a decode. Only `granted` is charged. */
export type DecodeOutcome =
  | { kind: 'malformed'; message: string }
  /** The report is at full depth: cut it before it leaves. */
  | { kind: 'granted'; report: VehicleReport; usage: Usage }
  | { kind: 'exhausted'; usage: Usage }
  | { kind: 'overloaded'; retryAfterSeconds: number };

/** What a decode needs. */
export interface DecodeDeps {
  decoder: Decoder;
  meter: Pick<Meter, 'charge'>;
}

/** Decodes a text for a caller, then charges it and stores it under the id, and only then gives the report. */
export async function decodeFor(deps: DecodeDeps, caller: Caller, text: string, id: string): Promise<DecodeOutcome> {
  const form = readVin(text);
  if (form.kind === 'malformed') return form;
  const report = deps.decoder.decode(form.vin);
  const charge = await deps.meter.charge(caller, storedAs(id, report));
  if (charge.kind === 'conflict') throw new Error('A charge without an idempotency key was in conflict with another.');
  return charge.kind === 'granted' ? { kind: 'granted', report, usage: charge.usage } : charge;
}

function storedAs(id: string, report: VehicleReport): StoredDecode {
  return { id, vin: report.vin, outcome: howFar(report), report: JSON.stringify(report) };
}

/** How far the VIN was understood, in the word that is stored. */
function howFar({ manufacturer, model }: VehicleReport): 'identified' | 'partial' | 'segments' {
  if (manufacturer === undefined) return 'segments';
  return model === undefined ? 'partial' : 'identified';
}
