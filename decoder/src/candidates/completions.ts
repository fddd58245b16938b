import { checkDigitOf } from '../vin/check-digit.ts';
import { characterOf, VIN_CHARACTERS } from '../vin/characters.ts';
import type { Filling } from '../world/masked.ts';

const CHECK_DIGIT = 8;
/** Positions from 12 number the vehicle: any digits may be there. */
const SERIAL = 11;
const CHECK_DIGITS = '0123456789X';
/** More would leave no room for the others. */
const MOST_PAIRS = 200;
/** Two digits reach every check digit. */
const MOST_TRIES = 100;

/**
 * Returns the masked VIN with each character in turn at each masked one of some positions of the serial number, a bit
 * for each.
 */
export function withEachCharacter(masked: string, wanted: number): string[] {
  const positions = Array.from({ length: masked.length - SERIAL }, (_, index) => SERIAL + index);
  return positions
    .filter((position) => masked.charAt(position) === '*' && ((wanted >>> position) & 1) === 1)
    .flatMap((position) => Array.from(VIN_CHARACTERS, (character) => replaceAt(masked, position, character)))
    .flatMap(withCheckDigits);
}

/**
 * Returns VINs that a masked one may be: with the characters of each filling and without, each with a right and with a
 * wrong check digit. A value that all of them have is one of the masked VIN. A `*` stays if neither facts nor the form
 * name a character.
 */
export function completionsOf(masked: string, fillings: readonly Filling[]): string[] {
  const filled = fillings.map((filling) => filledBy(masked, filling));
  const [gap = -1, ...others] = gapsOf(masked);
  const starts =
    gap < 0 || others.length > 0
      ? [masked]
      : Array.from(VIN_CHARACTERS, (character) => replaceAt(masked, gap, character));
  return [...new Set([...starts, ...filled, ...withModelAndSerial(masked, fillings)].flatMap(withCheckDigits))];
}

/**
 * Returns VINs with a character at position 9 that facts name, and with one of the serial number that others name:
 * where a maker tells
 * the model at position 9 and the month at 12, neither alone tells the year of the model.
 */
function withModelAndSerial(masked: string, fillings: readonly Filling[]): string[] {
  if (masked.charAt(CHECK_DIGIT) !== '*') return [];
  const named = new Set(fillings.flatMap((filling) => filling.get(CHECK_DIGIT) ?? []));
  const ofSerial = fillings.filter((filling) => [...filling.keys()].every((position) => position >= SERIAL));
  if (named.size * ofSerial.length > MOST_PAIRS) return [];
  return [...named].flatMap((code) => {
    const start = replaceAt(masked, CHECK_DIGIT, characterOf(code));
    return ofSerial.map((filling) => filledBy(start, filling));
  });
}

function filledBy(masked: string, filling: Filling): string {
  let text = masked;
  for (const [position, code] of filling) text = replaceAt(text, position, characterOf(code));
  return text;
}

/**
 * Returns the masked positions, counted from 0, that describe the vehicle: all but the check digit and the serial
 * number.
 */
export function gapsOf(masked: string): number[] {
  const gaps: number[] = [];
  for (let at = masked.indexOf('*'); at >= 0 && at < SERIAL; at = masked.indexOf('*', at + 1)) {
    if (at !== CHECK_DIGIT) gaps.push(at);
  }
  return gaps;
}

/** Returns the VIN with a right and with a wrong check digit, as far as its known characters allow either. */
function withCheckDigits(text: string): string[] {
  if (gapsOf(text).length > 0) return [fill(text, '00')];
  const check = text.charAt(CHECK_DIGIT);
  if (check === '*') {
    const whole = fill(text, '00');
    return [replaceAt(whole, CHECK_DIGIT, checkDigitOf(whole)), replaceAt(whole, CHECK_DIGIT, 'Z')];
  }
  const found = new Map<boolean, string>();
  for (let serial = 0; serial < MOST_TRIES && found.size < (CHECK_DIGITS.includes(check) ? 2 : 1); serial++) {
    const whole = fill(text, String(serial).padStart(2, '0'));
    found.set(checkDigitOf(whole) === check, whole);
  }
  // The right one first: of two VINs that are read alike the first one counts, and a wrong digit rules more out.
  return [found.get(true), found.get(false)].filter((whole) => whole !== undefined);
}

/** Puts digits where a serial number is masked: those given last, and zeros before. */
function fill(text: string, digits: string): string {
  let serial = '';
  let left = digits.length;
  for (let at = text.length - 1; at >= SERIAL; at--) {
    const character = text.charAt(at);
    serial = (character === '*' ? (digits[--left] ?? '0') : character) + serial;
  }
  return text.slice(0, SERIAL) + serial;
}

function replaceAt(text: string, position: number, character: string): string {
  return text.slice(0, position) + character + text.slice(position + 1);
}
