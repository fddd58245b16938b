/**
 * The fields of a world fact, in the order of their numbers in the catalog file. Model, fuel and displacement come
 * first: a fact that contradicts their decided values is about another vehicle, and is ignored.
 */
export const WORLD_FIELDS = [
  'model',
  'fuelType',
  'displacementCc',
  'make',
  'modelCode',
  'generation',
  'trim',
  'body',
  'bodyLabel',
  'vehicleType',
  'engine',
  'engineCode',
  'cylinders',
  'powerKw',
  'batteryCapacityKwh',
  'driveType',
  'transmission',
  'emissionsStandard',
  'market',
  'plantCity',
  'plantCountry',
  'modelYear',
] as const;

export type WorldField = (typeof WORLD_FIELDS)[number];

/** The number of fields at the start of the list that identify the vehicle of a fact. */
export const IDENTITY_FIELDS = 3;

/** Fields with numeric values; all others have numbers of strings, `body` that of the style. */
export const NUMERIC_WORLD_FIELDS: ReadonlySet<WorldField> = new Set([
  'cylinders',
  'displacementCc',
  'powerKw',
  'batteryCapacityKwh',
  'modelYear',
]);

/** Battery capacities are kept in tenths of a kWh, so that values stay whole numbers. */
export const TENTHS = 10;

export const YEAR_RULES = ['none', 'position-10', 'position-11'] as const;
export const CHECK_DIGIT_RULES = ['none', 'reported', 'mandatory'] as const;
export const CHECK_DIGIT_CONDITIONS = ['any', 'valid', 'invalid'] as const;
export const CONFIDENCES = ['A', 'B', 'C', 'G'] as const;

/** A year that is left open, at either end. */
export const OPEN_FROM = 0;
export const OPEN_TO = 9999;
