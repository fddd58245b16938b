import type { VehicleReport } from '../report/report.ts';

/** A field that neither the VIN nor hints settle, with what the catalog knows as possible. */
export interface OpenField {
  /** The field's path in the report. */
  field: string;
  /** The values that remain, the likeliest first. */
  candidates: (string | number)[];
  /** What would settle it, in words for people. */
  settledBy: string[];
}

/** An engine that the vehicle may have: its fuel, size and power go together. What is not known of it is absent. */
export interface EngineVariant {
  fuelType?: string;
  displacementCc?: number;
  powerKw?: number;
}

/** What a VIN and hints settle, and what they leave open. */
export interface CandidatesAnswer {
  report: VehicleReport;
  open: OpenField[];
  /** The engines that remain, the likeliest first. Each is a set of hints that chooses it. None where the engine is settled. */
  engines: EngineVariant[];
  /** Names of hints that contradict what is settled: they were ignored. */
  conflicts: string[];
}
