import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';

import { CATALOG_ROOT, PROJECT_ROOT } from '../root.ts';
import { type LabelledVin, readLabelled } from '../labels/labelled.ts';
import type { Scored } from './tally.ts';

/** Where larger labeled sets may be beside the project; on most machines there are none. */
export const DEVELOPMENT_SET = join(PROJECT_ROOT, '..', 'shared', 'vins');

/** The files of labeled VINs: the project's own, and those beside it. */
export function labelledSets(): string[] {
  return [join(CATALOG_ROOT, 'facts', 'labelled'), DEVELOPMENT_SET].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.jsonl'))
          .toSorted()
          .map((name) => join(folder, name))
      : [],
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
