import { readFileSync } from 'node:fs';

/** A VIN with its vehicle's known values. */
export interface LabeledVin {
  vin: string;
  expected: Label;
  /**
   * The kind of the label's year: the model year, or the year of production or first registration, which the model year
   * may be one ahead of.
   */
  yearBasis: 'model-year' | 'production-or-first-registration';
  /** The kind of vehicle, in one word: truck, bus, motorcycle, trailer, machine. Sets of cars do not say it. */
  kind?: string;
  /** The reason for choosing this VIN, in the project's own set. */
  reason?: string;
}

/** The values of a label; absent fields are not labeled. */
export interface Label {
  manufacturer?: string;
  model?: string;
  generation?: string;
  modelYear?: string;
  bodyStyle?: string;
  bodyStyleNormalized?: string;
  fuelType?: string;
  displacementCc?: number;
  driveType?: string;
  transmission?: string;
  powerKw?: number;
}

/**
 * Reads labeled VINs, one JSON object a line.
 * @throws Error naming the file and line that is not a labeled VIN.
 */
export function readLabeled(file: string): LabeledVin[] {
  const found: LabeledVin[] = [];
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    found.push(parseLabeled(line, `${file}:${index + 1}`));
  }
  return found;
}

/**
 * Reads a labeled VIN from a line of JSON.
 * @throws Error naming a line that has none.
 */
export function parseLabeled(line: string, where: string): LabeledVin {
  const value: unknown = JSON.parse(line);
  if (!isLabeled(value)) throw new Error(`${where} is not a labeled VIN: it needs "vin" and "expected".`);
  const yearBasis = value.yearBasis === 'model-year' ? 'model-year' : 'production-or-first-registration';
  const { vin, expected, kind, reason } = value;
  return { vin, expected, yearBasis, ...(kind !== undefined && { kind }), ...(reason !== undefined && { reason }) };
}

function isLabeled(
  value: unknown,
): value is { vin: string; expected: Label; yearBasis?: string; kind?: string; reason?: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { vin, expected } = value as { vin?: unknown; expected?: unknown };
  return typeof vin === 'string' && typeof expected === 'object' && expected !== null;
}
