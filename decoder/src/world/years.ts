import { YEAR_CYCLE, yearOfCode } from '../vin/year-codes.ts';
import { CHAR_CODE_OF } from '../vin/characters.ts';
import { YEAR_RULES } from '../report/world-fields.ts';
import type { WorldTables } from './tables.ts';

const NO_RULE = YEAR_RULES.indexOf('none');
const POSITION_10 = YEAR_RULES.indexOf('position-10');

/** Years from the first to the last. */
export interface YearWindow {
  from: number;
  to: number;
}

/** The years that a VIN may mean under a layout; its letter repeats every 30 years. */
export class YearCandidates {
  first = 0;
  second = 0;
  count = 0;
  /** True if the only candidate is the year of a registration. */
  #isRegistration = false;

  /**
   * Reads the candidates up to the last year that can have been coded.
   * @returns false when the letter means only years in which the layout was not used.
   */
  read(tables: WorldTables, layout: number, codes: Uint8Array, latest: number): boolean {
    this.count = 0;
    this.#isRegistration = false;
    const rule = tables.layoutYear[layout];
    if (rule === NO_RULE) return true;
    const year = yearOfCode(CHAR_CODE_OF[codes[rule === POSITION_10 ? 9 : 10] as number] ?? 0);
    if (year === 0 || year > latest) return true;
    const from = tables.layoutFrom[layout] as number;
    const to = tables.layoutTo[layout] as number;
    if (fit(from, to, year) > 0) this.#add(year);
    if (year + YEAR_CYCLE <= latest && fit(from, to, year + YEAR_CYCLE) > 0) this.#add(year + YEAR_CYCLE);
    return this.count > 0;
  }

  /**
   * Keeps the years that a hint allows; if the VIN gives none, the hinted year counts. A car may be of the model year
   * after its registration.
   */
  narrow(hinted: number, isRegistration: boolean): void {
    if (this.count === 0) {
      this.#add(hinted);
      this.#isRegistration = isRegistration;
      return;
    }
    if (this.count === 1) return;
    const [first, second] = [Math.abs(this.first - hinted), Math.abs(this.second - hinted)];
    this.count = 1;
    if (second < first) this.first = this.second;
  }

  /** Keeps the one of two years that is in a window, if the other is not. */
  within({ from, to }: YearWindow): void {
    if (this.count !== 2) return;
    const [first, second] = [this.first, this.second].map((year) => year >= from && year <= to);
    if (first === second) return;
    this.count = 1;
    if (second === true) this.first = this.second;
  }

  #add(year: number): void {
    if (this.count++ === 0) this.first = year;
    else this.second = year;
  }

  /** Returns the best fit of a window to any of the candidates; within it when there is none to compare. */
  fit(from: number, to: number): number {
    if (this.count === 0) return 2;
    if (this.#isRegistration && this.first + 1 === from) return 1;
    const first = fit(from, to, this.first);
    return this.count === 1 ? first : Math.max(first, fit(from, to, this.second));
  }
}

/**
 * Returns the relation of a window to a year: 2 within it, 1 in the year after it (the model year of cars built in the
 * last months of a window of production), 0 outside.
 */
export function fit(from: number, to: number, year: number): number {
  if (year >= from && year <= to) return 2;
  return year === to + 1 ? 1 : 0;
}

/** Returns true if two windows have a year in common. */
export function overlap(fromA: number, toA: number, fromB: number, toB: number): boolean {
  return fromA <= toB && fromB <= toA;
}
