import type { CandidatesAnswer, Explanation, VehicleReport, VpicRow } from '@marque/decoder';

/** The result of one line of input. */
export type Result =
  | { kind: 'report'; report: VehicleReport }
  | { kind: 'explanation'; explanation: Explanation }
  | { kind: 'candidates'; answer: CandidatesAnswer }
  | { kind: 'vpic'; vin: string; rows: VpicRow[] }
  | { kind: 'error'; vin: string; error: string };

/** Results that a table or a sheet of fields can show. */
export type ReportResult = Exclude<Result, { kind: 'vpic' }>;
