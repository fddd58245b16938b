import type { VehicleReport } from '@marque/decoder';

import type { ReportResult } from './result.ts';

type Value = string | number | boolean | string[] | undefined;

/** Columns of the CSV format: a dot leads into `specs` and `technicalSpecs`. */
export const COLUMNS = [
  'vin',
  'error',
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
] as const;

/** The first line of the CSV format. RFC 4180: lines end with CR LF. */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** One result as a line of CSV. */
export function csvLine(result: ReportResult): string {
  return `${cellsOf(result, COLUMNS)
    .map((text) => (/[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(',')}\r\n`;
}

/** Cells of one result, not yet quoted: nothing in them is taken for a formula. */
export function cellsOf(result: ReportResult, columns: readonly string[]): string[] {
  const fields = fieldsOf(result);
  return columns.map((column) => cell(fields.get(column)));
}

function fieldsOf(result: ReportResult): Map<string, Value> {
  if (result.kind === 'error')
    return new Map([
      ['vin', result.vin],
      ['error', result.error],
    ]);
  const report: VehicleReport = result.kind === 'report' ? result.report : result.explanation.report;
  const { specs = {}, technicalSpecs = {}, ...flat } = report;
  return new Map<string, Value>([
    ...Object.entries(flat),
    ...Object.entries(specs).map(([name, value]) => [`specs.${name}`, value] as const),
    ...Object.entries(technicalSpecs).map(([name, value]) => [`technicalSpecs.${name}`, value] as const),
  ]);
}

/**
 * A value as a cell. Spreadsheets run a cell that begins like a formula, and error lines hold whatever text the input
 * held: such a cell gets an apostrophe before it, as OWASP advises.
 */
function cell(value: Value): string {
  if (value === undefined) return '';
  const text = Array.isArray(value) ? value.join('; ') : String(value);
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
