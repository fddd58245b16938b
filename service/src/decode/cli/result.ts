import type { Decoder, Hints, readVin, VehicleReport } from '@marque/decoder';

import { REPORT_COLUMNS } from '../../report/index.ts';
import { candidatesOf } from './candidates.ts';
import type { ReportResult, Result } from './result-types.ts';

/**
 * The kind of result: a report at full depth, one with its evidence, one with its open fields, or NHTSA's own decode.
 */
export type View = 'report' | 'explanation' | 'candidates' | 'vpic';

/** The numbers of decoded and of invalid VINs. */
export interface DecodeCount {
  decoded: number;
  refused: number;
}

/** Columns of results in CSV. */
export const CSV_COLUMNS = ['vin', 'error', ...REPORT_COLUMNS] as const;

/** The columns added to a table: all but the VIN, which it has. */
export const ADDED_COLUMNS = CSV_COLUMNS.filter((column) => column !== 'vin');

/** The options for decoding a text, and facts about its vehicle. */
interface TextOptions {
  hints: Hints;
  read: typeof readVin;
}

/** Decodes one text as the view asks. */
export function decodeText(
  decoder: Decoder,
  text: string,
  view: Exclude<View, 'vpic'>,
  options: TextOptions,
): ReportResult;
export function decodeText(decoder: Decoder, text: string, view: View, options: TextOptions): Result;
export function decodeText(decoder: Decoder, text: string, view: View, { hints, read }: TextOptions): Result {
  if (view === 'vpic') return decodeVpic(decoder, text);
  const form = read(text);
  if (view === 'candidates') return candidatesOf(decoder, form.kind === 'vin' ? form.vin : text, hints);
  if (form.kind === 'malformed') return { kind: 'error', vin: text, error: form.message };
  if (view === 'explanation') return { kind: 'explanation', explanation: decoder.explain(form.vin) };
  return { kind: 'report', report: decoder.decode(form.vin) };
}

/** Decodes as NHTSA does. It reports letters that no VIN may have (I, O, Q) by error codes instead of refusing them. */
function decodeVpic(decoder: Decoder, text: string): Result {
  const vin = text.trim().toUpperCase();
  if (!/^[A-Z0-9*]{3,17}$/.test(vin)) {
    const error = 'The vPIC format takes 3 to 17 letters and digits, with * for each unknown character.';
    return { kind: 'error', vin: text, error };
  }
  return { kind: 'vpic', vin, rows: decoder.vpic(vin) };
}

/** Returns the value that a JSON format prints for a result. */
export function valueOf(result: Result): unknown {
  if (result.kind === 'report') return result.report;
  if (result.kind === 'explanation') return result.explanation;
  if (result.kind === 'candidates') return result.answer;
  if (result.kind === 'vpic') return { vin: result.vin, rows: result.rows };
  return { vin: result.vin, error: result.error };
}

/** Returns the fields that a row of a table shows. */
export function fieldsOf(result: ReportResult): object {
  return result.kind === 'error' ? { vin: result.vin, error: result.error } : reportOf(result);
}

/** Returns the report in a result. */
export function reportOf(result: Exclude<ReportResult, { kind: 'error' }>): VehicleReport {
  if (result.kind === 'candidates') return result.answer.report;
  return result.kind === 'report' ? result.report : result.explanation.report;
}
