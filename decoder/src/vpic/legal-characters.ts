import { UNKNOWN } from '../vin/characters.ts';
import type { VpicTables } from './tables.ts';

/** Columns whose characters vPIC checks: positions 4-8 and 11-14 (docs/vpic-procedures.md 1.5, position check). */
const CHECKED_COLUMNS = [0, 1, 2, 3, 4, 6, 7, 8, 9] as const;
const CHECKED = CHECKED_COLUMNS.length;
/** A maker of few vehicles has its identity at 12-14, so only position 11 is checked after 10. */
const CHECKED_LONG_WMI = 6;

/** Room for all years in one number with the WMI. */
const YEARS = 4096;
/** United sets kept: about a megabyte. */
const MOST_UNITED = 4096;

/** The character sets that keys name, by checked column: two words a column; both 0 = no key looks at it. */
export type LegalSets = Uint32Array;

/** The union of the characters in the keys of all schemas, by column: those allowed there for a WMI in a year. */
export class LegalCharacters {
  readonly #tables: VpicTables;
  readonly #ofSchema: (LegalSets | undefined)[] = [];
  readonly #united = new Map<number, LegalSets>();

  constructor(tables: VpicTables) {
    this.#tables = tables;
    this.#ofSchema.length = tables.schemaName.length;
  }

  /**
   * Returns the sets of a WMI's schemas in a year (0 = every year), united; kept for the WMIs and years asked for of
   * late.
   */
  of(wmi: number, year: number): LegalSets {
    const key = wmi * YEARS + year;
    const known = this.#united.get(key);
    if (known !== undefined) return known;
    const sets = newLegalSets();
    this.#collect(wmi, year, sets);
    if (this.#united.size >= MOST_UNITED) this.#united.clear();
    this.#united.set(key, sets);
    return sets;
  }

  #collect(wmi: number, year: number, into: LegalSets): void {
    const { wmiLinks, linkFrom, linkTo, linkSchema } = this.#tables;
    const end = wmiLinks[wmi + 1] ?? 0;
    for (let link = wmiLinks[wmi] ?? 0; link < end; link++) {
      if (year !== 0 && (year < (linkFrom[link] ?? 0) || year > (linkTo[link] ?? 0))) continue;
      const sets = this.#setsOf(linkSchema[link] ?? 0);
      for (let index = 0; index < sets.length; index++) into[index] = (into[index] ?? 0) | (sets[index] ?? 0);
    }
  }

  #setsOf(schema: number): LegalSets {
    const known = this.#ofSchema[schema];
    if (known !== undefined) return known;
    const sets = this.#build(schema);
    this.#ofSchema[schema] = sets;
    return sets;
  }

  #build(schema: number): LegalSets {
    const { schemaEntries, entryKey, keyStart, keyColumn, keySet, setWords } = this.#tables;
    const sets = new Uint32Array(CHECKED * 2);
    const last = schemaEntries[schema + 1] ?? 0;
    for (let entry = schemaEntries[schema] ?? 0; entry < last; entry++) {
      const key = entryKey[entry] ?? 0;
      const end = keyStart[key + 1] ?? 0;
      for (let token = keyStart[key] ?? 0; token < end; token++) {
        const slot = CHECKED_COLUMNS.indexOf((keyColumn[token] ?? 0) as (typeof CHECKED_COLUMNS)[number]);
        if (slot < 0) continue;
        const set = (keySet[token] ?? 0) * 2;
        sets[slot * 2] = (sets[slot * 2] ?? 0) | (setWords[set] ?? 0);
        sets[slot * 2 + 1] = (sets[slot * 2 + 1] ?? 0) | (setWords[set + 1] ?? 0);
      }
    }
    return sets;
  }
}

/** Returns an empty set of legal characters to collect into. */
function newLegalSets(): LegalSets {
  return new Uint32Array(CHECKED * 2);
}

/** Returns the columns at which the VIN has a character that no key allows there. */
export function illegalColumns(sets: LegalSets, columns: Uint8Array, longWmi: boolean): number[] {
  const found: number[] = [];
  const count = longWmi ? CHECKED_LONG_WMI : CHECKED;
  for (let slot = 0; slot < count; slot++) {
    const low = sets[slot * 2] ?? 0;
    const high = sets[slot * 2 + 1] ?? 0;
    if (low === 0 && high === 0) continue;
    const column = CHECKED_COLUMNS[slot] ?? 0;
    const code = columns[column] ?? UNKNOWN;
    if (code === UNKNOWN) continue;
    const allowed = code < 32 ? (low >>> code) & 1 : (high >>> (code - 32)) & 1;
    if (allowed === 0) found.push(column);
  }
  return found;
}

/** Returns the codes that a column allows, in the order of digits and then letters. */
export function legalCodes(sets: LegalSets, column: number): number[] {
  const slot = CHECKED_COLUMNS.indexOf(column as (typeof CHECKED_COLUMNS)[number]);
  const found: number[] = [];
  for (let code = 0; code < 36; code++) {
    const word = sets[slot * 2 + (code < 32 ? 0 : 1)] ?? 0;
    if (((word >>> (code & 31)) & 1) === 1) found.push(code);
  }
  return found;
}
