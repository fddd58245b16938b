import { isRecord } from './records.ts';

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
 * Masks a VIN in a text wherever it occurs: in either case, with anything but letters and digits between its characters, and with
 * letters and digits before and after it.
 */
export function maskVinIn(text: string, vin: string): string {
  const written = new RegExp([...vin].join('[^\\p{L}\\p{N}]{0,8}'), 'giu');
  return text.replace(written, maskVin(vin));
}

/** Masks a VIN in the names and texts of JSON. Returns other JSON unchanged. */
export function maskVinInJson(json: string, vin: string): string {
  if (json === '') return json;
  let isChanged = false;
  const masked = (text: string): string => {
    const without = maskVinIn(text, vin);
    isChanged ||= without !== text;
    return without;
  };
  const value: unknown = JSON.parse(json, (_name, part: unknown) => {
    if (typeof part === 'string') return masked(part);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, of]) => [masked(name), of]));
  });
  return isChanged ? JSON.stringify(value) : json;
}

const CHARACTER = '[A-HJ-NPR-Z0-9]';
const SPACED = `${CHARACTER}[ \\t._/–-]{0,2}`;

/** Matches 17 letters and digits, of both some, without I, O and Q. */
const PLAIN = new RegExp(`(?<![A-Z0-9])(?=[A-Z0-9]*\\d)(?=[A-Z0-9]*[A-Z])${CHARACTER}{17}(?![A-Z0-9])`, 'gi');

/**
 * Matches the same with separators. As words have such letters too, and years four digits, the last five must be digits, as in
 * most VINs, and one before them.
 */
const SEPARATED = new RegExp(
  `(?<![A-Z0-9])(?=(?:${SPACED}){0,11}\\d)(?=(?:${SPACED}){0,11}[A-Z])(?:${SPACED}){12}(?:\\d[^A-Z0-9]{0,2}){4}\\d(?![A-Z0-9])`,
  'gi',
);

/** Matches a date between words, which may have as many letters and digits as a VIN. */
const DATE = /(?:19|20)\d\d-\d\d/;

/** Masks whatever has the form of a VIN in a text, in either case, also in groups: `1hg-cm826-33a-004352`. */
export function maskVinsIn(text: string): string {
  return text
    .replace(PLAIN, maskVin)
    .replace(SEPARATED, (written) => (DATE.test(written) ? written : maskVin(written.replaceAll(/[^A-Z0-9]/gi, ''))));
}
