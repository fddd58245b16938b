import { CODES } from '../vin/characters.ts';
import { codesOfKey, firstAtLeast } from './match.ts';
import { FIELD } from './reading.ts';
import type { WorldTables } from './tables.ts';

/** Characters for masked positions: the code of each by its position, counted from 0. */
export type Filling = ReadonlyMap<number, number>;

/** The start of positions 13 to 17, which contain the number in ranges of serial numbers. */
const SERIAL_START = 12;
const SERIAL_DIGITS = 5;

/** The number of rows of layouts that are read for one masked VIN, for any mask: a few tenths of a millisecond. */
const MOST_ROWS = 40_000;

/** Beyond so many fillings, rows that say the same are filled once. */
const MANY_FILLINGS = 60;
const MOST_FILLINGS = 120;

/** The rows of a layout's facts that the known characters of a masked VIN allow. */
export class MaskedFacts {
  readonly #tables: WorldTables;
  readonly #codes: Uint8Array;
  readonly #fillings = new Map<string, Filling>();
  /** The outputs of the facts whose rows were filled. */
  readonly #filled = new Set<number>();
  #rowsLeft = MOST_ROWS;

  constructor(tables: WorldTables, codes: Uint8Array) {
    this.#tables = tables;
    this.#codes = codes;
  }

  /** Returns the fillings of all layouts that were gathered; undefined if they are too many to compare. */
  get fillings(): readonly Filling[] | undefined {
    const isWhole = this.#rowsLeft > 0 && this.#fillings.size <= MOST_FILLINGS;
    return isWhole ? [...this.#fillings.values()] : undefined;
  }

  /**
   * Gathers the characters behind the mask on which a layout's facts depend: for each fact that the known characters
   * allow, those with which it matches; and those that meet a condition of the layout.
   */
  gather(layout: number): void {
    const { layoutWhens, whenTokens, whenPosition, whenSet } = this.#tables;
    for (let when = layoutWhens[layout] ?? 0; when < (layoutWhens[layout + 1] ?? 0); when++) {
      const filling = new Map<number, number>();
      this.#fillTokens(whenPosition, whenSet, [whenTokens[when] ?? 0, whenTokens[when + 1] ?? 0], filling);
    }
    for (const { entry, positions } of this.#rowsOf(layout)) this.#fillRow(entry, positions);
  }

  /** Returns true if a layout, or a fact of it that the known characters allow, may give a make that passes. */
  mayTellMake(layout: number, passes: (make: number) => boolean): boolean {
    const own = this.#tables.layoutMake[layout] ?? 0;
    if (own !== 0 && passes(own)) return true;
    for (const { entry } of this.#rowsOf(layout)) {
      const told = this.#makeOf(this.#tables.entryFact[entry] ?? 0);
      if (told >= 0 && passes(told)) return true;
    }
    return this.#rowsLeft <= 0;
  }

  #makeOf(fact: number): number {
    const { factOutputs, outputStart, outputField, outputValue } = this.#tables;
    const outputs = factOutputs[fact] ?? 0;
    for (let at = outputStart[outputs] ?? 0; at < (outputStart[outputs + 1] ?? 0); at++) {
      if (outputField[at] === FIELD.make) return outputValue[at] ?? -1;
    }
    return -1;
  }

  /** Yields the rows whose keys agree with the known characters, until too many were read. */
  *#rowsOf(layout: number): Generator<{ entry: number; positions: Uint8Array }> {
    const { layoutGroup, layoutGroups, groupPositions, groupPosition, groupEntries, entryKey } = this.#tables;
    for (const group of layoutGroup.subarray(layoutGroups[layout], layoutGroups[layout + 1])) {
      const positions = groupPosition.subarray(groupPositions[group], groupPositions[group + 1]);
      const [least, most] = this.#keyRange(positions);
      const end = groupEntries[group + 1] ?? 0;
      for (let entry = firstAtLeast(entryKey, groupEntries[group] ?? 0, end, least); entry < end; entry++) {
        const key = entryKey[entry] ?? 0;
        if (key > most) break;
        if (--this.#rowsLeft <= 0) return;
        if (this.#agrees(positions, key)) yield { entry, positions };
      }
    }
  }

  /** Returns the least and the greatest key that begins with the known characters before the first masked one. */
  #keyRange(positions: Uint8Array): [least: number, most: number] {
    let [least, most] = [0, 0];
    let isKnown = true;
    for (const position of positions) {
      const code = this.#codes[position] ?? 0;
      isKnown &&= code < CODES;
      least = least * CODES + (isKnown ? code : 0);
      most = most * CODES + (isKnown ? code : CODES - 1);
    }
    return [least, most];
  }

  #agrees(positions: Uint8Array, key: number): boolean {
    for (let index = positions.length - 1, rest = key; index >= 0; index--, rest = Math.floor(rest / CODES)) {
      const known = this.#codes[positions[index] ?? 0] ?? 0;
      if (known < CODES && known !== rest % CODES) return false;
    }
    return true;
  }

  #fillRow(entry: number, positions: Uint8Array): void {
    const { entryKey, entryFact, entryRest, entryPosition, entrySet, factOutputs } = this.#tables;
    const fact = entryFact[entry] ?? 0;
    const said = factOutputs[fact] ?? 0;
    if (this.#fillings.size >= MANY_FILLINGS && this.#filled.has(said)) return;
    // More than can be compared: how many more does not matter.
    if (this.#fillings.size > MOST_FILLINGS) return;
    const filling = new Map<number, number>();
    for (const [index, code] of codesOfKey(entryKey[entry] ?? 0, positions.length).entries()) {
      const position = positions[index] ?? 0;
      if ((this.#codes[position] ?? 0) >= CODES) filling.set(position, code);
    }
    const tokens = [entryRest[entry] ?? 0, entryRest[entry + 1] ?? 0] as const;
    if (!this.#fillTokens(entryPosition, entrySet, tokens, filling)) return;
    this.#fillSerial(fact, filling);
    this.#filled.add(said);
  }

  /**
   * Adds the fillings with which tokens match, each with one character more than `filling`. @returns true if they can
   * match.
   */
  #fillTokens(
    positions: Uint8Array,
    sets: Uint16Array,
    [from, to]: readonly [number, number],
    filling: Map<number, number>,
  ): boolean {
    const masked: { position: number; codes: number[] }[] = [];
    for (let token = from; token < to; token++) {
      const position = positions[token] ?? 0;
      const set = sets[token] ?? 0;
      const known = this.#codes[position] ?? 0;
      if (known < CODES && !this.#tables.holds(set, known)) return false;
      if (known >= CODES) masked.push({ position, codes: this.#codesIn(set) });
    }
    for (const { position, codes } of masked) filling.set(position, codes[0] ?? 0);
    if (filling.size > 0) this.#add(new Map(filling));
    // The part of a set that another fact names, too, is decided by each of its characters.
    for (const { position, codes } of masked) {
      for (const code of codes.slice(1)) this.#add(new Map([...filling, [position, code]]));
    }
    return true;
  }

  #add(filling: Filling): void {
    this.#fillings.set([...filling].join(' '), filling);
  }

  #codesIn(set: number): number[] {
    return Array.from({ length: CODES }, (_, code) => code).filter((code) => this.#tables.holds(set, code));
  }

  /** Adds both ends of the range of serial numbers of a fact, if it has one. */
  #fillSerial(fact: number, filling: ReadonlyMap<number, number>): void {
    const to = this.#tables.factSerialTo[fact] ?? 0;
    if (to === 0) return;
    for (const serial of [this.#tables.factSerialFrom[fact] ?? 0, to]) {
      const digits = codesOfKey(serial, SERIAL_DIGITS).map((code, index): [number, number] => [
        SERIAL_START + index,
        code,
      ]);
      const masked = digits.filter(([position]) => (this.#codes[position] ?? 0) >= CODES);
      if (masked.length > 0) this.#add(new Map([...filling, ...masked]));
    }
  }
}
