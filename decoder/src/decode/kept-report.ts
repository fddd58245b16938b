import type { VehicleReport } from '../report/report.ts';
import { segmentsOf } from '../vin/segments.ts';

/** The report of all VINs that are read alike. */
export interface SharedReport {
  /** A copy for one of these VINs, which the caller may change. */
  for(vin: string): VehicleReport;
  /** The JSON of that copy. */
  jsonFor(vin: string): string;
}

/** A report for all VINs that differ only in what no reading asked for, as an object or as JSON: whichever is asked for. */
export class KeptReport implements SharedReport {
  #report: VehicleReport | undefined;
  /** The JSON behind the segments, which differ from VIN to VIN. */
  #json: string | undefined;

  constructor(report: VehicleReport) {
    // A report grows by computed names, and V8 holds such an object as a hash table. Its copy is cheap to copy again.
    this.#report = { ...report };
  }

  /** A copy that its caller may change, with the segments of this VIN. */
  for(vin: string): VehicleReport {
    const report = (this.#report ??= JSON.parse(this.jsonFor(vin)) as VehicleReport);
    const copy = copyOf(report);
    const segments = segmentsOf(vin);
    copy.vin = vin;
    copy.vds = segments.vds;
    copy.vis = segments.vis;
    copy.checkDigit = segments.checkDigit;
    copy.serialNumber = segments.serialNumber;
    if (report.specs !== undefined) copy.specs = copyOf(report.specs);
    if (report.technicalSpecs !== undefined) copy.technicalSpecs = copyOf(report.technicalSpecs);
    if (report.possibleBodyStyles !== undefined) copy.possibleBodyStyles = [...report.possibleBodyStyles];
    return copy;
  }

  /** The JSON of that copy. */
  jsonFor(vin: string): string {
    if (this.#json === undefined && this.#report !== undefined) {
      this.#json = JSON.stringify(this.#report).slice(segmentsJson(this.#report.vin).length);
      // Most callers want one form only: the larger one is made again should it be asked for.
      this.#report = undefined;
    }
    return segmentsJson(vin) + (this.#json ?? '');
  }
}

/** A shallow copy. V8 copies objects of many shapes faster by `assign` than by spreading: a decode takes two thirds of the time. */
function copyOf<T extends object>(value: T): T {
  return Object.assign({}, value);
}

/** How the JSON of each report begins: `writeReport` writes the VIN and its segments first. A VIN needs no escapes. */
function segmentsJson(vin: string): string {
  const { wmi, vds, vis, checkDigit, yearCode, plantCode, serialNumber } = segmentsOf(vin);
  return `{"vin":"${vin}","wmi":"${wmi}","vds":"${vds}","vis":"${vis}","checkDigit":"${checkDigit}","yearCode":"${yearCode}","plantCode":"${plantCode}","serialNumber":"${serialNumber}"`;
}
