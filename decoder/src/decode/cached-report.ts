import type { Draft } from '../report/draft.ts';
import type { VehicleReport } from '../report/report.ts';
import { writeReport } from '../report/write-report.ts';
import { segmentsJson, segmentsOf } from '../vin/segments.ts';

/** The report of all VINs that are read alike. */
export interface SharedReport {
  /** Returns a copy for one of these VINs, which the caller may change. */
  for(vin: string): VehicleReport;
  /** Returns the JSON of that copy. */
  jsonFor(vin: string): string;
}

/**
 * A report for all VINs that differ only in what no reading asked for, as an object or as JSON: whichever is asked for.
 */
export class CachedReport implements SharedReport {
  /** The year of its decode: model years end with it. */
  readonly year: number;
  readonly #region: string;
  /** The decoded values, until a report or its JSON is made from them. */
  #settled: Draft | undefined;
  #report: VehicleReport | undefined;
  /** The JSON behind the segments, which differ from VIN to VIN. */
  #json: string | undefined;

  /** Keeps the decoded values. @param settled the values of these VINs; nothing may change them any more. */
  constructor(year: number, region: string, settled: Draft) {
    this.year = year;
    this.#region = region;
    this.#settled = settled;
  }

  /**
   * Returns the report of the VIN that was just read. It is kept only for the second VIN of a kind, since many kinds
   * come once.
   */
  first(vin: string): VehicleReport {
    return this.#settled === undefined ? this.for(vin) : writeReport(vin, this.#region, this.#settled);
  }

  /** Returns a copy that its caller may change, with the segments of this VIN. */
  for(vin: string): VehicleReport {
    return reportFor(vin, (this.#report ??= this.#make(vin)));
  }

  /** Returns the JSON of that copy. */
  jsonFor(vin: string): string {
    const segments = segmentsJson(vin);
    if (this.#json === undefined) {
      this.#json = JSON.stringify(this.for(vin)).slice(segments.length);
      // Most callers want one form only: the larger one is made again should it be asked for.
      this.#report = undefined;
    }
    return segments + this.#json;
  }

  #make(vin: string): VehicleReport {
    const settled = this.#settled;
    if (settled === undefined) return JSON.parse(this.jsonFor(vin)) as VehicleReport;
    this.#settled = undefined;
    return writeReport(vin, this.#region, settled);
  }
}

/** Returns a copy of a report for another VIN that is decoded alike. */
export function reportFor(vin: string, report: VehicleReport): VehicleReport {
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

/**
 * Returns a shallow copy. V8 copies objects of many shapes faster by `assign` than by spreading: a decode takes two
 * thirds of the time.
 */
function copyOf<T extends object>(value: T): T {
  return Object.assign({}, value);
}
