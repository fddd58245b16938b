import { interpret } from './interpret.ts';
import type { LabelledVin } from '../labels/labelled.ts';
import type { WorldFacts } from './load.ts';
import type { WorldOutputs } from './model.ts';

/** How deep VINs or codes decode: of `total`, how many give each field. */
export interface Depth {
  total: number;
  make: number;
  model: number;
  modelYear: number;
  body: number;
  fuelType: number;
  displacementCc: number;
}

/** How well a group of VINs is known. */
export interface Coverage {
  /** Make, or region, as `coverage` was asked. */
  name: string;
  /** Labeled VINs of the group by what is answered for them, right or wrong. */
  vins: Depth;
  /** Rows that name a model of the make, by what else the facts say under the same code. Absent for regions. */
  codes?: Depth;
}

const FIELDS = ['make', 'model', 'modelYear', 'body', 'fuelType', 'displacementCc'] as const;

/**
 * How deep the facts reach, by make and by region: which share of the labeled VINs, and of the known codes, decode to what.
 *
 * @param regionOf the region of a VIN by its first two characters
 */
export function coverage(
  facts: WorldFacts,
  labels: readonly LabelledVin[],
  regionOf: (vin: string) => string,
): { makes: Coverage[]; regions: Coverage[] } {
  const makes = new Map<string, Coverage>();
  const regions = new Map<string, Coverage>();
  for (const label of labels) {
    const outputs = interpret(facts.profiles, label.vin)?.outputs ?? {};
    const make = outputs.make ?? label.expected.manufacturer ?? 'unknown';
    count(entry(makes, make).vins, outputs);
    count(entry(regions, regionOf(label.vin)).vins, outputs);
  }
  for (const { profile, outputs } of codesOf(facts)) {
    const known = entry(makes, outputs.make ?? profile);
    known.codes ??= emptyDepth();
    count(known.codes, outputs);
  }
  const byName = (a: Coverage, b: Coverage): number => a.name.localeCompare(b.name);
  return { makes: [...makes.values()].toSorted(byName), regions: [...regions.values()].toSorted(byName) };
}

/** Each code that names a model, once, with all that the rows of the same pattern say. */
function* codesOf({ profiles }: WorldFacts): Generator<{ profile: string; outputs: WorldOutputs }> {
  for (const profile of profiles) {
    const byPattern = Map.groupBy(profile.rows, ({ pattern }) => pattern);
    for (const rows of byPattern.values()) {
      if (!rows.some(({ outputs }) => outputs.model !== undefined)) continue;
      const outputs: WorldOutputs = {};
      for (const row of rows) Object.assign(outputs, row.outputs);
      if (profile.make !== undefined && outputs.make === undefined) outputs.make = profile.make;
      yield { profile: profile.id, outputs };
    }
  }
}

function entry(all: Map<string, Coverage>, name: string): Coverage {
  let known = all.get(name);
  if (known === undefined) all.set(name, (known = { name, vins: emptyDepth() }));
  return known;
}

function count(depth: Depth, outputs: WorldOutputs): void {
  depth.total++;
  for (const field of FIELDS) if (outputs[field] !== undefined) depth[field]++;
}

function emptyDepth(): Depth {
  return { total: 0, make: 0, model: 0, modelYear: 0, body: 0, fuelType: 0, displacementCc: 0 };
}
