import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';

import { type LabelledVin, readLabelled } from '../labels/labelled.ts';
import type { Scored } from './tally.ts';

/** Decodes a file of labeled VINs; an invalid VIN has an empty report. */
export function decodeAll(decoder: Decoder, file: string): Scored[] {
  return readLabelled(file).map((labelled) => decodeOne(decoder, labelled));
}

/** A decoder of well-formed VINs. */
export interface AnyDecoder {
  decode(vin: string): Partial<VehicleReport>;
}

/** Decodes a labeled VIN; an invalid VIN has an empty report. */
export function decodeOne(decoder: AnyDecoder, labelled: LabelledVin): Scored {
  const form = readVin(labelled.vin);
  return { labelled, report: form.kind === 'vin' ? decoder.decode(form.vin) : {} };
}
