import { CODE_OF, CODES, VIN_CHARACTERS } from './characters.ts';

/**
 * A pattern over the 17 positions of a VIN. Each position is `.` (anything), a character, or a set like `[A-CX]`,
 * whose ranges run over 0-9 and A-Z without I, O and Q. A shorter pattern leaves the rest open.
 * "...ZZZ1K" fixes positions 4-8.
 */
export type VinPattern = string;

/** The characters allowed at one position of a pattern, sorted; undefined is anything. */
export type PositionSet = string | undefined;

const VIN_LENGTH = 17;

/**
 * Parses a pattern to the characters allowed at each position, from position 1 on.
 *
 * @throws SyntaxError with the fault and its place.
 */
export function parsePattern(pattern: VinPattern): PositionSet[] {
  const positions: PositionSet[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (character === '[') {
      const end = pattern.indexOf(']', index);
      if (end < 0) throw new SyntaxError('The pattern opens a set with "[" and never closes it.');
      positions.push(readSet(pattern.slice(index + 1, end)));
      index = end;
    } else positions.push(character === '.' ? undefined : readSet(character));
  }
  if (positions.length > VIN_LENGTH) {
    throw new SyntaxError(`"${pattern}" is longer than the ${VIN_LENGTH} positions of a VIN.`);
  }
  return positions;
}

/** Writes what each position allows as a pattern, without trailing dots. */
export function formatPattern(positions: readonly PositionSet[]): VinPattern {
  let text = '';
  for (const set of positions) text += set === undefined ? '.' : set.length === 1 ? set : `[${set}]`;
  return text.replace(/\.+$/, '');
}

/** Returns true if the VIN has an allowed character at every position. */
export function matchesPattern(positions: readonly PositionSet[], vin: string): boolean {
  for (const [index, set] of positions.entries()) {
    if (set !== undefined && !set.includes(vin.charAt(index))) return false;
  }
  return true;
}

/** Returns the positions (1-17) that a pattern fixes: how many there are is the first measure of how specific it is. */
export function fixedPositions(positions: readonly PositionSet[]): number[] {
  return positions.flatMap((set, index) => (set === undefined ? [] : [index + 1]));
}

/**
 * A pattern for matching VINs as codes: the positions that it fixes, counted from 0, and the codes that each allows, as
 * bits.
 */
export interface CompiledPattern {
  readonly at: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Compiles a pattern, once for many VINs. */
export function compilePattern(pattern: VinPattern): CompiledPattern {
  const at: number[] = [];
  const low: number[] = [];
  const high: number[] = [];
  for (const [index, set] of parsePattern(pattern).entries()) {
    if (set === undefined) continue;
    const words: [low: number, high: number] = [0, 0];
    for (const character of set) {
      const code = CODE_OF[character.charCodeAt(0)] ?? 0;
      words[code < 32 ? 0 : 1] |= 1 << (code & 31);
    }
    at.push(index);
    low.push(words[0]);
    high.push(words[1]);
  }
  return { at, low, high };
}

/** Returns true if a VIN, as codes, has an allowed character at every position; an unknown character is not allowed. */
export function holdsFor({ at, low, high }: CompiledPattern, codes: Uint8Array): boolean {
  for (let index = 0; index < at.length; index++) {
    const code = codes[at[index] as number] as number;
    const allowed = (code < 32 ? low : high)[index] as number;
    if (code >= CODES || ((allowed >>> (code & 31)) & 1) === 0) return false;
  }
  return true;
}

function readSet(text: string): string {
  let allowed = '';
  for (let index = 0; index < text.length; index++) {
    const from = VIN_CHARACTERS.indexOf(text.charAt(index));
    const to = text.charAt(index + 1) === '-' ? VIN_CHARACTERS.indexOf(text.charAt(index + 2)) : from;
    if (from < 0 || to < from) throw new SyntaxError(`"${text}" is neither a character of a VIN nor a set of them.`);
    allowed += VIN_CHARACTERS.slice(from, to + 1);
    if (text.charAt(index + 1) === '-') index += 2;
  }
  if (allowed === '') throw new SyntaxError('A set in the pattern is empty.');
  return isSorted(allowed) ? allowed : [...VIN_CHARACTERS].filter((character) => allowed.includes(character)).join('');
}

/** Returns true if each character comes after the one before, in the alphabet's order. */
function isSorted(characters: string): boolean {
  for (let index = 1; index < characters.length; index++) {
    if (characters.charCodeAt(index) <= characters.charCodeAt(index - 1)) return false;
  }
  return true;
}
