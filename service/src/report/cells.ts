import { REPORT_ENTRIES, type ReportPath } from '@marque/decoder';

import { valueAt } from '../kernel/records.ts';
import { harmless } from '../kernel/csv/csv.ts';

/** Columns of a report beside its VIN, in their lasting order: a dot leads into `specs` and `technicalSpecs`. */
export const REPORT_COLUMNS = [
  'manufacturer',
  'model',
  'modelYear',
  'modelCode',
  'generation',
  'trim',
  'bodyStyle',
  'bodyStyleNormalized',
  'possibleBodyStyles',
  'vehicleType',
  'plant',
  'region',
  'wmi',
  'vds',
  'vis',
  'checkDigit',
  'yearCode',
  'plantCode',
  'serialNumber',
  'validFormat',
  'specs.engine',
  'specs.fuelType',
  'specs.transmission',
  'specs.driveType',
  'specs.powerKw',
  'specs.displacementCc',
  'specs.batteryCapacityKwh',
  'specs.emissionsStandard',
  'specs.market',
  'specs.plantCountry',
  'specs.plantCity',
  'technicalSpecs.lengthMm',
  'technicalSpecs.widthMm',
  'technicalSpecs.heightMm',
  'technicalSpecs.wheelbaseMm',
  'technicalSpecs.curbWeightKg',
  'technicalSpecs.grossWeightKg',
  'technicalSpecs.groundClearanceMm',
  'technicalSpecs.cargoVolumeLiters',
  'technicalSpecs.cargoVolumeMaxLiters',
] as const satisfies readonly ReportPath[];

/** Fails to compile when a field of a report has no column. */
type Missing = Exclude<ReportPath, 'vin' | (typeof REPORT_COLUMNS)[number]>;
REPORT_COLUMNS satisfies [Missing] extends [never] ? unknown : never;

const NUMBERS: ReadonlySet<string> = new Set(
  REPORT_ENTRIES.filter(([, { kind }]) => kind === 'number').map(([path]) => path),
);

/** Whether a column of a report holds numbers. */
export function isNumberColumn(path: string): boolean {
  return NUMBERS.has(path);
}

/** Cells of a report as they are. A field without a value is empty. */
export function plainCellsOf(report: object, columns: readonly string[]): string[] {
  return columns.map((path) => textOf(valueAt(report, path)));
}

/** Cells of a report for CSV, not yet quoted: nothing in them is taken for a formula. */
export function cellsOf(report: object, columns: readonly string[]): string[] {
  return plainCellsOf(report, columns).map((cell, index) =>
    isNumberColumn(columns[index] ?? '') ? cell : harmless(cell),
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.join('; ');
  return typeof value === 'string' ? value : '';
}
