import { makeName } from '@marque/catalog/values';
import { isYearOfCode, type VehicleReport, writeReport } from '@marque/decoder';

import type { Answer } from './answer.ts';
import { cleanAnswer } from './clean.ts';
import { isUseful } from './useful.ts';

/**
 * A report completed with what a source says of the vehicle. What the catalog settled stays as it is.
 *
 * Undefined where the answer, once cleaned, does not name the vehicle, or contradicts what the VIN itself settles: then
 * it is about another vehicle.
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

/** Whether a model year can be the VIN's. Outside North America position 10 need not tell it, so every year can. */
function isYearOf(vin: string, year: number): boolean {
  return !/^[1-5]/.test(vin) || isYearOfCode(vin.charAt(9), year);
}
