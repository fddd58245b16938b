import { CODES } from '../vpic/characters.ts';
import { YEAR_RULES } from './fields.ts';
import type { WorldTables } from './tables.ts';

/** Model years by letter, ISO 3779 and 49 CFR 565: A is 1980 and 2010. */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const FIRST_YEAR = 1980;
const CYCLE = 30;

/** First year of each character's cycle by code; 0 = no year code. */
const YEAR_OF_CODE = new Uint16Array(CODES);
for (let index = 0; index < YEAR_CODES.length; index++) {
  YEAR_OF_CODE[Number.parseInt(YEAR_CODES.charAt(index), CODES)] = FIRST_YEAR + index;
}

const NO_RULE = YEAR_RULES.indexOf('none');
const POSITION_10 = YEAR_RULES.indexOf('position-10');

/** The years that a VIN may mean under a layout; its letter repeats every 30 years. */
export class YearCandidates {
  first = 0;
  second = 0;
  count = 0;

  /**
   * Reads the candidates up to the last year that can have been coded.
   * @returns false when the letter means only years in which the layout was not used.
   */
  read(tables: WorldTables, profile: number, codes: Uint8Array, latest: number): boolean {
    this.count = 0;
    const rule = tables.profileYear[profile];
    if (rule === NO_RULE) return true;
    const year = YEAR_OF_CODE[codes[rule === POSITION_10 ? 9 : 10] as number] as number;
    if (year === 0 || year > latest) return true;
    const from = tables.profileFrom[profile] as number;
    const to = tables.profileTo[profile] as number;
    if (standing(from, to, year) > 0) this.#add(year);
    if (year + CYCLE <= latest && standing(from, to, year + CYCLE) > 0) this.#add(year + CYCLE);
    return this.count > 0;
  }

  #add(year: number): void {
    if (this.count++ === 0) this.first = year;
    else this.second = year;
  }

  /** The best standing of a window to any of the candidates; within it when there is none to compare. */
  standing(from: number, to: number): number {
    if (this.count === 0) return 2;
    const first = standing(from, to, this.first);
    return this.count === 1 ? first : Math.max(first, standing(from, to, this.second));
  }
}

/**
 * How a window stands to a year: 2 within it, 1 beside it (a model year begins in the year before, and sources name now
 * production and now model years), 0 outside.
 */
export function standing(from: number, to: number, year: number): number {
  if (year >= from && year <= to) return 2;
  return year >= from - 1 && year <= to + 1 ? 1 : 0;
}

/** Whether two windows have a year in common. */
export function overlap(fromA: number, toA: number, fromB: number, toB: number): boolean {
  return fromA <= toB && fromB <= toA;
}
