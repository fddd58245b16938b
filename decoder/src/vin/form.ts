import { isWellFormed } from './characters.ts';
import { asWritten, lookAlikeOf } from './look-alikes.ts';

/** A VIN in the form of ISO 3779, or the remedy. */
export type VinForm = { kind: 'vin'; vin: string } | { kind: 'malformed'; message: string };

const VIN_LENGTH = 17;

/** Longer texts are not searched for a VIN: no way of writing one needs this much, and the work stays bounded. */
const LONGEST_TEXT = 256;

/** Blanks of every alphabet, dots, and the hyphens and dashes that word processors put in a hyphen's place. */
const SEPARATORS = /[\s.\-\u2010-\u2015\u2212]/gu;

/** Control characters around a text, such as scanners and old terminals send. */
const CONTROLS = /^\p{Cc}+|\p{Cc}+$/gu;

/** Matches the marks that spreadsheets put around a text so that it stays one: `'…` and `="…"`. */
const CELL = /^=?(["'])(.*?)\1?$/su;

/** Letters and digits of the width of Chinese and Japanese characters. */
const FULL_WIDTH = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/gu;
const TO_ASCII = 0xff10 - 0x30;

/** ISO 3779 clause 5: Roman letters but I, O and Q, and Arabic numerals. */
const VIN_CHARACTERS = /^[A-HJ-NPR-Z0-9]*$/;

/**
 * A VIN as scanners of bar codes send it: with the symbology identifier of ISO/IEC 15424 (`]A0`), the start and stop
 * characters of Code 39, and the letter I that SAE J1877 allows before the VIN of an imported vehicle.
 */
const SCANNED = /^(?:\][A-Z]\d)?\*?I?([A-HJ-NPR-Z0-9]{17})\*?$/;

/**
 * Matches a digit. ISO 3779 has digits at the last four positions. `docs/decisions/digits-of-a-vin.md` explains why no
 * more than one is required.
 */
const DIGIT = /\d/;

const NO_DIGITS =
  'A VIN has digits, and ends in some; this text has only letters, like the name of a field. Send the VIN itself.';

const LEGAL = 'A VIN has only the letters A-Z without I, O, and Q, and the digits 0-9.';

/** Illegal characters that a message names. */
const NAMED_CHARACTERS = 3;

const DIGIT_FOR_LETTER: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' };

/**
 * Reads a VIN from the input of a person or a machine: trims, upper-cases, drops blanks, hyphens and dots, and the
 * marks that scanners of bar codes put around it.
 *
 * The message of a malformed VIN is one sentence or two, fit for a client: it names the wrong characters and length.
 * Positions count from 1 and leave the dropped characters out. Time and the message's length are bounded for any text.
 */
export function readVin(text: string): VinForm {
  // Most need no closer look.
  if (isWellFormed(text) && DIGIT.test(text)) return { kind: 'vin', vin: text };
  const written = withoutSeparators(text);
  const vin = written === undefined ? undefined : (SCANNED.exec(written)?.[1] ?? written);
  if (vin === undefined) {
    return malformed(`A VIN has ${VIN_LENGTH} characters; this text has more than ${LONGEST_TEXT}.`);
  }
  if (vin === '') return malformed(`The VIN is empty. Send its ${VIN_LENGTH} characters.`);
  const characters = [...vin];
  const illegal = VIN_CHARACTERS.test(vin)
    ? []
    : [...characters.entries()].filter(([, character]) => !VIN_CHARACTERS.test(character));
  const length = `A VIN has ${VIN_LENGTH} characters; this one has ${characters.length}.`;
  const faults = [
    ...(illegal.length === 0 ? [] : [illegalCharacters(illegal)]),
    ...(characters.length === VIN_LENGTH ? [] : [length]),
  ];
  if (faults.length > 0) return malformed(faults.join(' '));
  return DIGIT.test(vin) ? { kind: 'vin', vin } : malformed(NO_DIGITS);
}

/**
 * Returns the text in upper case without blanks, hyphens and dots; undefined when it is too long to be looked at.
 *
 * @throws TypeError where a caller in JavaScript has no text.
 */
export function withoutSeparators(text: string): string | undefined {
  if (typeof text !== 'string') throw new TypeError('A VIN must be given as text.');
  if (text.length > LONGEST_TEXT) return undefined;
  const written = text.replace(CONTROLS, '').replace(SEPARATORS, '').replace(CELL, '$2');
  return asciiUpper(written.replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - TO_ASCII)));
}

/** Describes illegal characters, given with their indexes from 0. */
function illegalCharacters(illegal: readonly (readonly [number, string])[]): string {
  const [first, ...others] = illegal;
  if (first !== undefined && others.length === 0) return illegalCharacter(...first);
  const named = illegal.slice(0, NAMED_CHARACTERS);
  const unnamed = illegal.length - named.length;
  const positions = listOf(named.map(([index]) => String(index + 1)));
  const written = named.map(([, character]) => asWritten(character));
  const isOneCharacter = new Set(written).size === 1;
  const found = `Positions ${positions} of the VIN are ${isOneCharacter ? written[0] : listOf(written)}.`;
  const more = unnamed === 0 ? '' : ` ${unnamed} more ${unnamed === 1 ? 'character is' : 'characters are'} wrong too.`;
  const digits = named.flatMap(([, character]) => DIGIT_FOR_LETTER[character] ?? []);
  if (digits.length === illegal.length) {
    const meant = isOneCharacter ? `the digit ${digits[0]}` : `the digits ${listOf(digits)}`;
    return `${found} A VIN never has the letters I, O, or Q. Did you mean ${meant}?`;
  }
  return `${found}${more} ${LEGAL}`;
}

function listOf(parts: readonly string[]): string {
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function illegalCharacter(index: number, character: string): string {
  const found = `Position ${index + 1} of the VIN is ${asWritten(character)}.`;
  const digit = DIGIT_FOR_LETTER[character];
  if (digit !== undefined) return `${found} A VIN never has the letters I, O, or Q. Did you mean the digit ${digit}?`;
  const meant = lookAlikeOf(character);
  if (meant !== undefined) return `${found} It only looks like ${meant}; use the letters A-Z and the digits 0-9.`;
  return `${found} ${LEGAL}`;
}

/** Upper-cases ASCII letters only: a dotless i or a sharp s must not turn into letters that were not sent. */
function asciiUpper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function malformed(message: string): VinForm {
  return { kind: 'malformed', message };
}
