import { fixedPositions, parsePattern } from '@marque/decoder';

/** The last position that a pattern may fix: those behind it count the single cars. */
const LAST_POSITION = 14;

/** Returns the fault of a pattern over the VIN; undefined: none. */
export function patternFault(text: string, first = 1, last = LAST_POSITION): string | undefined {
  const example = `write a pattern like "......[HV]...A", with a dot for a position that may be anything`;
  try {
    const fixed = fixedPositions(parsePattern(text));
    if (fixed.length > 0 && fixed.every((position) => position >= first && position <= last)) return undefined;
    return `"${text}" fixes no positions from ${first} to ${last}, or others: ${example}`;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} "${text}": ${example}`;
  }
}
