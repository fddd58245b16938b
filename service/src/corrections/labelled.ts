import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { readVin } from '@marque/decoder';

import { OVERRIDABLE_FIELDS } from './fields.ts';

/** A VIN with its correct answer, as far as it is known. */
export interface LabelledVin {
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
 * The labeled VINs in the `.jsonl` files of a folder, each line `{"vin": "…", "expected": {"model": "…"}}`. Other
 * lines are skipped; without a folder there are none.
 */
export async function* labelledVins(folder: string | undefined): AsyncGenerator<LabelledVin> {
  if (folder === undefined || !existsSync(folder)) return;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
      const labelled = readLabel(line);
      if (labelled !== undefined) yield labelled;
    }
  }
}

/** All of them, to be gone through several times. */
export async function readLabelledVins(folder: string | undefined): Promise<LabelledVin[]> {
  const labelled: LabelledVin[] = [];
  for await (const vin of labelledVins(folder)) labelled.push(vin);
  return labelled;
}

function readLabel(line: string): LabelledVin | undefined {
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
