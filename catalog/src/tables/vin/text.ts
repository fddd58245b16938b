import { checkDigitOf, readVin } from '@marque/decoder';

import { vinInFrames } from './frames.ts';

const WORD = /[\p{L}\p{N}]+/gu;

/** Matches a VIN within other text. Its last three characters are digits, as for every maker (ISO 3779, 49 CFR 565). */
const VIN = /^[A-HJ-NPR-Z0-9]{14}\d{3}$/;

const DIGITS = /^\d+$/;

/**
 * Matches words before a VIN without a separator: the data identifier I of ANSI MH10.8.2, also of SAE J1877; the word
 * itself.
 */
const BEFORE = /^(?:I|VIN|FIN)$/;

/** Matches the symbology of ISO/IEC 15424 before a scanned text. */
const SYMBOLOGY = /\][A-Z]\d/gi;

/**
 * Matches Code 39 whose check character a reader has validated and left behind the VIN, as its symbology identifier
 * shows.
 */
const WITH_CHECK_CHARACTER = /\]A1(I?[A-HJ-NPR-Z0-9]{17})[A-Z0-9](?![A-Z0-9])/gi;

/** The data element of AAMVA's bar codes on registrations and titles, also right behind its subfile. */
const AAMVA = /(?:^|[\r\n]|RG|TD|VH)VAD([A-HJ-NPR-Z0-9]{17})(?![A-Z0-9])/gi;

/** Words that people and programs write before a VIN whose groups are separated. */
const LABEL = /^(?:vin|fin|chassis|v\.i\.n\.|vehicle identification number)(?:\s*(?:no|nr|number|code|#))?[.:=#\s]+/i;

/**
 * Returns the VINs in a text of a label, a page, a message or a device: each once, in order. Digits alone are one where
 * their check digit is right, or where there is another VIN that they could be taken for.
 */
export function vinsIn(text: string): string[] {
  const found = new Set<string>();
  const numbers = new Set<string>();
  const plain = unescaped(text).replaceAll(WITH_CHECK_CHARACTER, ' $1 ').replaceAll(SYMBOLOGY, ' ');
  const words = [...plain.matchAll(WORD)].flatMap(([word]) => vinOfWord(word) ?? []);
  const elements = [...plain.matchAll(AAMVA)].map(([, vin = '']) => vin.toUpperCase());
  for (const vin of [...words, ...elements]) (DIGITS.test(vin) ? numbers : found).add(vin);
  const sure = [...numbers].filter((vin) => found.size > 0 || checkDigitOf(vin) === vin.charAt(8));
  if (found.size + sure.length > 0) return [...found, ...sure];
  const labeled = LABEL.test(text) ? readVin(text.replace(LABEL, '')) : undefined;
  if (labeled?.kind === 'vin') return [labeled.vin];
  return vinInFrames(text);
}

function vinOfWord(word: string): string | undefined {
  if (word.length < 17 || word.length > 22) return undefined;
  const upper = word.toUpperCase();
  const vin = upper.slice(-17);
  if (!VIN.test(vin)) return undefined;
  return upper.length === 17 || BEFORE.test(upper.slice(0, -17)) ? vin : undefined;
}

/** Resolves the percent signs of addresses, so that `%3D` is not part of a word. */
function unescaped(text: string): string {
  return text.replaceAll(/%([0-9A-F]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/**
 * Returns true if a text consists of groups of hexadecimal digits, as tools print the bytes of a bus: it is not a VIN
 * with blanks in it.
 */
export function isHexDump(text: string): boolean {
  return /^(?:[0-9A-F]{3}\s+|[0-9A-F]{8}\s+)?(?:[0-9A-F]{2}\s+){4,}[0-9A-F]{2}\s*>?$/im.test(text);
}
