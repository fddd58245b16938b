/** How many characters of a VIN are not personal data: all but the serial number, which identifies the vehicle. */
const KEPT_CHARACTERS = 11;

/** A VIN without its serial number: `1HGCM82633A******`. */
export function maskVin(vin: string): string {
  return `${vin.slice(0, KEPT_CHARACTERS)}******`;
}

/** A text in which a VIN is masked wherever it occurs, in either case and with blanks, hyphens or dots in between. */
export function maskVinIn(text: string, vin: string): string {
  const written = new RegExp(`(?<![A-Z0-9])${[...vin].join('[ .-]*')}(?![A-Z0-9])`, 'gi');
  return text.replace(written, maskVin(vin));
}
