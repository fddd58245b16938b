import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';

import { CATALOG_ROOT } from '../root.ts';
import { type LabelledVin, readLabelled } from '../labels/labelled.ts';
import type { Scored } from './tally.ts';

/** The evaluation set: labeled VINs without the last three characters. */
export const EVALUATION = join(CATALOG_ROOT, 'evaluation');

/** The files of labeled VINs: the difficult ones, and the evaluation set. */
export function labelledSets(): string[] {
  return [join(CATALOG_ROOT, 'facts', 'labelled'), EVALUATION].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted()
      .map((name) => join(folder, name)),
  );
}

/** Decodes a file of labeled VINs; an invalid VIN has an empty report. */
export function decodeAll(decoder: Decoder, file: string): Scored[] {
  return readLabelled(file).map((labelled) => decodeOne(decoder, labelled));
}

/** Whatever reads a well-formed VIN. */
export interface AnyDecoder {
  decode(vin: string): Partial<VehicleReport>;
}

/** Decodes a labeled VIN; an invalid VIN has an empty report. */
export function decodeOne(decoder: AnyDecoder, labelled: LabelledVin): Scored {
  const form = readVin(labelled.vin);
  return { labelled, report: form.kind === 'vin' ? decoder.decode(form.vin) : {} };
}
