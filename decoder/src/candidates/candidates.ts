import type { VehicleReport } from '../report/report.ts';

/** A field that neither the VIN nor hints decide, with its possible values in the catalog. */
export interface OpenField {
  /** The field's path in the report. */
  field: string;
  /** The values that remain, the likeliest first. */
  candidates: (string | number)[];
  /** The facts that would decide it, in words for people. */
  settledBy: string[];
}

/** An engine that the vehicle may have: its fuel, size and power go together. Unknown parts are absent. */
export interface EngineVariant {
  fuelType?: string;
  displacementCc?: number;
  powerKw?: number;
}

/** The values that a VIN and hints decide, and the fields that they leave open. */
export interface CandidatesAnswer {
  report: VehicleReport;
  open: OpenField[];
  /**
   * The engines that remain, the likeliest first. Each is a set of hints that chooses it. Empty if the engine is known.
   */
  engines: EngineVariant[];
  /** Names of hints that contradict the VIN, another hint, or every possible year: they were ignored. */
  conflicts: string[];
}
