import { CODE_OF } from '../vpic/characters.ts';

const code = (character: string): number => CODE_OF[character.charCodeAt(0)] as number;

const [S, X, Y, Z] = [code('S'), code('X'), code('Y'), code('Z')];
/** Second characters of X: the Netherlands. */
const DUTCH = [code('L'), code('R')] as const;
/** Second characters of Y: Belgium, Finland and Sweden. */
const NORTHERN = [code('A'), code('W')] as const;

/**
 * Whether a VIN's first two characters were assigned to a country whose cars are type-approved in the European Union (ISO 3780): S to Z
 * without Russia, Belarus and Ukraine, whose markets have later dates.
 */
export function isBuiltInUnion(codes: Uint8Array): boolean {
  const [first = 0, second = 0] = codes;
  if (first === X) return isWithin(second, DUTCH);
  if (first === Y) return isWithin(second, NORTHERN);
  return first >= S && first <= Z;
}

function isWithin(character: number, [from, to]: readonly [number, number]): boolean {
  return character >= from && character <= to;
}
