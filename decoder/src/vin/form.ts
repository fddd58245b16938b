/** Whether a text is a VIN in the form of ISO 3779, and if not, what to change. */
export type VinForm = { kind: 'vin'; vin: string } | { kind: 'malformed'; message: string };

const VIN_LENGTH = 17;
const LEGAL = /^[A-HJ-NPR-Z0-9]$/;
const LOOKS_LIKE: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' };

/**
 * Reads what a person or a machine sent as a VIN: trims, upper-cases, and drops blanks, hyphens and dots.
 *
 * The message of a malformed VIN is fit for a client: it says which character or length is wrong.
 */
export function readVin(text: string): VinForm {
  const vin = asciiUpper(text.replace(/[\s.\-\u2010-\u2015\u2212]/gu, ''));
  if (vin === '') return malformed('The VIN is empty. Send the 17 characters of the vehicle identification number.');
  for (const [index, character] of [...vin].entries()) {
    if (LEGAL.test(character)) continue;
    const instead = LOOKS_LIKE[character];
    const hint = instead === undefined ? 'use the letters A-Z and the digits 0-9' : `did you mean ${instead}?`;
    const letters = instead === undefined ? '' : ' The letters I, O and Q are never used in a VIN:';
    return malformed(
      `Position ${index + 1} of the VIN is ${quote(character)}.${letters || ' It cannot stand in a VIN:'} ${hint}`.replace(
        /([^?])$/,
        '$1.',
      ),
    );
  }
  if (vin.length !== VIN_LENGTH) {
    return malformed(`A VIN has 17 characters; this one has ${vin.length}.`);
  }
  return { kind: 'vin', vin };
}

/** Upper-cases ASCII letters only: look-alikes from other alphabets must stay visible as what they are. */
function asciiUpper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function quote(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code > 0x20 && code < 0x7f) return `"${character}"`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `"${character}" (${name})` : `the character ${name}`;
}

function malformed(message: string): VinForm {
  return { kind: 'malformed', message };
}
