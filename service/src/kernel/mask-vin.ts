/**
 * The number of characters of a VIN that are not personal data: all but the serial number, which identifies the
 * vehicle.
 */
const KEPT_CHARACTERS = 11;

/** Returns a VIN without its serial number: `1HGCM82633A******`. */
export function maskVin(vin: string): string {
  return `${vin.slice(0, KEPT_CHARACTERS)}******`;
}

/**
 * Returns a text in which a VIN is masked wherever it occurs, in either case and with blanks, hyphens or dots in
 * between.
 */
export function maskVinIn(text: string, vin: string): string {
  const written = new RegExp(`(?<![A-Z0-9])${[...vin].join('[ .-]*')}(?![A-Z0-9])`, 'gi');
  return text.replace(written, maskVin(vin));
}

/** Masks a VIN wherever it occurs in the texts of JSON. Returns other JSON unchanged. */
export function maskVinInJson(json: string, vin: string): string {
  if (json === '') return json;
  let isChanged = false;
  const value: unknown = JSON.parse(json, (_name, part: unknown) => {
    if (typeof part !== 'string') return part;
    const masked = maskVinIn(part, vin);
    isChanged ||= masked !== part;
    return masked;
  });
  return isChanged ? JSON.stringify(value) : json;
}
