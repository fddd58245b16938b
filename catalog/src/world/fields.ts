import type { WorldOutputs } from './model.ts';

/** Every field that a row may say. */
export const OUTPUT_FIELDS = [
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
] as const satisfies readonly (keyof WorldOutputs)[];
