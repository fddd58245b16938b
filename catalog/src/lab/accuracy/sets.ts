import { type Decoder, readVin, type VehicleReport } from '@marque/decoder';

import { type LabeledVin, readLabeled } from '../../labels/labeled.ts';
import type { Scored } from './tally.ts';

/** Decodes a file of labeled VINs; an invalid VIN has an empty report. */
export function decodeAll(decoder: Decoder, file: string): Scored[] {
  return readLabeled(file).map((labeled) => decodeOne(decoder, labeled));
}

/** A decoder of well-formed VINs. */
export interface AnyDecoder {
  decode(vin: string): Partial<VehicleReport>;
}

/** Decodes a labeled VIN; an invalid VIN has an empty report. */
export function decodeOne(decoder: AnyDecoder, labeled: LabeledVin): Scored {
  const form = readVin(labeled.vin);
  return { labeled, report: form.kind === 'vin' ? decoder.decode(form.vin) : {} };
}
