import { common, type ReportField } from './field.ts';
import { distance, share } from './tolerance.ts';

const DIMENSION = distance(75);

/** The group `technicalSpecs`: dimensions, weights and volumes. */
export const TECHNICAL_FIELDS = {
  'technicalSpecs.lengthMm': {
    kind: 'number',
    description: 'Length in millimeters.',
    example: 4813,
    label: 'Length',
    unit: 'mm',
    draft: 'lengthMm',
    specs: common('lengthMm', DIMENSION),
  },
  'technicalSpecs.widthMm': {
    kind: 'number',
    description: 'Width in millimeters.',
    example: 1816,
    label: 'Width',
    unit: 'mm',
    draft: 'widthMm',
    specs: common('widthMm', DIMENSION),
  },
  'technicalSpecs.heightMm': {
    kind: 'number',
    description: 'Height in millimeters.',
    example: 1450,
    label: 'Height',
    unit: 'mm',
    draft: 'heightMm',
    specs: common('heightMm', DIMENSION),
  },
  'technicalSpecs.wheelbaseMm': {
    kind: 'number',
    description: 'Wheelbase in millimeters.',
    example: 2741,
    label: 'Wheelbase',
    unit: 'mm',
    draft: 'wheelbaseMm',
    specs: common('wheelbaseMm', DIMENSION),
  },
  'technicalSpecs.curbWeightKg': {
    kind: 'number',
    description: 'Curb weight in kilograms.',
    example: 1500,
    label: 'Curb weight',
    unit: 'kg',
    draft: 'curbWeightKg',
    specs: common('curbKg', share(0.05)),
  },
  'technicalSpecs.grossWeightKg': {
    kind: 'number',
    description: 'Gross weight in kilograms.',
    example: 2000,
    label: 'Gross weight',
    unit: 'kg',
    draft: 'grossWeightKg',
    specs: common('grossKg', share(0.05)),
  },
  'technicalSpecs.groundClearanceMm': {
    kind: 'number',
    description: 'Ground clearance in millimeters.',
    example: 150,
    label: 'Ground clearance',
    unit: 'mm',
    draft: 'groundClearanceMm',
    specs: common('clearanceMm', share(0.1)),
  },
  'technicalSpecs.cargoVolumeLiters': {
    kind: 'number',
    description: 'Cargo volume in liters.',
    example: 400,
    label: 'Cargo volume',
    unit: 'L',
    draft: 'cargoVolumeLiters',
    specs: common('cargoL', share(0.05)),
  },
  'technicalSpecs.cargoVolumeMaxLiters': {
    kind: 'number',
    description: 'Cargo volume with the seats folded, in liters.',
    example: 1200,
    label: 'Cargo volume, seats folded',
    unit: 'L',
    draft: 'cargoVolumeMaxLiters',
    specs: common('cargoMaxL', share(0.05)),
  },
} as const satisfies Record<string, ReportField>;
