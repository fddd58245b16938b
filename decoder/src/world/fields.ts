/** What a world fact may say, in the order of the numbers that the catalog file uses. */
export const WORLD_FIELDS = [
  'make',
  'model',
  'modelCode',
  'generation',
  'trim',
  'body',
  'bodyLabel',
  'vehicleType',
  'fuelType',
  'engine',
  'engineCode',
  'cylinders',
  'displacementCc',
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

/** Fields whose values are numbers; all others are numbers of strings. */
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
