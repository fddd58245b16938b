import {
  bodyClass,
  DRIVE_TYPES,
  driveType,
  engineConfiguration,
  FUEL_TYPES,
  fuelType,
  makeName,
  modelName,
  plantCity,
  plantCountry,
  transmission,
  TRANSMISSIONS,
  VEHICLE_TYPES,
  vehicleType,
} from '@marque/catalog/values';
import { CONFIGURATIONS, type Draft, emptyDraft, isYearOfCode, type VehicleReport, writeReport } from '@marque/decoder';

import { maskVinsInValue } from '../kernel/mask-vin.ts';
import type { Answer, AnswerField } from './source.ts';

/**
 * Completes a report with a source's answer. Values from the catalog are kept.
 *
 * Undefined if the answer, once cleaned, does not name the vehicle or contradicts the VIN: then it is about another
 * vehicle.
 */
export function completeReport(report: VehicleReport, answer: Answer, thisYear: number): VehicleReport | undefined {
  const draft = cleanAnswer(answer, thisYear);
  const provided = writeReport(report.vin, report.region ?? '', draft);
  if (!isUseful(provided) || contradicts(report, provided, answer)) return undefined;
  const completed: VehicleReport = { ...provided, ...report };
  // The catalog names a WMI's maker; the source knows the make that the model was sold under.
  if (provided.manufacturer !== undefined) completed.manufacturer = provided.manufacturer;
  if (report.bodyStyleNormalized === 'unknown' && provided.bodyStyle !== undefined) {
    completed.bodyStyleNormalized = provided.bodyStyleNormalized;
    completed.bodyStyle = provided.bodyStyle;
    delete completed.possibleBodyStyles;
  }
  if (provided.specs !== undefined) completed.specs = { ...provided.specs, ...report.specs };
  if (provided.technicalSpecs !== undefined) {
    completed.technicalSpecs = { ...provided.technicalSpecs, ...report.technicalSpecs };
  }
  return completed;
}

function contradicts(report: VehicleReport, provided: VehicleReport, answer: Answer): boolean {
  const makes = [provided.manufacturer, makeName(answer.make ?? '')];
  if (report.manufacturer !== undefined && !makes.includes(report.manufacturer)) return true;
  if (report.model !== undefined && report.model.toLowerCase() !== provided.model?.toLowerCase()) return true;
  if (provided.modelYear === undefined) return false;
  if (report.modelYear !== undefined) return report.modelYear !== provided.modelYear;
  return !isYearOf(report.vin, Number(provided.modelYear));
}

/**
 * Returns true if a model year agrees with the VIN. Outside North America position 10 need not encode it, so every year
 * agrees.
 */
function isYearOf(vin: string, year: number): boolean {
  return !/^[1-5]/.test(vin) || isYearOfCode(vin.charAt(9), year);
}

/** The fields that name a vehicle. */
export interface NamedVehicle {
  manufacturer?: string | undefined;
  model?: string | undefined;
}

/** Returns true if a report names the vehicle: a make and a model. A client is not kept waiting for any other field. */
export function isUseful(report: NamedVehicle): boolean {
  return report.manufacturer !== undefined && report.model !== undefined;
}

/**
 * Returns a source's values, normalized by the functions that clean the catalog's own facts. Values that those do not
 * recognize, that are not plain words, or that no vehicle has, are left out.
 *
 * @param thisYear the current calendar year: model years lie at most two years ahead of it.
 */
function cleanAnswer(answer: Answer, thisYear: number): Draft {
  const draft = emptyDraft();
  nameVehicle(answer, draft);
  const year = numberIn(answer, 'modelYear', { from: 1886, to: thisYear + 2 });
  draft.modelYear = Number.isInteger(year) ? year : 0;
  draft.vehicleType = ofText(answer.vehicleType, (text) => vehicleType(text) ?? ourWord(VEHICLE_TYPES, text));
  const body = answer.body === undefined ? undefined : bodyOf(answer.body, answer);
  if (body !== undefined) {
    draft.body = body.body;
    draft.bodyLabel = body.label;
  }
  describeEngine(answer, draft);
  draft.driveType = ofText(answer.drive, (text) => driveType(text) ?? ourWord(DRIVE_TYPES, text));
  const gears = numberIn(answer, 'gears', { from: 1, to: 30 });
  draft.transmission = ofText(
    answer.transmission,
    (text) => transmission(text, gears === 0 ? undefined : gears) ?? ourWord(TRANSMISSIONS, text),
  );
  draft.emissionsStandard = plain(answer.emissionsStandard);
  draft.market = plain(answer.market);
  draft.plantCity = plain(ofText(answer.plantCity, plantCity));
  draft.plantCountry = ofText(answer.plantCountry, plantCountry);
  draft.wheelbaseMm = Math.round(numberIn(answer, 'wheelbaseMm', { from: 500, to: 15_000 }));
  draft.curbWeightKg = Math.round(numberIn(answer, 'curbWeightKg', { from: 50, to: 60_000 }));
  return draft;
}

function nameVehicle(answer: Answer, draft: Draft): void {
  const make = plain(answer.make);
  if (make === '') return;
  const named = modelName({ make, model: plain(answer.model), series: answer.series, trim: answer.trim });
  draft.make = plain(named.make ?? makeName(make));
  draft.model = plain(named.model);
  draft.modelCode = plain(answer.modelCode ?? named.modelCode);
  draft.trim = plain(named.trim);
  draft.generation = plain(answer.generation);
}

function describeEngine(answer: Answer, draft: Draft): void {
  draft.fuelType = ofText(answer.fuel, (primary) => {
    const ours = ourWord(FUEL_TYPES, primary === 'Petrol' ? 'Gasoline' : primary);
    // A name that vPIC has, too, may mean either of two fuels.
    return fuelType(primary, answer.secondFuel, answer.electrification) ?? (answer.secondFuel ? undefined : ours);
  });
  const cylinders = numberIn(answer, 'cylinders', { from: 1, to: 24 });
  draft.cylinders = Number.isInteger(cylinders) ? cylinders : 0;
  const layout = ofText(answer.cylinderLayout, (text) => engineConfiguration(text) ?? ourWord(CONFIGURATIONS, text));
  draft.configuration = Math.max(
    0,
    CONFIGURATIONS.findIndex((known) => known === layout),
  );
  draft.displacementCc = Math.round(numberIn(answer, 'displacementCc', { from: 20, to: 40_000 }));
  draft.powerKw = Math.round(numberIn(answer, 'powerKw', { from: 1, to: 2_000 }));
  draft.turbo = answer.turbo === 'Yes';
  draft.engineModel = plain(answer.engineModel);
  draft.batteryCapacityKwh = numberIn(answer, 'batteryKwh', { from: 0.1, to: 2_000 });
}

/** Our words for bodies, and common ones, as vPIC's body classes. */
const BODY_WORDS: ReadonlyMap<string, string> = new Map([
  ['sedan', 'Sedan/Saloon'],
  ['saloon', 'Sedan/Saloon'],
  ['hatchback', 'Hatchback/Liftback/Notchback'],
  ['station wagon', 'Wagon'],
  ['estate', 'Wagon'],
  ['suv', 'Sport Utility Vehicle (SUV)/Multi-Purpose Vehicle (MPV)'],
  ['cabrio', 'Convertible/Cabriolet'],
  ['convertible', 'Convertible/Cabriolet'],
  ['motorcycle', 'Motorcycle - Standard'],
]);

function bodyOf(text: string, answer: Answer): ReturnType<typeof bodyClass> {
  const doors = numberIn(answer, 'doors', { from: 1, to: 10 });
  const refine = { ...(doors === 0 ? {} : { doors }), ...(answer.cab === undefined ? {} : { cab: answer.cab }) };
  return bodyClass(BODY_WORDS.get(text.toLowerCase()) ?? text, refine);
}

function ofText(text: string | undefined, clean: (text: string) => string | undefined): string {
  return text === undefined ? '' : (clean(text) ?? '');
}

function ourWord(words: readonly string[], text: string): string | undefined {
  return words.find((word) => word.toLowerCase() === text.toLowerCase());
}

/** Letters, digits and the signs that names of makes, models, trims and cities are written with. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,:;!?'’&+*/()-]{0,79}$/u;

/** Returns the text if it could be a name; empty if not, or if it names a VIN: no erasure of that one would find it. */
function plain(text: string | undefined): string {
  return text !== undefined && PLAIN.test(text) && maskVinsInValue(text) === text ? text : '';
}

/** Returns a number within bounds that apply to every vehicle; 0 if it is not. */
function numberIn(answer: Answer, field: AnswerField, bounds: { from: number; to: number }): number {
  const text = answer[field];
  if (text === undefined || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return 0;
  const value = Number(text);
  return value >= bounds.from && value <= bounds.to ? value : 0;
}
