import { segmentsJson, type SharedReport, type VehicleReport } from '@marque/decoder';

import { type Depth, premiumFields, project } from './depth.ts';
import { outcomeOf } from './outcome.ts';

/** The answer of a decode, ready to be stored and sent. */
export interface Answer {
  readonly vin: string;
  readonly manufacturer: string | undefined;
  readonly model: string | undefined;
  /** The extent to which the VIN was decoded, in the word that is stored. */
  readonly outcome: 'identified' | 'partial' | 'segments';
  /** The number of fields beyond the basic ones that have a value. */
  readonly premiumFields: number;
  /** Returns the report at full depth: project it before it is sent. */
  report(): VehicleReport;
  /**
   * Returns the JSON of the report as a caller of this depth may see it. The one of full depth is also the stored one.
   */
  textAt(depth: Depth): string;
}

/** The part that is the same for all VINs that share a report. */
interface Common extends Pick<Answer, 'manufacturer' | 'model' | 'outcome' | 'premiumFields'> {
  /** The JSON behind the VIN's own segments, of each depth that was asked for. */
  tails: Partial<Record<Depth, string>>;
}

/** Projecting a report and writing it as JSON costs more than to decode it: both are done once for all VINs alike. */
const commons = new WeakMap<SharedReport, Common>();

/** Returns the answer for a VIN of a report that others may share. Its texts are made when they are asked for. */
export function answerOfVin(shared: SharedReport, vin: string): Answer {
  let common = commons.get(shared);
  if (common === undefined) {
    common = { ...factsOf(shared.for(vin)), tails: {} };
    commons.set(shared, common);
  }
  const { manufacturer, model, outcome, premiumFields: premium, tails } = common;
  const report = (): VehicleReport => shared.for(vin);
  const textOfVin = (depth: Depth): string => headOf(depth, vin) + (tails[depth] ??= tailOf(depth, report()));
  /** The text at full depth: it is stored, and sent to most callers. */
  let full: string | undefined;
  const textAt = (depth: Depth): string => (depth === 'full' ? (full ??= textOfVin(depth)) : textOfVin(depth));
  return { vin, manufacturer, model, outcome, premiumFields: premium, report, textAt };
}

/** Returns the answer for a report that no other VIN shares. `text`: its JSON at full depth, if it is already known. */
export function answerOfReport(report: VehicleReport, text?: string): Answer {
  return {
    vin: report.vin,
    ...factsOf(report),
    report: () => report,
    textAt: (depth) => (depth === 'full' && text !== undefined ? text : textOf(depth, report)),
  };
}

function factsOf(report: VehicleReport): Omit<Common, 'tails'> {
  const { manufacturer, model } = report;
  return { manufacturer, model, outcome: outcomeOf(report), premiumFields: premiumFields(report) };
}

function textOf(depth: Depth, report: VehicleReport): string {
  return JSON.stringify(project(depth, report));
}

/** Returns the report as `project` lets it out, without what differs from VIN to VIN. */
function tailOf(depth: Depth, report: VehicleReport): string {
  const text = textOf(depth, report);
  const head = headOf(depth, report.vin);
  if (!text.startsWith(head)) throw new Error('A report does not begin with the segments of its VIN.');
  return text.slice(head.length);
}

/** Returns the VIN and its segments, as the JSON of each depth begins. */
function headOf(depth: Depth, vin: string): string {
  const full = segmentsJson(vin);
  return depth === 'full' ? full : full.slice(0, full.indexOf(',"vis"'));
}
