import { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { CODE_OF } from '../vpic/characters.ts';
import { encodeVin, VinCodes } from '../vpic/pass.ts';
import { MaskTables } from './tables.ts';

/** Opens the masks of a catalog alone: gives those that a VIN matches. For tests. */
export function openMasks(catalog: Uint8Array): (vin: string) => string[] {
  const container = new Container(catalog);
  const tables = new MaskTables(container, new Strings(container));
  const codes = new VinCodes();
  const found: number[] = [];
  return (vin) => {
    encodeVin(vin, CODE_OF, codes);
    tables.find(codes.codes, found);
    return found.map((mask) => tables.text(mask));
  };
}
