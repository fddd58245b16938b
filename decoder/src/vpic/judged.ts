import { hasValidCheckDigit } from '../vin/check-digit.ts';
import { CODE_OF } from '../vin/characters.ts';

/** The codes of the digits are below it. */
const DIGITS = 10;

const LETTER_X = CODE_OF[88];

/** How many judgements there are. */
export const JUDGEMENTS = 32;

/**
 * What `FaultFinder.find` takes from a well-formed VIN beside the characters that it asks for and the check digit, as a number:
 * digits where serial numbers have them, a check digit that may be one, and whether NHTSA accepts a wrong one.
 */
export function judgementOf(vin: string, codes: Uint8Array, isException: (vin: string) => boolean): number {
  const ninth = codes[8] as number;
  let judgement = ninth < DIGITS || ninth === LETTER_X ? 1 : 0;
  if ((codes[12] as number) < DIGITS) judgement |= 2;
  if ((codes[13] as number) < DIGITS) judgement |= 4;
  if ((codes[14] as number) < DIGITS && (codes[15] as number) < DIGITS && (codes[16] as number) < DIGITS)
    judgement |= 8;
  // The list is searched for wrong check digits only: it changes nothing for the others.
  if (!hasValidCheckDigit(vin) && isException(vin)) judgement |= 16;
  return judgement;
}
