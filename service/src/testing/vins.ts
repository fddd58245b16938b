import { checkDigitOf } from '@marque/decoder';

/** Returns a VIN of an unassigned WMI, of model year 2014 in North America, with a valid check digit. */
export function unknownVin(serial: number): string {
  const vin = `3ZZADP4E0EM${String(serial).padStart(6, '0')}`;
  return `${vin.slice(0, 8)}${checkDigitOf(vin)}${vin.slice(9)}`;
}
