import { yearOfCode } from '../vin/year-codes.ts';
import { characterOf, positionOf, UNKNOWN } from '../vin/characters.ts';
import { strictCheckDigit, vpicCheckDigit } from './check-digit.ts';
import { isException } from './check-digit-exceptions.ts';
import { illegalColumns, LegalCharacters, legalCodes } from './legal-characters.ts';
import { isDigit, tellsCycleAtPosition7, TYPE } from './model-year.ts';
import { ORIGIN, type Pass } from './pass.ts';
import type { VinCodes } from '../vin/vin-codes.ts';
import { ELEMENT } from '../vpic-elements.ts';
import type { VpicTables } from './tables.ts';

/** vPIC's error codes (docs/vpic-procedures.md 1.5). */
const ERROR = {
  clean: 0,
  checkDigit: 1,
  oneRepaired: 2,
  oneRepairedByCheckDigit: 3,
  oneUnclear: 4,
  several: 5,
  incomplete: 6,
  unknownWmi: 7,
  noPattern: 8,
  glider: 9,
  offRoad: 10,
  noYear: 11,
  otherYear: 12,
  uncovered: 14,
  illegal: 400,
} as const;

const VIN_LENGTH = 17;

const GLIDER = 1;
const OFF_ROAD = 2;
const INCOMPLETE = 4;

/** Codes beside which a decode still counts as clean. */
const HARMLESS: ReadonlySet<number> = new Set([ERROR.glider, ERROR.offRoad, ERROR.uncovered]);

/** Columns that code 14 asks for: positions 4-8 and 11. */
const COVERED_COLUMNS = [0, 1, 2, 3, 4, 6] as const;

/** The faults of a VIN by vPIC in one pass. */
export interface Faults {
  /** Ascending. */
  codes: number[];
  /** Positions that no surviving row looks at. */
  unusedPositions: number[];
  /** Positions with a character that is not allowed there. */
  illegalPositions: number[];
  suggestedVin: string;
  possibleValues: string;
  incomplete: boolean;
}

/** Finds the faults of passes. Caches the legal characters of schemas it has met. */
export class FaultFinder {
  readonly #tables: VpicTables;
  readonly #legal: LegalCharacters;

  constructor(tables: VpicTables) {
    this.#tables = tables;
    this.#legal = new LegalCharacters(tables);
  }

  /** Returns the sum of the weights of the codes: what passes are compared by. */
  weight(codes: readonly number[]): number {
    let sum = 0;
    for (const code of codes) sum += this.#tables.errors.get(code)?.weight ?? 0;
    return sum;
  }

  /**
   * Counts the positions at which the VIN has a character that no key of its WMI and year allows there.
   *
   * @param descriptor true to count only those that describe the vehicle, 4 to 8 and 11, and not the serial number.
   */
  illegalCount(codes: VinCodes, pass: Pass, descriptor = false): number {
    if (pass.wmi < 0 || pass.year === 0) return 0;
    const sets = this.#legal.of(pass.wmi, pass.year);
    return illegalColumns(sets, codes.columns, descriptor || codes.codes[2] === 9).length;
  }

  /**
   * Finds the faults of a VIN, or of a part of one, in one pass.
   *
   * @param contradicted true if the VIN has another model year than the one that the caller knows.
   */
  find(vin: string, codes: VinCodes, pass: Pass, contradicted = false): Faults {
    const body = pass.has(ELEMENT.body) ? (this.#tables.bodyFlags[pass.value[ELEMENT.body] ?? 0] ?? 0) : 0;
    const offRoad = (body & OFF_ROAD) !== 0;
    const carOrLightTruck = this.#carOrLightTruck(pass.wmi);
    const excepted = isException(this.#tables.exceptions, vin);
    const illegalPositions = illegalPositionsOf(vin, carOrLightTruck, offRoad || excepted);
    const found = new Set<number>();
    if (vin.length < VIN_LENGTH) found.add(ERROR.incomplete);
    else if (!excepted && vpicCheckDigit(vin, carOrLightTruck) !== vin.charAt(8)) found.add(ERROR.checkDigit);
    if (contradicted) found.add(ERROR.otherYear);
    if (pass.year === 0 && !hasYearCode(vin)) found.add(ERROR.noYear);
    if (illegalPositions.length > 0) found.add(ERROR.illegal);
    if ((body & GLIDER) !== 0) found.add(ERROR.glider);
    if (offRoad) found.add(ERROR.offRoad);
    const repair = this.#positions(vin, codes, pass);
    if (pass.wmi < 0) found.add(ERROR.unknownWmi);
    else if (pass.matched === 0) found.add(ERROR.noPattern);
    else if (repair.code !== 0) found.add(repair.code);
    const unusedPositions = pass.matched === 0 ? [] : this.#unusedPositions(pass, codes);
    if (unusedPositions.length > 0) found.add(ERROR.uncovered);
    if (clean(found)) {
      found.add(ERROR.clean);
      if (!pass.has(ELEMENT.model) && pass.wmi >= 0 && pass.matched > 0) found.add(ERROR.uncovered);
    }
    return {
      codes: [...found].toSorted((a, b) => a - b),
      unusedPositions,
      illegalPositions,
      suggestedVin: markIllegal(pass.matched > 0 ? repair.suggestion : '', vin, illegalPositions),
      possibleValues: pass.matched > 0 ? repair.possible : '',
      incomplete: this.#tables.wmiType[pass.wmi] === TYPE.incomplete || (body & INCOMPLETE) !== 0,
    };
  }

  #carOrLightTruck(wmi: number): boolean {
    return wmi >= 0 && tellsCycleAtPosition7(this.#tables.wmiType[wmi] ?? 0, this.#tables.wmiTruck[wmi] ?? 0);
  }

  /** Finds codes 2 to 5: characters that no key of the WMI's schemas in this year names at their position. */
  #positions(vin: string, codes: VinCodes, pass: Pass): { code: number; suggestion: string; possible: string } {
    const nothing = { code: 0, suggestion: '', possible: '' };
    if (pass.wmi < 0 || pass.year === 0) return nothing;
    const sets = this.#legal.of(pass.wmi, pass.year);
    const columns = illegalColumns(sets, codes.columns, vin.charAt(2) === '9');
    if (columns.length === 0) return nothing;
    const choices = columns.map((column) => legalCodes(sets, column).map((code) => characterOf(code)));
    const possible = columns
      .map((column, index) => `(${positionOf(column)}:${choices[index]?.join('') ?? ''})`)
      .join('');
    const [column, ...others] = columns;
    const [letters] = choices;
    if (column === undefined || letters === undefined || others.length > 0) {
      return { code: ERROR.several, suggestion: replaceAt(vin, columns.map(positionOf), '!'), possible };
    }
    const position = positionOf(column);
    const [only] = letters;
    if (letters.length === 1 && only !== undefined) {
      return { code: ERROR.oneRepaired, suggestion: replaceAt(vin, [position], only), possible };
    }
    const fitting = letters.filter((letter) => {
      const candidate = replaceAt(vin, [position], letter);
      return strictCheckDigit(candidate) === vin.charAt(8);
    });
    const [one] = fitting;
    if (fitting.length === 1 && one !== undefined) {
      const found = `(${position}:${one})`;
      return { code: ERROR.oneRepairedByCheckDigit, suggestion: replaceAt(vin, [position], one), possible: found };
    }
    return { code: ERROR.oneUnclear, suggestion: replaceAt(vin, [position], '!'), possible };
  }

  /** Returns the positions of code 14, whose character no key of a surviving row looks at. */
  #unusedPositions(pass: Pass, { columns }: VinCodes): number[] {
    const { entryKey, keyStart, keyColumn } = this.#tables;
    let covered = 0;
    const cover = (entry: number): void => {
      const key = entryKey[entry] ?? 0;
      const end = keyStart[key + 1] ?? 0;
      for (let token = keyStart[key] ?? 0; token < end; token++) covered |= 1 << (keyColumn[token] ?? 0);
    };
    for (let index = 0; index < pass.touchedCount; index++) {
      const element = pass.touched[index] ?? 0;
      if (pass.origin[element] !== ORIGIN.none) cover(pass.entry[element] ?? 0);
    }
    for (const extra of pass.extras) cover(extra.entry);
    return COVERED_COLUMNS.filter((column) => columns[column] !== UNKNOWN && ((covered >>> column) & 1) === 0).map(
      positionOf,
    );
  }
}

function clean(found: ReadonlySet<number>): boolean {
  for (const code of found) if (!HARMLESS.has(code)) return false;
  return true;
}

function hasYearCode(vin: string): boolean {
  return vin.length > 9 && yearOfCode(vin.charCodeAt(9)) !== 0;
}

/** Returns the positions of characters that are not allowed there (code 400). */
function illegalPositionsOf(vin: string, carOrLightTruck: boolean, anyCheckDigit: boolean): number[] {
  const found: number[] = [];
  const digitsFrom = vin.charAt(2) === '9' ? 15 : carOrLightTruck ? 13 : 14;
  for (let position = 1; position <= vin.length; position++) {
    const character = vin.charAt(position - 1);
    // Means a character that the caller does not know; NHTSA does not take it for the model year.
    if (character === '*' && position !== 10) continue;
    if (position === 9) {
      if (!anyCheckDigit && !isDigit(character.charCodeAt(0)) && character !== 'X') found.push(position);
    } else if (position === 10) {
      if (!hasYearCode(vin)) found.push(position);
    } else if (position < digitsFrom) {
      if ('IOQ!'.includes(character)) found.push(position);
    } else if (!isDigit(character.charCodeAt(0))) found.push(position);
  }
  return found;
}

function replaceAt(vin: string, positions: readonly number[], character: string): string {
  let text = vin;
  for (const position of positions) text = text.slice(0, position - 1) + character + text.slice(position);
  return text;
}

function markIllegal(suggestion: string, vin: string, illegalPositions: readonly number[]): string {
  return illegalPositions.length === 0 ? suggestion : replaceAt(suggestion || vin, illegalPositions, '!');
}
