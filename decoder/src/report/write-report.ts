import { segmentsOf } from '../vin/segments.ts';
import { type Draft, DRAFT_FIELDS, reportedDraft } from './draft.ts';
import { engineLine } from './engine-line.ts';
import { REPORT_ENTRIES } from './fields.ts';
import type { VehicleReport } from './report.ts';
import { Shapes } from './shapes.ts';

/** Values that are made from several of a draft's. */
const MADE: Readonly<Record<string, (draft: Draft) => unknown>> = {
  plant: plantOf,
  modelYear: ({ modelYear }) => (modelYear === 0 ? '' : String(modelYear)),
  'specs.engine': (draft) => (draft.engineLine === '' ? engineLine(draft) : draft.engineLine),
  possibleBodyStyles: ({ possibleBodies }) => (possibleBodies.length === 0 ? '' : [...possibleBodies]),
};

/** Fields at the top of every report: the VIN and its segments, and the normal form of the body. */
const FIRST = [
  'vin',
  'wmi',
  'vds',
  'vis',
  'checkDigit',
  'yearCode',
  'plantCode',
  'serialNumber',
  'validFormat',
  'bodyStyleNormalized',
] as const;

/** The fields of a report's top, or of one of its groups, that a draft fills. */
interface Group {
  /** The place of the first of them among all fields of the top or the group. */
  start: number;
  fields: readonly { name: string; from: number; made: ((draft: Draft) => unknown) | undefined }[];
  shapes: Shapes;
  values: unknown[];
}

const SPECS = groupOf('specs.', [], []);
const TECHNICAL = groupOf('technicalSpecs.', [], []);
const TOP = groupOf('', FIRST, ['specs', 'technicalSpecs']);

function groupOf(prefix: string, first: readonly string[], last: readonly string[]): Group {
  const fields = REPORT_ENTRIES.flatMap(([path, { draft: from }]) => {
    const name = path.slice(prefix.length);
    const made = MADE[path];
    if (!path.startsWith(prefix) || name.includes('.') || first.includes(name)) return [];
    const place = DRAFT_FIELDS.findIndex((field) => field === from);
    return place < 0 && made === undefined ? [] : [{ name, from: place, made }];
  });
  const names = [...first, ...fields.map(({ name }) => name), ...last];
  return { start: first.length, fields, shapes: new Shapes(names), values: names.map(() => '') };
}

/**
 * Writes a draft as a report: open fields are left out. Without a make the vehicle is not identified, and the report is
 * the VIN's parsing only.
 */
export function writeReport(vin: string, region: string, settled: Draft): VehicleReport {
  const draft = reportedDraft(settled);
  const { values } = TOP;
  const { wmi, vds, vis, checkDigit, yearCode, plantCode, serialNumber } = segmentsOf(vin);
  values[0] = vin;
  values[1] = wmi;
  values[2] = vds;
  values[3] = vis;
  values[4] = checkDigit;
  values[5] = yearCode;
  values[6] = plantCode;
  values[7] = serialNumber;
  values[8] = true;
  values[9] = draft.body;
  // To read one property after the other by its name takes V8 three times as long.
  const known: readonly unknown[] = Object.values(draft);
  fill(TOP, draft, known);
  values[REGION] = region;
  values[values.length - 2] = write(SPECS, draft, known);
  values[values.length - 1] = write(TECHNICAL, draft, known);
  return TOP.shapes.write(values) as unknown as VehicleReport;
}

/** The region is that of the VIN, also where the vehicle is not identified. */
const REGION = TOP.start + TOP.fields.findIndex(({ name }) => name === 'region');

function write(group: Group, draft: Draft, known: readonly unknown[]): Record<string, unknown> | undefined {
  fill(group, draft, known);
  return group.shapes.write(group.values);
}

function fill({ start, fields, values }: Group, draft: Draft, known: readonly unknown[]): void {
  for (let at = 0; at < fields.length; at++) {
    const { from, made } = fields[at] as Group['fields'][number];
    values[start + at] = made === undefined ? known[from] : made(draft);
  }
}

/** Returns the plant. A country alone is not a plant: it has its own field. */
function plantOf({ plantCity, plantCountry }: Draft): string {
  return plantCity === '' || plantCountry === '' ? plantCity : `${plantCity}, ${plantCountry}`;
}
