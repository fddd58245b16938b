import { type VehicleReport, type VpicFacts, type VpicRow, vpicElementsOf, vpicRowsOf } from '@marque/decoder';

import { valueAt } from '../../kernel/records.ts';
import { VARIABLE } from './variable-ids.ts';

/**
 * Fields of the report whose NHTSA variables the reduced set of NHTSA's data lacks. Weights are not among them: most are
 * estimates.
 */
const FILLED = [
  'specs.driveType',
  'specs.transmission',
  'specs.powerKw',
  'specs.batteryCapacityKwh',
  'technicalSpecs.wheelbaseMm',
] as const;

/** An automatic of no known number of speeds may also be continuously variable: NHTSA has a separate word for that. */
const OPEN_TRANSMISSION = 'Automatic';

/**
 * NHTSA's reading with what our own specifications settle where it says nothing at all. Only where both readings name the
 * same make and year and both a model: else the report may be of another reading of the VIN.
 */
export function completeRows(rows: readonly VpicRow[], report: VehicleReport, facts: VpicFacts): VpicRow[] {
  const held = new Map(rows.map(([id, value]) => [id, value]));
  const isSameCar =
    report.model !== undefined &&
    held.has(VARIABLE.model) &&
    report.modelYear !== undefined &&
    held.get(VARIABLE.modelYear) === report.modelYear &&
    held.get(VARIABLE.make) === report.manufacturer?.toUpperCase();
  if (!isSameCar) return [...rows];
  const added = FILLED.flatMap((path): VpicRow[] => {
    if (vpicElementsOf(path).some((id) => (held.get(id) ?? '') !== '')) return [];
    const value = valueAt(report, path);
    if ((typeof value !== 'string' && typeof value !== 'number') || value === OPEN_TRANSMISSION) return [];
    const found = vpicRowsOf(path, value, facts);
    // A word that NHTSA does not have is left out.
    return typeof value === 'string' && found[0]?.[2] === undefined ? [] : found;
  });
  return [...rows, ...added];
}
