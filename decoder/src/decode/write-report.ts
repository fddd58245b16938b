import { segmentsOf } from '../vin/segments.ts';
import type { Draft } from './draft.ts';
import { engineLine } from './engine-line.ts';
import type { Specs, TechnicalSpecs, VehicleReport } from './report.ts';

/** Writes a draft out as a report: what is not settled is left out. */
export function writeReport(vin: string, region: string, draft: Draft): VehicleReport {
  const segments = segmentsOf(vin);
  const report: VehicleReport = {
    vin,
    wmi: segments.wmi,
    vds: segments.vds,
    vis: segments.vis,
    checkDigit: segments.checkDigit,
    yearCode: segments.yearCode,
    plantCode: segments.plantCode,
    serialNumber: segments.serialNumber,
    validFormat: true,
    bodyStyleNormalized: draft.body,
  };
  if (draft.make !== '') report.manufacturer = draft.make;
  if (draft.model !== '') report.model = draft.model;
  if (draft.modelCode !== '') report.modelCode = draft.modelCode;
  if (draft.generation !== '') report.generation = draft.generation;
  if (draft.bodyLabel !== '') report.bodyStyle = draft.bodyLabel;
  if (draft.modelYear !== 0) report.modelYear = String(draft.modelYear);
  if (draft.trim !== '') report.trim = draft.trim;
  if (draft.vehicleType !== '') report.vehicleType = draft.vehicleType;
  const plant = plantOf(draft);
  if (plant !== '') report.plant = plant;
  if (region !== '') report.region = region;
  if (draft.possibleBodies.length > 0) report.possibleBodyStyles = draft.possibleBodies;
  const specs = specsOf(draft);
  if (specs !== undefined) report.specs = specs;
  const technical = technicalOf(draft);
  if (technical !== undefined) report.technicalSpecs = technical;
  return report;
}

function plantOf(draft: Draft): string {
  if (draft.plantCity === '') return draft.plantCountry;
  return draft.plantCountry === '' ? draft.plantCity : `${draft.plantCity}, ${draft.plantCountry}`;
}

function specsOf(draft: Draft): Specs | undefined {
  const specs: Specs = {};
  const engine = draft.engineLine === '' ? engineLine(draft) : draft.engineLine;
  if (engine !== '') specs.engine = engine;
  if (draft.fuelType !== '') specs.fuelType = draft.fuelType;
  if (draft.transmission !== '') specs.transmission = draft.transmission;
  if (draft.driveType !== '') specs.driveType = draft.driveType;
  if (draft.powerKw !== 0) specs.powerKw = draft.powerKw;
  if (draft.displacementCc !== 0) specs.displacementCc = draft.displacementCc;
  if (draft.batteryCapacityKwh !== 0) specs.batteryCapacityKwh = draft.batteryCapacityKwh;
  if (draft.emissionsStandard !== '') specs.emissionsStandard = draft.emissionsStandard;
  if (draft.market !== '') specs.market = draft.market;
  if (draft.plantCountry !== '') specs.plantCountry = draft.plantCountry;
  if (draft.plantCity !== '') specs.plantCity = draft.plantCity;
  for (const _ in specs) return specs;
  return undefined;
}

function technicalOf(draft: Draft): TechnicalSpecs | undefined {
  const technical: TechnicalSpecs = {};
  if (draft.lengthMm !== 0) technical.lengthMm = draft.lengthMm;
  if (draft.widthMm !== 0) technical.widthMm = draft.widthMm;
  if (draft.heightMm !== 0) technical.heightMm = draft.heightMm;
  if (draft.wheelbaseMm !== 0) technical.wheelbaseMm = draft.wheelbaseMm;
  if (draft.curbWeightKg !== 0) technical.curbWeightKg = draft.curbWeightKg;
  if (draft.grossWeightKg !== 0) technical.grossWeightKg = draft.grossWeightKg;
  if (draft.groundClearanceMm !== 0) technical.groundClearanceMm = draft.groundClearanceMm;
  if (draft.cargoVolumeLiters !== 0) technical.cargoVolumeLiters = draft.cargoVolumeLiters;
  if (draft.cargoVolumeMaxLiters !== 0) technical.cargoVolumeMaxLiters = draft.cargoVolumeMaxLiters;
  for (const _ in technical) return technical;
  return undefined;
}
