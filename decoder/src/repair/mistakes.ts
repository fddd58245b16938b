import { lookAlikeOf } from '../vin/look-alikes.ts';

/** Kinds of mistakes in a character, or two. */
export const MISTAKE_KINDS = [
  'look-alike',
  'neighbouring-key',
  'transposition',
  'other-character',
  'missing-character',
  'extra-character',
] as const;

export type MistakeKind = (typeof MISTAKE_KINDS)[number];

/**
 * The cost of a mistake in points, from its share among mistakes: of a hundred wrong characters a third each look
 * alike, are swapped, or are any other; then there are 17 positions and up to 32 characters to choose from.
 */
export const COST = {
  /** No VIN has the letters I, O and Q: who wrote one meant a digit, or another letter that looks like it. */
  neverInVin: 1,
  lookAlike: 16,
  faintLookAlike: 27,
  neighboringKey: 28,
  otherCharacter: 32,
  transposition: 17,
  missingCharacter: 32,
  missingDouble: 24,
  extraCharacter: 25,
  extraDouble: 15,
} as const;

/** Characters that print or write alike, in any hand. */
const LOOK_ALIKES = groups('0ODQ', '1IL', '2Z', '5S', '6G', '8B', 'UV');
/** Characters that look alike in a poor photograph or a hasty hand. */
const FAINT_LOOK_ALIKES = groups(
  '17',
  'T7',
  '4A',
  '38',
  '3B',
  '68',
  'CG',
  'EF',
  'MN',
  'VY',
  'KX',
  'PR',
  'VW',
  'HN',
  '1J',
  'CO',
);
const NEIGHBORING_KEYS = neighbors('1234567890', 'QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM');

function groups(...sets: string[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const set of sets) for (const a of set) for (const b of set) if (a !== b) pairs.add(a + b);
  return pairs;
}

function neighbors(...rows: string[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const row of rows) {
    for (let key = 1; key < row.length; key++) {
      pairs.add(row.charAt(key - 1) + row.charAt(key)).add(row.charAt(key) + row.charAt(key - 1));
    }
  }
  return pairs;
}

/** Returns the mistake that made `written` of `meant`, and its cost. */
export function mistakeOf(written: string, meant: string): { kind: MistakeKind; cost: number } {
  const pair = written + meant;
  if (LOOK_ALIKES.has(pair)) {
    if ('IOQ'.includes(written)) return { kind: 'look-alike', cost: COST.neverInVin + (isDigit(meant) ? 0 : 9) };
    return { kind: 'look-alike', cost: COST.lookAlike };
  }
  if (lookAlikeOf(written) === meant && !isPlain(written)) return { kind: 'look-alike', cost: COST.neverInVin };
  if (FAINT_LOOK_ALIKES.has(pair)) return { kind: 'look-alike', cost: COST.faintLookAlike };
  if (NEIGHBORING_KEYS.has(pair)) return { kind: 'neighbouring-key', cost: COST.neighboringKey };
  return { kind: 'other-character', cost: COST.otherCharacter };
}

/** Returns the VIN character that an illegal one most likely stands for; undefined if it resembles none. */
export function meantBy(written: string): string | undefined {
  if (written === 'I') return '1';
  if (written === 'O' || written === 'Q') return '0';
  return lookAlikeOf(written);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isPlain(character: string): boolean {
  return /^[A-Z0-9]$/.test(character);
}
