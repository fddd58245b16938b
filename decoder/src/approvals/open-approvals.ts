import { Container } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { VinCodes } from '../vin/vin-codes.ts';
import { ApprovalTables } from './tables.ts';

/** Opens the type approvals of a catalog alone: gives the masks that a VIN matches. For tests. */
export function openApprovals(catalog: Uint8Array): (vin: string) => string[] {
  const container = new Container(catalog);
  const tables = new ApprovalTables(container, new Strings(container));
  const codes = new VinCodes();
  return (vin) => {
    codes.read(vin);
    return tables.find(codes.codes).map((mask) => tables.text(mask));
  };
}
