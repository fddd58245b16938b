import type { Decoder, VehicleReport } from '@marque/decoder';

import { outcomeOf } from '../decode/index.ts';
import type { ChargeableDecode } from '../metering/index.ts';

/** A stored decode without its id. */
export type DecodedVin = Omit<ChargeableDecode, 'id'>;

/** Decodes a VIN for storing. */
export function decodeVin(decoder: Pick<Decoder, 'decode'>, vin: string): DecodedVin {
  return decodedVin(decoder.decode(vin));
}

/** Returns a report in its stored form. */
export function decodedVin(report: VehicleReport): DecodedVin {
  return { vin: report.vin, outcome: outcomeOf(report), report: JSON.stringify(report) };
}
