import type { VehicleReport } from '@marque/decoder';

// The thread that decodes files loads this file: its imports are in memory twice.

/** Returns the extent to which the VIN of a report was decoded. */
export function outcomeOf({
  manufacturer,
  model,
}: Pick<VehicleReport, 'manufacturer' | 'model'>): 'identified' | 'partial' | 'segments' {
  if (manufacturer === undefined) return 'segments';
  return model === undefined ? 'partial' : 'identified';
}
