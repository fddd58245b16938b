import { ELEMENT } from '../vpic-elements.ts';
import type { ReportField, SettledField, SpecRule } from './field.ts';
import type { ReportPath } from './report.ts';
import { distance, share, type Tolerance } from './tolerance.ts';

/** Sources round displacements to a tenth of a litre. */
export const DISPLACEMENT_TOLERANCE_CC = 60;

const DIMENSION = distance(75);

const blocked = (column: SpecRule['column'], tolerance?: Tolerance): SpecRule =>
  tolerance === undefined ? { column, unknown: 'blocks' } : { column, tolerance, unknown: 'blocks' };

const common = (column: SpecRule['column'], tolerance?: Tolerance): SpecRule =>
  tolerance === undefined ? { column, unknown: 'minority' } : { column, tolerance, unknown: 'minority' };

/**
 * The fields of a report, by their path and in their lasting order. This table drives copying, caching, writing,
 * explaining, schemas, CSV columns, pages and the export of corrections: a new field is a row here, a property in
 * report.ts and, where readings settle it, one in draft.ts; the compiler asks for what is missing.
 */
export const REPORT_FIELDS = {
  vin: { kind: 'text', description: 'The decoded VIN.', example: '1HGCM82633A004352' },
  wmi: { kind: 'text', description: 'World manufacturer identifier, positions 1-3.', example: '1HG' },
  vds: { kind: 'text', description: 'Vehicle descriptor section, positions 4-9.', example: 'CM8263' },
  vis: { kind: 'text', description: 'Vehicle indicator section, positions 10-17.', example: '3A004352' },
  checkDigit: { kind: 'text', description: 'Position 9.', example: '3' },
  yearCode: { kind: 'text', description: 'Position 10.', example: '3' },
  plantCode: { kind: 'text', description: 'Position 11.', example: 'A' },
  serialNumber: {
    kind: 'text',
    description: 'Positions 12-17, or 15-17 where the third character is 9.',
    example: '004352',
  },
  validFormat: {
    kind: 'boolean',
    description: 'Whether the VIN is well-formed under ISO 3779. A wrong check digit does not change this.',
  },
  manufacturer: {
    kind: 'text',
    description: 'The make, as people say it. Present if and only if the vehicle was identified.',
    example: 'Honda',
    label: 'Make',
    factColumn: 'make',
    draft: 'make',
    elements: [ELEMENT.model],
    world: 'make',
  },
  model: {
    kind: 'text',
    description: 'Model.',
    example: 'Accord',
    label: 'Model',
    factColumn: 'model',
    draft: 'model',
    elements: [ELEMENT.model],
    world: 'model',
  },
  modelCode: {
    kind: 'text',
    description: "The maker's code for the model or type.",
    example: 'CM8',
    label: 'Model code',
    factColumn: 'model_code',
    draft: 'modelCode',
    elements: [ELEMENT.model, ELEMENT.series, ELEMENT.trim],
    world: 'modelCode',
  },
  generation: {
    kind: 'text',
    description: 'Generation of the model.',
    example: 'VII',
    label: 'Generation',
    factColumn: 'generation',
    draft: 'generation',
    world: 'generation',
  },
  bodyStyle: {
    kind: 'text',
    description: 'Body style as a label for people.',
    example: 'Coupe',
    label: 'Body style',
    factColumn: 'body_label',
    draft: 'bodyLabel',
    elements: [ELEMENT.body],
    world: 'body',
  },
  bodyStyleNormalized: {
    kind: 'text',
    description:
      'Body style as a stable value for programs. unknown: not determined. other: known, but in none of the categories.',
    example: 'coupe',
    label: 'Body category',
    factColumn: 'body',
    draft: 'body',
  },
  modelYear: {
    kind: 'text',
    description: 'Model year.',
    example: '2003',
    label: 'Model year',
    factColumn: 'model_year',
    draft: 'modelYear',
    world: 'modelYear',
  },
  trim: {
    kind: 'text',
    description: 'Trim level.',
    example: 'EX-V6',
    label: 'Trim',
    factColumn: 'trim',
    draft: 'trim',
    elements: [ELEMENT.trim],
    world: 'trim',
  },
  vehicleType: {
    kind: 'text',
    description: 'Kind of vehicle.',
    example: 'Passenger car',
    label: 'Vehicle type',
    factColumn: 'vehicle_type',
    draft: 'vehicleType',
    world: 'vehicleType',
  },
  plant: {
    kind: 'text',
    description: 'Plant, as city and country as far as known.',
    example: 'Marysville, United States',
    label: 'Plant',
    elements: [ELEMENT.city, ELEMENT.country],
    world: 'plantCity',
  },
  region: {
    kind: 'text',
    description: 'The region that the WMI is assigned to.',
    example: 'North America',
    label: 'Region',
  },
  possibleBodyStyles: {
    kind: 'list',
    description: 'The body styles that remain possible where the VIN does not settle one.',
    label: 'Possible bodies',
    draft: 'possibleBodies',
  },
  'specs.engine': {
    kind: 'text',
    description: 'The engine, as people write it.',
    example: 'V6 (J30A4), gasoline',
    label: 'Engine',
    factColumn: 'engine',
    draft: 'engineLine',
    elements: [ELEMENT.engineModel, ELEMENT.cylinders, ELEMENT.configuration],
    world: 'engine',
  },
  'specs.fuelType': {
    kind: 'text',
    description: 'Gasoline, Diesel, Electric, Hybrid, and so on.',
    example: 'Gasoline',
    label: 'Fuel',
    factColumn: 'fuel',
    draft: 'fuelType',
    elements: [ELEMENT.fuel, ELEMENT.secondFuel, ELEMENT.electrification],
    world: 'fuelType',
    specs: common('fuel'),
  },
  'specs.transmission': {
    kind: 'text',
    description: 'Manual or Automatic, with details if known.',
    example: 'Automatic',
    label: 'Transmission',
    factColumn: 'transmission',
    draft: 'transmission',
    elements: [ELEMENT.transmission, ELEMENT.speeds],
    world: 'transmission',
    specs: common('gearbox'),
  },
  'specs.driveType': {
    kind: 'text',
    description: 'Which wheels are driven.',
    example: 'Front-wheel drive',
    label: 'Drive',
    factColumn: 'drive',
    draft: 'driveType',
    elements: [ELEMENT.drive],
    world: 'driveType',
    // Drives are given of all cars or of the plain ones only: a part of them says nothing of the rest.
    specs: blocked('drive'),
  },
  'specs.powerKw': {
    kind: 'number',
    description: 'Power in kilowatts.',
    example: 179,
    label: 'Power',
    unit: 'kW',
    factColumn: 'kw',
    draft: 'powerKw',
    elements: [ELEMENT.powerKw, ELEMENT.powerHp],
    world: 'powerKw',
    specs: blocked('powerKw', share(0.05)),
  },
  'specs.displacementCc': {
    kind: 'number',
    description: 'Engine displacement in cubic centimeters.',
    example: 2998,
    label: 'Displacement',
    unit: 'cm³',
    factColumn: 'cc',
    draft: 'displacementCc',
    elements: [ELEMENT.displacementCc, ELEMENT.displacementL, ELEMENT.displacementCi],
    world: 'displacementCc',
    specs: blocked('cc', distance(DISPLACEMENT_TOLERANCE_CC)),
  },
  'specs.batteryCapacityKwh': {
    kind: 'number',
    description: 'Capacity of the traction battery in kilowatt-hours.',
    example: 75,
    label: 'Battery',
    unit: 'kWh',
    factColumn: 'battery_kwh',
    draft: 'batteryCapacityKwh',
    elements: [ELEMENT.batteryKwh],
    world: 'batteryCapacityKwh',
    specs: { column: 'batteryKwh', tolerance: distance(30), unknown: 'blocks', factor: 0.1 },
  },
  'specs.emissionsStandard': {
    kind: 'text',
    description: 'Emissions standard.',
    example: 'Euro 6',
    label: 'Emissions',
    factColumn: 'emissions',
    draft: 'emissionsStandard',
    specs: common('emissions'),
  },
  'specs.market': {
    kind: 'text',
    description: 'The market the vehicle was built for.',
    example: 'North America',
    label: 'Market',
    factColumn: 'market',
    draft: 'market',
  },
  'specs.plantCountry': {
    kind: 'text',
    description: 'Country of the plant.',
    example: 'United States',
    factColumn: 'plant_country',
    draft: 'plantCountry',
  },
  'specs.plantCity': {
    kind: 'text',
    description: 'City of the plant.',
    example: 'Marysville',
    factColumn: 'plant_city',
    draft: 'plantCity',
  },
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
} as const satisfies Record<ReportPath, ReportField>;

/** Values that readings settle and that a report holds only within its engine's line. */
const ENGINE_PARTS = {
  cylinders: { draft: 'cylinders', specs: blocked('cylinders', distance(0)) },
} as const satisfies Record<string, SettledField>;

/** The fields with their paths, in the table's order. */
export const REPORT_ENTRIES: readonly (readonly [path: ReportPath, field: ReportField])[] = Object.entries(
  REPORT_FIELDS,
) as [ReportPath, ReportField][];

type Rules = (typeof REPORT_FIELDS & typeof ENGINE_PARTS)[keyof (typeof REPORT_FIELDS & typeof ENGINE_PARTS)];

/** A value of a draft that tables of specifications fill. */
export type SpecField = Extract<Rules, { specs: SpecRule }>['draft'];

/** One value that tables of specifications fill, with its path in the report. */
export interface SpecFieldRule extends SpecRule {
  field: SpecField;
  path: ReportPath;
}

/** What tables of specifications and type approvals fill. */
export const SPEC_RULES: readonly SpecFieldRule[] = [
  ...REPORT_ENTRIES.flatMap(([path, field]) => ruleOf(path, field)),
  ...Object.values(ENGINE_PARTS).flatMap((field) => ruleOf('specs.engine', field)),
];

function ruleOf(path: ReportPath, { draft, specs }: SettledField): SpecFieldRule[] {
  return draft === undefined || specs === undefined ? [] : [{ ...specs, field: draft as SpecField, path }];
}
