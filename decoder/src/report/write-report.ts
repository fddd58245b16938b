import { segmentsOf } from '../vin/segments.ts';
import { type Draft, toldOf } from './draft.ts';
import { engineLine } from './engine-line.ts';
import { REPORT_ENTRIES } from './fields.ts';
import type { VehicleReport } from './report.ts';

/** A value of a draft and its place in a report: in a group ("specs") or, where that is empty, at its top. */
interface Place {
  group: string;
  name: string;
  valueOf: (draft: Draft, region: string) => unknown;
}

/** Values that are made from several of a draft's, or from none. */
const MADE: Readonly<Record<string, Place['valueOf']>> = {
  plant: plantOf,
  region: (_draft, region) => region,
  modelYear: ({ modelYear }) => (modelYear === 0 ? '' : String(modelYear)),
  'specs.engine': (draft) => (draft.engineLine === '' ? engineLine(draft) : draft.engineLine),
  possibleBodyStyles: ({ possibleBodies }) => (possibleBodies.length === 0 ? '' : [...possibleBodies]),
};

const PLACES: readonly Place[] = REPORT_ENTRIES.flatMap(([path, { draft: from }]) => {
  const valueOf = MADE[path] ?? (from === undefined ? undefined : (draft: Draft): unknown => draft[from]);
  const [first = '', second] = path.split('.');
  if (valueOf === undefined) return [];
  return second === undefined ? [{ group: '', name: first, valueOf }] : [{ group: first, name: second, valueOf }];
});

/**
 * Writes a draft as a report: open fields are left out. Without a make the vehicle is not identified, and the report is
 * the VIN's parsing only.
 */
export function writeReport(vin: string, region: string, settled: Draft): VehicleReport {
  const draft = toldOf(settled);
  const report: VehicleReport = {
    vin,
    ...segmentsOf(vin),
    validFormat: true,
    bodyStyleNormalized: draft.body,
  };
  // Reflect.set would take a tenth of a decode's time.
  const top = report as unknown as Record<string, unknown>;
  const groups: Record<string, Record<string, unknown>> = { '': top };
  for (const { group, name, valueOf } of PLACES) {
    const value = valueOf(draft, region);
    if (value === '' || value === 0) continue;
    let holder = groups[group];
    if (holder === undefined) {
      holder = groups[group] = {};
      top[group] = holder;
    }
    holder[name] = value;
  }
  return report;
}

/** Returns the plant. A country alone is not a plant: it has its own field. */
function plantOf({ plantCity, plantCountry }: Draft): string {
  return plantCity === '' || plantCountry === '' ? plantCity : `${plantCity}, ${plantCountry}`;
}
