import type { BodyStyle } from './report.ts';

/** How an engine's cylinders stand, by the number that the catalog file uses; the first is "not known". */
export const CONFIGURATIONS = ['', 'Inline', 'V', 'W', 'Flat', 'Rotary'] as const;

/**
 * What a reading of the VIN settles, before it is written out as a report. Empty texts and zeros are not settled.
 * One draft is reused from VIN to VIN.
 */
export class Draft {
  make = '';
  model = '';
  modelCode = '';
  generation = '';
  trim = '';
  body: BodyStyle = 'unknown';
  bodyLabel = '';
  possibleBodies: string[] = [];
  /** 0 = not settled. */
  modelYear = 0;
  vehicleType = '';
  fuelType = '';
  engine = '';
  engineModel = '';
  /** The engine as a report says it; empty until it is composed. */
  engineLine = '';
  cylinders = 0;
  configuration = 0;
  turbo = false;
  displacementCc = 0;
  powerKw = 0;
  batteryCapacityKwh = 0;
  driveType = '';
  transmission = '';
  emissionsStandard = '';
  market = '';
  plantCity = '';
  plantCountry = '';
  lengthMm = 0;
  widthMm = 0;
  heightMm = 0;
  wheelbaseMm = 0;
  curbWeightKg = 0;
  grossWeightKg = 0;
  groundClearanceMm = 0;
  cargoVolumeLiters = 0;
  cargoVolumeMaxLiters = 0;

  clear(): void {
    this.make = '';
    this.model = '';
    this.modelCode = '';
    this.generation = '';
    this.trim = '';
    this.body = 'unknown';
    this.bodyLabel = '';
    if (this.possibleBodies.length > 0) this.possibleBodies = [];
    this.modelYear = 0;
    this.vehicleType = '';
    this.fuelType = '';
    this.engine = '';
    this.engineModel = '';
    this.engineLine = '';
    this.cylinders = 0;
    this.configuration = 0;
    this.turbo = false;
    this.displacementCc = 0;
    this.powerKw = 0;
    this.batteryCapacityKwh = 0;
    this.driveType = '';
    this.transmission = '';
    this.emissionsStandard = '';
    this.market = '';
    this.plantCity = '';
    this.plantCountry = '';
    this.lengthMm = 0;
    this.widthMm = 0;
    this.heightMm = 0;
    this.wheelbaseMm = 0;
    this.curbWeightKg = 0;
    this.grossWeightKg = 0;
    this.groundClearanceMm = 0;
    this.cargoVolumeLiters = 0;
    this.cargoVolumeMaxLiters = 0;
  }
}
