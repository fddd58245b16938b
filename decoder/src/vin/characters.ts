/** Codes of the characters: 0-9 are 0 to 9, A-Z are 10 to 35; 255 is any other character. */
export const CODE_OF = new Uint8Array(128).fill(255);
for (let digit = 0; digit < 10; digit++) CODE_OF[48 + digit] = digit;
for (let letter = 0; letter < 26; letter++) CODE_OF[65 + letter] = 10 + letter;

export const CODES = 36;

const VIN_LENGTH = 17;

/**
 * The characters of a VIN (ISO 3779 clause 5), in the order of sets and ranges: digits, and the letters without I, O
 * and Q.
 */
export const VIN_CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';

/** Legal characters of a VIN by char code, 1 each. */
const LEGAL = new Uint8Array(128);
for (const character of VIN_CHARACTERS) LEGAL[character.charCodeAt(0)] = 1;

/** Returns true if a value is a VIN as it should be written; false for any value that is not a string. */
export function isWellFormed(text: string): boolean {
  if (typeof text !== 'string' || text.length !== VIN_LENGTH) return false;
  for (let index = 0; index < VIN_LENGTH; index++) if (LEGAL[text.charCodeAt(index)] !== 1) return false;
  return true;
}

/** Char codes by code: the way back from CODE_OF. */
export const CHAR_CODE_OF = Uint8Array.from({ length: CODES }, (_, code) => (code < 10 ? 48 + code : 55 + code));

/** Code of an unknown character: only keys that accept any character there match it. */
export const UNKNOWN = 36;

/** Returns the character of a code. */
export function characterOf(code: number): string {
  return String.fromCharCode(CHAR_CODE_OF[code] as number);
}

/** Returns the VIN position (1-17) of a key column: columns 0-4 are positions 4-8, columns 5-12 are positions 10-17. */
export function positionOf(column: number): number {
  return column < 5 ? column + 4 : column + 5;
}

/** The key column of each 0-based VIN index; -1 where keys never look. */
export const COLUMN_OF_INDEX = [-1, -1, -1, 0, 1, 2, 3, 4, -1, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** Returns a three-character WMI as one number. */
export function shortCode(codes: Uint8Array): number {
  return ((codes[0] as number) * CODES + (codes[1] as number)) * CODES + (codes[2] as number);
}
