import { CODES } from '../vin/characters.ts';
import { codesOfKey } from './match.ts';
import type { WorldTables } from './tables.ts';

/** Characters for masked positions: the code of each by its position, counted from 0. */
export type Filling = ReadonlyMap<number, number>;

/** Positions 13 to 17 hold the number that ranges of serial numbers are about. */
const SERIAL_START = 12;
const SERIAL_DIGITS = 5;

/**
 * Finds the characters behind a mask on which a layout's facts depend: for each fact that the known characters allow, those
 * with which it matches; and those that meet a condition of the layout.
 */
export class MaskedFacts {
  readonly #tables: WorldTables;
  readonly #codes: Uint8Array;
  readonly #add: (filling: Filling) => void;

  constructor(tables: WorldTables, codes: Uint8Array, add: (filling: Filling) => void) {
    this.#tables = tables;
    this.#codes = codes;
    this.#add = add;
  }

  gather(profile: number): void {
    const { profileWhens, whenTokens, whenPosition, whenSet, profileGroup, profileGroups } = this.#tables;
    for (let when = profileWhens[profile] ?? 0; when < (profileWhens[profile + 1] ?? 0); when++) {
      const filling = new Map<number, number>();
      this.#fillTokens(whenPosition, whenSet, [whenTokens[when] ?? 0, whenTokens[when + 1] ?? 0], filling);
    }
    for (const group of profileGroup.subarray(profileGroups[profile], profileGroups[profile + 1])) this.#ofGroup(group);
  }

  #ofGroup(group: number): void {
    const { groupPositions, groupPosition, groupEntries, entryKey, entryFact, entryRest } = this.#tables;
    const positions = groupPosition.subarray(groupPositions[group], groupPositions[group + 1]);
    for (let entry = groupEntries[group] ?? 0; entry < (groupEntries[group + 1] ?? 0); entry++) {
      const filling = this.#fillKey(positions, codesOfKey(entryKey[entry] ?? 0, positions.length));
      if (filling === undefined) continue;
      const { entryPosition, entrySet } = this.#tables;
      const tokens = [entryRest[entry] ?? 0, entryRest[entry + 1] ?? 0] as const;
      if (this.#fillTokens(entryPosition, entrySet, tokens, filling)) this.#fillSerial(entryFact[entry] ?? 0, filling);
    }
  }

  #fillKey(positions: Uint8Array, key: readonly number[]): Map<number, number> | undefined {
    const filling = new Map<number, number>();
    for (const [index, position] of positions.entries()) {
      const code = key[index] ?? 0;
      const known = this.#codes[position] ?? 0;
      if (known >= CODES) filling.set(position, code);
      else if (known !== code) return undefined;
    }
    return filling;
  }

  /** Adds the fillings with which tokens hold, each with one character more than `filling`. @returns whether they can hold. */
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
    // What part of a set another fact names, too, is decided by each of its characters.
    for (const { position, codes } of masked) {
      for (const code of codes.slice(1)) this.#add(new Map([...filling, [position, code]]));
    }
    return true;
  }

  #codesIn(set: number): number[] {
    return Array.from({ length: CODES }, (_, code) => code).filter((code) => this.#tables.holds(set, code));
  }

  /** Both ends of the range of serial numbers for which a fact holds, where it has one. */
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
