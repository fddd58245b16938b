import type { VehicleReport } from '@marque/decoder';

/**
 * Whether a report says which vehicle it is: a make and a model. What is known beyond that is welcome, and its absence
 * is no reason to keep a client waiting.
 */
export function isUseful(report: Pick<VehicleReport, 'manufacturer' | 'model'>): boolean {
  return report.manufacturer !== undefined && report.model !== undefined;
}
