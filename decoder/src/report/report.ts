/** The canonical body styles. `unknown`: the body is not known. `other`: a body is known and fits no category. */
export const BODY_STYLES = [
  'unknown',
  'other',
  'sedan',
  'wagon',
  'hatchback',
  'coupe',
  'cabrio',
  'suv',
  'van',
  'pickup',
  'truck',
  'bus',
  'motorcycle',
  'trailer',
] as const;

export type BodyStyle = (typeof BODY_STYLES)[number];

/** Technical data decoded from the VIN. Absent means that the evidence does not decide it. */
export interface Specs {
  engine?: string;
  fuelType?: string;
  transmission?: string;
  driveType?: string;
  powerKw?: number;
  displacementCc?: number;
  batteryCapacityKwh?: number;
  emissionsStandard?: string;
  market?: string;
  plantCountry?: string;
  plantCity?: string;
}

/** Dimensions in millimeters, weights in kilograms, volumes in liters. */
export interface TechnicalSpecs {
  lengthMm?: number;
  widthMm?: number;
  heightMm?: number;
  wheelbaseMm?: number;
  curbWeightKg?: number;
  grossWeightKg?: number;
  groundClearanceMm?: number;
  cargoVolumeLiters?: number;
  cargoVolumeMaxLiters?: number;
}

/** The values of a VIN, at full depth: the `VehicleReport` of the service's specification. */
export interface VehicleReport {
  vin: string;
  wmi: string;
  vds: string;
  vis: string;
  checkDigit: string;
  yearCode: string;
  plantCode: string;
  serialNumber: string;
  validFormat: boolean;
  /**
   * The make as people say it. Present exactly when the vehicle was identified: without it there are only the VIN's
   * segments, `validFormat`, `region` and `bodyStyleNormalized`, which is "unknown".
   */
  manufacturer?: string;
  model?: string;
  modelCode?: string;
  generation?: string;
  bodyStyle?: string;
  bodyStyleNormalized: BodyStyle;
  modelYear?: string;
  trim?: string;
  vehicleType?: string;
  plant?: string;
  region?: string;
  possibleBodyStyles?: string[];
  specs?: Specs;
  technicalSpecs?: TechnicalSpecs;
}

/** The path of a field in a report: `model`, `specs.engine`. */
export type ReportPath =
  | Exclude<keyof VehicleReport, 'specs' | 'technicalSpecs'>
  | `specs.${keyof Specs}`
  | `technicalSpecs.${keyof TechnicalSpecs}`;
