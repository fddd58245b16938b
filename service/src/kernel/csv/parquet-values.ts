import type { valueOf } from './cells.ts';

/** The value of a cell, as `valueOf` makes it. */
export type ParquetValue = ReturnType<typeof valueOf>;

/** The different values of a column of texts or doubles, each of which has a number; 0 stands for none. */
export class ValueList {
  /** By their numbers less one. */
  readonly values: ParquetValue[] = [];
  readonly #numbers = new Map<ParquetValue, number>();

  numberOf(value: ParquetValue): number {
    if (value === null) return 0;
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = this.values.push(value)));
    return number;
  }
}

/** A column whose values come again and again: its rows have their numbers. */
export interface NumberedColumn {
  list: ValueList;
  numbers: Uint32Array;
}
