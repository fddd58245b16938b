import { type Decoder, type Explanation, readVin, type VehicleReport } from '@marque/decoder';

/** What became of one line of input. */
export type Result =
  | { kind: 'report'; report: VehicleReport }
  | { kind: 'explanation'; explanation: Explanation }
  | { kind: 'error'; vin: string; error: string };

/** Decodes one text at full depth, with the evidence when asked for it. */
export function decodeText(decoder: Decoder, text: string, explain: boolean): Result {
  const form = readVin(text);
  if (form.kind === 'malformed') return { kind: 'error', vin: text, error: form.message };
  if (explain) return { kind: 'explanation', explanation: decoder.explain(form.vin) };
  return { kind: 'report', report: decoder.decode(form.vin) };
}

/** The value that a JSON format prints for a result. */
export function valueOf(result: Result): unknown {
  if (result.kind === 'report') return result.report;
  if (result.kind === 'explanation') return result.explanation;
  return { vin: result.vin, error: result.error };
}
