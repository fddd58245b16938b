import type { VinPattern } from './model.ts';

/** What one position of a pattern allows: undefined is anything, else the allowed characters, sorted. */
export type PositionSet = string | undefined;

const VIN_CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';

/**
 * Reads a pattern as what each position allows, from position 1 on.
 *
 * @throws SyntaxError with what is wrong and where.
 */
export function parsePattern(pattern: VinPattern): PositionSet[] {
  const positions: PositionSet[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (character === '[') {
      const end = pattern.indexOf(']', index);
      if (end < 0) throw new SyntaxError(`"${pattern}" opens a set with "[" and never closes it`);
      positions.push(readSet(pattern.slice(index + 1, end)));
      index = end;
    } else positions.push(character === '.' ? undefined : readSet(character));
  }
  if (positions.length > 17) throw new SyntaxError(`"${pattern}" is longer than the 17 positions of a VIN`);
  return positions;
}

/** Writes what each position allows as a pattern, without trailing dots. */
export function formatPattern(positions: readonly PositionSet[]): VinPattern {
  let text = '';
  for (const set of positions) text += set === undefined ? '.' : set.length === 1 ? set : `[${set}]`;
  return text.replace(/\.+$/, '');
}

/** Whether the VIN holds at every position one of the allowed characters. */
export function matches(positions: readonly PositionSet[], vin: string): boolean {
  for (const [index, set] of positions.entries()) {
    if (set !== undefined && !set.includes(vin.charAt(index))) return false;
  }
  return true;
}

/** How many positions the pattern fixes: the first measure of how specific a row is. */
export function fixedPositions(positions: readonly PositionSet[]): number {
  let fixed = 0;
  for (const set of positions) if (set !== undefined) fixed++;
  return fixed;
}

function readSet(text: string): string {
  let allowed = '';
  for (let index = 0; index < text.length; index++) {
    const from = VIN_CHARACTERS.indexOf(text.charAt(index));
    const to = text.charAt(index + 1) === '-' ? VIN_CHARACTERS.indexOf(text.charAt(index + 2)) : from;
    if (from < 0 || to < from) throw new SyntaxError(`"${text}" is no character, and no set of characters, of a VIN`);
    allowed += VIN_CHARACTERS.slice(from, to + 1);
    if (text.charAt(index + 1) === '-') index += 2;
  }
  if (allowed === '') throw new SyntaxError('a set in a pattern is empty');
  return allowed;
}
