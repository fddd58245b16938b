import { asWritten, lookAlikeOf } from './look-alikes.ts';

/** Whether a text is a VIN in the form of ISO 3779, and if not, what to change. */
export type VinForm = { kind: 'vin'; vin: string } | { kind: 'malformed'; message: string };

const VIN_LENGTH = 17;

/** Longer texts are not searched for a VIN: no way of writing one needs this much, and the work stays bounded. */
const LONGEST_TEXT = 256;

/** Blanks of every alphabet, dots, and the hyphens and dashes that word processors put in a hyphen's place. */
const SEPARATORS = /[\s.\-\u2010-\u2015\u2212]/gu;

/** ISO 3779 clause 5: Roman letters but I, O and Q, and Arabic numerals. */
const VIN_CHARACTER = /^[A-HJ-NPR-Z0-9]$/;

/** A VIN as it should be written: most are, and need no closer look. */
const WELL_FORMED = /^[A-HJ-NPR-Z0-9]{17}$/;

const DIGIT_FOR_LETTER: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' };

/**
 * Reads what a person or a machine sent as a VIN: trims, upper-cases, and drops blanks, hyphens and dots.
 *
 * The message of a malformed VIN is one sentence or two, fit for a client: it says which character or length is wrong.
 * Positions count from 1 and leave the dropped characters out. Time and the message's length are bounded whatever the
 * text is.
 */
export function readVin(text: string): VinForm {
  if (WELL_FORMED.test(text)) return { kind: 'vin', vin: text };
  const vin = withoutSeparators(text);
  if (vin === undefined) {
    return malformed(`A VIN has ${VIN_LENGTH} characters; this text has more than ${LONGEST_TEXT}.`);
  }
  if (vin === '') return malformed(`The VIN is empty. Send its ${VIN_LENGTH} characters.`);
  const characters = [...vin];
  for (const [index, character] of characters.entries()) {
    if (!VIN_CHARACTER.test(character)) return malformed(illegalCharacter(index + 1, character));
  }
  if (characters.length !== VIN_LENGTH) {
    return malformed(`A VIN has ${VIN_LENGTH} characters; this one has ${characters.length}.`);
  }
  return { kind: 'vin', vin };
}

/** The text in upper case without blanks, hyphens and dots; undefined when it is too long to be looked at. */
export function withoutSeparators(text: string): string | undefined {
  return text.length > LONGEST_TEXT ? undefined : asciiUpper(text.replace(SEPARATORS, ''));
}

function illegalCharacter(position: number, character: string): string {
  const found = `Position ${position} of the VIN is ${asWritten(character)}.`;
  const digit = DIGIT_FOR_LETTER[character];
  if (digit !== undefined) return `${found} A VIN never holds the letters I, O and Q; did you mean the digit ${digit}?`;
  const meant = lookAlikeOf(character);
  if (meant !== undefined) return `${found} It only looks like ${meant}; use the letters A-Z and the digits 0-9.`;
  return `${found} A VIN holds only the letters A-Z without I, O and Q, and the digits 0-9.`;
}

/** Upper-cases ASCII letters only: a dotless i or a sharp s must not turn into letters that nobody sent. */
function asciiUpper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function malformed(message: string): VinForm {
  return { kind: 'malformed', message };
}
