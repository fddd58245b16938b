import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type Decoder, readVin } from '@marque/decoder';
import type { LabeledVin as LabeledCar } from '@marque/catalog';

import { OVERRIDABLE_FIELDS } from './fields.ts';
import type { Database } from '../kernel/db/index.ts';
import { LiveOverrides } from './live-overrides.ts';
import { mergeFields } from './apply.ts';

/** A VIN with the part of its correct answer that is known. */
export interface LabeledVin {
  vin: string;
  /** Text by the field's path in the report. */
  expected: ReadonlyMap<string, string>;
}

/** Labels name a field by its path or by its last part: `specs.fuelType`, `fuelType`. */
const PATH_OF_LABEL: ReadonlyMap<string, string> = new Map(
  OVERRIDABLE_FIELDS.flatMap((path) => [
    [path, path],
    [path.slice(path.lastIndexOf('.') + 1), path],
  ]),
);

/**
 * Reads the labeled VINs in the `.jsonl` files of a folder, each line `{"vin": "…", "expected": {"model": "…"}}`. Other
 * lines are skipped; without a folder there are none.
 */
export async function* labeledVins(folder: string | undefined): AsyncGenerator<LabeledVin> {
  if (folder === undefined || !existsSync(folder)) return;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
      const labelled = readLabel(line);
      if (labelled !== undefined) yield labelled;
    }
  }
}

/** Reads all of them into memory, for several passes. */
export async function readLabeledVins(folder: string | undefined): Promise<LabeledVin[]> {
  const labelled: LabeledVin[] = [];
  for await (const vin of labeledVins(folder)) labelled.push(vin);
  return labelled;
}

function readLabel(line: string): LabeledVin | undefined {
  try {
    const label: { vin?: unknown; expected?: unknown } = JSON.parse(line);
    const form = readVin(String(label.vin));
    if (form.kind === 'malformed') return undefined;
    const expected = new Map<string, string>();
    for (const [name, value] of Object.entries(label.expected ?? {})) {
      const path = PATH_OF_LABEL.get(name);
      if (path !== undefined && value !== null) expected.set(path, String(value));
    }
    return { vin: form.vin, expected };
  } catch {
    return undefined;
  }
}

type Label = LabeledCar['expected'];

const TEXTS = {
  manufacturer: 'manufacturer',
  model: 'model',
  generation: 'generation',
  modelYear: 'modelYear',
  bodyStyleNormalized: 'bodyStyleNormalized',
  'specs.fuelType': 'fuelType',
  'specs.driveType': 'driveType',
  'specs.transmission': 'transmission',
} as const satisfies Record<string, keyof Label>;

const NUMBERS = {
  'specs.displacementCc': 'displacementCc',
  'specs.powerKw': 'powerKw',
} as const satisfies Record<string, keyof Label>;

/**
 * Returns the cars whose reports were accepted, labeled with the corrections in force.
 *
 * @param decoder gives the model year, by which patterns apply
 */
export async function labeledByCorrections(
  database: Database,
  decoder: Pick<Decoder, 'decode'>,
): Promise<LabeledCar[]> {
  const rows = await database.kysely
    .selectFrom('correction_reports')
    .select('vin')
    .distinct()
    .where('state', '=', 'accepted')
    .where('vin', 'is not', null)
    .orderBy('vin')
    .execute();
  const live = await LiveOverrides.open(database);
  try {
    return rows.flatMap(({ vin }) => {
      if (vin === null || readVin(vin).kind !== 'vin') return [];
      const covering = live.current().covering(vin, decoder.decode(vin).modelYear);
      const expected = labelOf(mergeFields(covering.map(({ fields }) => fields)));
      return Object.keys(expected).length === 0 ? [] : [{ vin, expected, yearBasis: 'model-year' as const }];
    });
  } finally {
    await live.close();
  }
}

function labelOf(fields: ReturnType<typeof mergeFields>): Label {
  const label: Label = {};
  for (const [path, name] of Object.entries(TEXTS)) {
    const value = fields[path];
    if (typeof value === 'string' || typeof value === 'number') label[name] = String(value);
  }
  for (const [path, name] of Object.entries(NUMBERS)) {
    const value = fields[path];
    if (typeof value === 'number') label[name] = value;
  }
  return label;
}
