/** Characters by code: 0-9 are 0 to 9, A-Z are 10 to 35. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A set of characters as two words: codes 0-31 and 32-35. */
export interface CharacterSet {
  low: number;
  high: number;
}

/** The requirement of a key for one column: columns 0-4 are VIN positions 4-8, columns 5-12 are positions 10-17. */
export interface KeyToken {
  column: number;
  set: CharacterSet;
}

/** A vPIC key, ready to be matched. */
export interface ParsedKey {
  tokens: KeyToken[];
  /** Columns of the first and last `#`: such a key gives the digits of the VIN between them. */
  digits: { from: number; to: number } | null;
  /** Length without `*`, and text without brackets: vPIC's tie-breaks. */
  weight: number;
  plain: string;
}

const COLUMNS = 13;
const SEPARATOR_SLOT = 5;
const NOTHING: CharacterSet = { low: 0, high: 0 };
const DIGITS: CharacterSet = { low: 0b11_1111_1111, high: 0 };

/**
 * Reads a key as vPIC's procedures match it (docs/vpic-procedures.md 1.4.3): `*` and `_` are any character, `[..]` a
 * class, `|` the gap at position 9, `#` a digit, all else literal. A key that can never match gets a token with an
 * empty set.
 */
export function parseKey(key: string): ParsedKey {
  // The one malformed class in the data, as NHTSA's PostgreSQL procedures mend it.
  const cells = cellsOf(key.replaceAll('1-A', '1A'));
  const tokens: KeyToken[] = [];
  const hashes: number[] = [];
  let impossible = cells.length > COLUMNS + 1;
  for (const [slot, cell] of cells.entries()) {
    if (slot === SEPARATOR_SLOT) {
      impossible ||= cell !== '|' && cell !== '*' && cell !== '_';
      continue;
    }
    const column = slot < SEPARATOR_SLOT ? slot : slot - 1;
    if (column >= COLUMNS) break;
    if (cell === '*' || cell === '_') continue;
    if (cell === '#') hashes.push(column);
    tokens.push({ column, set: cell === '#' ? DIGITS : setOf(cell) });
  }
  if (impossible) tokens.push({ column: COLUMNS - 1, set: NOTHING });
  const [from, to] = [hashes[0], hashes.at(-1)];
  return {
    tokens,
    digits: from === undefined || to === undefined ? null : { from, to },
    weight: key.replaceAll('*', '').length,
    plain: key.replaceAll(/[[\]]/g, ''),
  };
}

/** Cuts a key into its cells: single characters, or whole classes. */
function cellsOf(key: string): string[] {
  return key.match(/\[[^\]]*\]|./g) ?? [];
}

function setOf(cell: string): CharacterSet {
  const set = { low: 0, high: 0 };
  const body = cell.length > 1 ? cell.slice(1, -1) : cell;
  for (let index = 0; index < body.length; index++) {
    const first = body.charAt(index);
    const last = body.charAt(index + 1) === '-' && index + 2 < body.length ? body.charAt(index + 2) : first;
    if (last !== first) index += 2;
    for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) {
      const character = String.fromCharCode(code);
      // A range means the VIN's characters; I, O and Q count only where a key names them itself.
      if (first === last || !'IOQ'.includes(character)) addTo(set, character);
    }
  }
  return set;
}

function addTo(set: CharacterSet, character: string): void {
  const code = CHARACTERS.indexOf(character);
  if (code < 0) return;
  if (code < 32) set.low = (set.low | (1 << code)) >>> 0;
  else set.high |= 1 << (code - 32);
}

/** Returns true if some VIN could match both keys. */
export function keysMeet(a: ParsedKey, b: ParsedKey): boolean {
  for (const { column, set } of a.tokens) {
    for (const other of b.tokens) {
      if (other.column !== column) continue;
      if ((set.low & other.set.low) === 0 && (set.high & other.set.high) === 0) return false;
    }
  }
  return true;
}
