import { hasValidCheckDigit } from '@marque/decoder';

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
 * Distance of a full-width character from its ASCII form. VINs in such characters are read, so they are masked, too.
 */
const FULL_WIDTH_OFFSET = 0xfee0;

const FULL_WIDTH = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/g;

/** Blocks of characters that stand for a letter or digit: raised, circled, wide, mathematical, and such. */
const STYLED: readonly (readonly [number, number])[] = [
  [0xaa, 0xbe],
  [0x2070, 0x209c],
  [0x2100, 0x214f],
  [0x2460, 0x24ff],
  [0xff10, 0xff5a],
  [0x1d400, 0x1d7ff],
  [0x1f100, 0x1f189],
  [0x1fbf0, 0x1fbf9],
];

/** Letters that people type for digits. A VIN has none of them. */
const TYPED_FOR: Readonly<Record<string, string>> = { 0: 'OQ', 1: 'I' };

let styled: ReadonlyMap<string, string> | undefined;

/** Returns the letters and digits that stand for one of a VIN. */
function meantBy(character: string): string {
  return character.toUpperCase() + (TYPED_FOR[character] ?? '');
}

/** Returns the ways in which a letter or digit of a VIN may be written. */
export function formsOf(character: string): string {
  const meant = meantBy(character);
  return [...new Set(meant + meant.toLowerCase())].map((each) => each + (styledForms().get(each) ?? '')).join('');
}

/** Returns the characters that mean an ASCII letter or digit, by that. */
function styledForms(): ReadonlyMap<string, string> {
  return (styled ??= readStyled());
}

function readStyled(): Map<string, string> {
  const forms = new Map<string, string>();
  for (const [first, last] of STYLED) {
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code);
      const plain = character.normalize('NFKC');
      if (/^[A-Za-z0-9]$/.test(plain)) forms.set(plain, (forms.get(plain) ?? '') + character);
    }
  }
  return forms;
}

let plain: ReadonlyMap<string, string> | undefined;

/** Returns what a letter or digit means, as a capital; a blank: neither an ASCII letter nor a digit. */
function plainOf(character: string): string {
  if (/^[a-z0-9]$/i.test(character)) return character.toUpperCase();
  plain ??= new Map(
    [...styledForms()].flatMap(([means, forms]) => Array.from(forms, (each) => [each, means.toUpperCase()])),
  );
  return plain.get(character) ?? ' ';
}

/**
 * Returns the byte of a letter or digit in hexadecimal, as two sets of digits: `[46][8]` for H. The lower case of a
 * letter differs in the first digit alone.
 */
export function byteOf(character: string): string {
  const [first = '', second = ''] = character.toUpperCase().charCodeAt(0).toString(16);
  const lower = /[A-Z]/i.test(character) ? String(Number(first) + 2) : '';
  return `[${first}${lower}][${second}${second.toUpperCase() === second ? '' : second.toUpperCase()}]`;
}

/**
 * Masks a VIN in a text wherever it occurs: in either case, in full-width and other styled letters, with letters typed
 * for digits, with anything but letters and digits between its characters, with letters and digits before and after it;
 * also its bytes in hexadecimal, as tools and addresses have them, and escaped, where the text is JSON.
 */
export function maskVinIn(text: string, vin: string): string {
  // It takes a character of the text for each of its own.
  if (text.length < vin.length) return text;
  if (written?.vin !== vin) written = { vin, forms: [writtenAs(vin), inBytes(vin)] };
  return written.forms.reduce((masked, form) => masked.replace(form, maskVin(vin)), withinJson(text, vin));
}

/** Masks a VIN in a text that may be JSON. */
function withinJson(text: string, vin: string): string {
  if (!/^\s*[[{"]/.test(text)) return text;
  try {
    return maskVinInJson(text, vin);
  } catch {
    // It is none, or nested too deeply.
    return text;
  }
}

/** The patterns of the VIN that was looked for last: an erasure looks for one in millions of texts. */
let written: { vin: string; forms: readonly RegExp[] } | undefined;

function writtenAs(vin: string): RegExp {
  // If what is between characters could be a character as well, a long text would match in ever more ways.
  return new RegExp(Array.from(vin, (each) => `[${formsOf(each)}]`).join(`[^${letters()}]*`), 'gu');
}

let known: string | undefined;

/** Returns letters and digits, as part of a set: circled ones are symbols to Unicode. */
function letters(): string {
  return (known ??= `\\p{L}\\p{N}${[...styledForms().values()].join('').replaceAll(/[\p{L}\p{N}]/gu, '')}`);
}

function inBytes(vin: string): RegExp {
  return new RegExp(Array.from(vin, byteOf).join('[^\\p{L}\\p{N}]*(?:0?x)?'), 'gu');
}

let places: RegExp | undefined;

/** Returns the places of a text: letters, digits, and what stands for one that is not known. */
function placesIn(text: string): RegExpExecArray[] {
  return [...text.matchAll((places ??= new RegExp(`[${letters()}*!?]`, 'gu')))];
}

/** Returns a text that was sent for a VIN, but is none, without what comes after the first 11 places. */
export function maskPart(text: string): string {
  const next = placesIn(text)[KEPT_CHARACTERS];
  return next === undefined ? text : `${text.slice(0, next.index)}******`;
}

/**
 * Masks a text that was sent for a VIN, but is none, wherever another text has it. Anybody may send both, and any number:
 * a pattern for each would take longer to make than to use.
 */
export function maskPartIn(text: string, part: string): string {
  const sought = Array.from(part.normalize('NFKC').replaceAll(/[^A-Z0-9]/gi, ''), meantBy);
  if (sought.length === 0) return text;
  const found = placesIn(text).filter(([place]) => !/[*!?]/.test(place));
  const read = found.map(([place]) => plainOf(place));
  let masked = '';
  let from = 0;
  for (let at = 0; at + sought.length <= found.length; at += 1) {
    const [start, last] = [found[at], found[at + sought.length - 1]];
    if (
      start === undefined ||
      last === undefined ||
      !sought.every((meant, place) => meant.includes(read[at + place] ?? ''))
    )
      continue;
    const end = last.index + last[0].length;
    masked += text.slice(from, start.index) + maskPart(text.slice(start.index, end));
    from = end;
    at += sought.length - 1;
  }
  return masked + text.slice(from);
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

/** Matches 17 letters and digits, of both some, without I, O and Q. */
const PLAIN = new RegExp(`(?<![A-Z0-9])(?=[A-Z0-9]*\\d)(?=[A-Z0-9]*[A-Z])${CHARACTER}{17}(?![A-Z0-9])`, 'gi');

/** Matches 17 such characters from a place on, which separators divide into groups. */
const GROUPED = new RegExp(`${CHARACTER}(?:[ \\t._/–-]{0,2}${CHARACTER}){16}(?![A-Z0-9])`, 'iy');

const GROUP_START = /(?<![A-Z0-9])[A-Z0-9]/gi;

/** Matches what is neither a VIN nor part of one: whole days, moments (RFC 3339) and UUIDs. */
const OTHER =
  /((?<![A-Z0-9])(?:(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T\d\d:[\d:.]+Z?)?|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![A-Z0-9]))/i;

const YEAR = /^(?:19|20)\d\d$/;

/** The number of characters in groups of letters and digits that words and numbers side by side do not reach. */
const MIXED_CHARACTERS = 8;

/** Matches letters and digits without a gap that may have a VIN in them. */
const LONG = /[A-Z0-9]{17,}/gi;

/** Groups of a VIN that is not written one or two characters at a time: names with as many numbers have more. */
const MOST_GROUPS = 7;

/**
 * Masks what may be a VIN in a value of a report: also in styled letters, with anything but letters and digits between
 * its characters, with letters and digits before and after it. A value with a VIN in it keeps plain letters, digits and
 * single spaces.
 */
export function maskVinsInValue(text: string): string {
  const plainly = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const masked = maskGroupsIn(plainly.replace(LONG, maskIfMixed), endsInNumber);
  return masked === plainly ? text : masked;
}

/** Masks a long word that has a letter, and four digits at least. Looks at each character once: strangers send these. */
function maskIfMixed(word: string): string {
  return /[A-Z]/i.test(word) && word.replaceAll(/\D/g, '').length >= 4 ? maskVin(word) : word;
}

/**
 * Masks whatever has the form of a VIN in a text, in either case, also in groups: `1hg-cm826-33a-004352`. A text with a
 * VIN in it loses its full-width letters.
 */
export function maskVinsIn(text: string): string {
  const narrow = text.replaceAll(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET));
  const parts = narrow.replace(PLAIN, maskVin).split(OTHER);
  const masked = parts.map((part, index) => (index % 2 === 0 ? maskGroupsIn(part, isVinInGroups) : part)).join('');
  return masked === narrow ? text : masked;
}

function maskGroupsIn(text: string, isVin: (written: string) => boolean): string {
  let masked = '';
  let from = 0;
  for (const { index } of text.matchAll(GROUP_START)) {
    if (index < from) continue;
    GROUPED.lastIndex = index;
    const written = GROUPED.exec(text)?.[0];
    if (written === undefined || !isVin(written)) continue;
    masked += `${text.slice(from, index)}${maskVin(written.replaceAll(/[^A-Z0-9]/gi, ''))}`;
    from = index + written.length;
  }
  return masked + text.slice(from);
}

/** Returns whether 17 characters in groups end in four digits that are not a year, or are written one or two at a time. */
function endsInNumber(written: string): boolean {
  const groups = written.split(/[^A-Z0-9]+/i);
  const vin = groups.join('');
  if (!/\d/.test(vin.slice(0, 12)) || !/[A-Z]/i.test(vin.slice(0, 12))) return false;
  if (groups.every(({ length }) => length <= 2)) return true;
  return groups.length <= MOST_GROUPS && /\d{4}$/.test(vin) && !YEAR.test(groups.at(-1) ?? '');
}

/**
 * Returns whether 17 characters in groups are a VIN: words and numbers side by side may have as many. A VIN has the
 * right check digit, or ends in digits that are not a year (four at least, by ISO 3779), or has groups that mix letters
 * and digits, or is written one or two characters at a time.
 */
function isVinInGroups(written: string): boolean {
  const groups = written.toUpperCase().split(/[^A-Z0-9]+/);
  const vin = groups.join('');
  if (!/\d/.test(vin.slice(0, 12)) || !/[A-Z]/.test(vin.slice(0, 12))) return false;
  if (hasValidCheckDigit(vin) || groups.every(({ length }) => length <= 2)) return true;
  if (/\d{5}$/.test(vin) || (/\d{4}$/.test(vin) && !YEAR.test(groups.at(-1) ?? ''))) return true;
  const mixed = groups.filter((group) => /\d/.test(group) && /[A-Z]/.test(group));
  return mixed.reduce((sum, { length }) => sum + length, 0) >= MIXED_CHARACTERS;
}
