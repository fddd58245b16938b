/** Cyrillic letters, upper then lower case, then Greek ones, whose printed form is that of the character below them. */
const OTHER_ALPHABETS = 'АВСЕНІЈКМОРЅТХУЗаеросухΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const ROMAN_LETTERS = 'ABCEH1JKM0PSTXY3AEP0CYXABEZH1KMN0PTYX';

const ROMAN_OF = new Map([...OTHER_ALPHABETS].map((letter, index) => [letter, ROMAN_LETTERS.charAt(index)]));

/**
 * Returns the VIN character that a character from another alphabet looks like: Cyrillic "А" gives "A", full-width "１"
 * gives "1". Undefined where it looks like none. For messages only: a look-alike is refused, never replaced.
 */
export function lookAlikeOf(character: string): string | undefined {
  const roman = ROMAN_OF.get(character);
  if (roman !== undefined) return roman;
  // Full-width, superscript, circled and mathematical forms have their plain character as compatibility form.
  const plain = character.normalize('NFKC').toUpperCase();
  return /^[A-HJ-NPR-Z0-9]$/.test(plain) ? plain : undefined;
}

/**
 * Returns a character so that a reader can find it: quoted, with its code point where it is not plain ASCII or not
 * visible.
 */
export function asWritten(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0x20 && code < 0x7f) return `"${character}"`;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `"${character}" (${name})` : `the invisible character ${name}`;
}
