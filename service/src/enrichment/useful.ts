/** What names a vehicle, as far as it is known. */
export interface NamedVehicle {
  manufacturer?: string | undefined;
  model?: string | undefined;
}

/**
 * Whether a report says which vehicle it is: a make and a model. What is known beyond that is welcome, and its absence
 * is no reason to keep a client waiting.
 */
export function isUseful(report: NamedVehicle): boolean {
  return report.manufacturer !== undefined && report.model !== undefined;
}
