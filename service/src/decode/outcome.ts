import type { VehicleReport } from '@marque/decoder';

// The thread that decodes files loads this file: what it imports is in memory twice.

/** How far the VIN of a report was understood. */
export function outcomeOf({
  manufacturer,
  model,
}: Pick<VehicleReport, 'manufacturer' | 'model'>): 'identified' | 'partial' | 'segments' {
  if (manufacturer === undefined) return 'segments';
  return model === undefined ? 'partial' : 'identified';
}
