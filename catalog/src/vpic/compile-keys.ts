import { putNarrow, type Sections } from '../binary/sections.ts';
import type { CharacterSet, ParsedKey } from './keys.ts';
import { checkLimit } from './limits.ts';

/** Writes keys as tokens (column, set of characters); gives each its number. */
export function compileKeys(parsed: ReadonlySet<ParsedKey>, sections: Sections): Map<ParsedKey, number> {
  checkLimit('distinct keys', parsed.size, 0xffff);
  const ids = new Map<ParsedKey, number>();
  const sets = new Map<string, number>();
  const setWords: number[] = [];
  const tokens: number[] = [];
  const columns: number[] = [];
  const tokenSets: number[] = [];
  const digits: number[] = [];
  for (const key of parsed) {
    const id = ids.size;
    ids.set(key, id);
    for (const { column, set } of key.tokens) {
      columns.push(column);
      tokenSets.push(setId(set, sets, setWords));
    }
    tokens.push(key.tokens.length);
    if (key.digits !== null) digits.push(id, key.digits.from, key.digits.to);
  }
  checkLimit('distinct sets of characters', sets.size, 0x10000);
  putNarrow(sections, 'vpic.key.tokens', tokens);
  sections.set('vpic.key.column', Uint8Array.from(columns));
  sections.set('vpic.key.set', Uint16Array.from(tokenSets));
  sections.set('vpic.set.words', Uint32Array.from(setWords));
  sections.set('vpic.key.digits', Uint32Array.from(digits));
  return ids;
}

function setId(set: CharacterSet, sets: Map<string, number>, words: number[]): number {
  const name = `${set.low}:${set.high}`;
  const known = sets.get(name);
  if (known !== undefined) return known;
  const id = sets.size;
  sets.set(name, id);
  words.push(set.low, set.high);
  return id;
}
