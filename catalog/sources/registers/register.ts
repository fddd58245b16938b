import type { SpecMarket } from '@marque/decoder/format';

import type { SpecRow } from '../../src/specs/columns.ts';
import type { SpecFlag } from '../../src/specs/load.ts';
import { squash } from '../specs/names.ts';
import type { RecordFormat } from '../specs/records.ts';

export type Values = Omit<Partial<SpecRow>, 'make' | 'model' | 'from' | 'to'>;

/** The values of one vehicle or variant in a register's record, in its own names. */
export interface RegisterEntry {
  make: string;
  model: string;
  values: Values;
  /**
   * Years in which such cars were built or sold; for a single car the years that its model year may be; absent if the
   * source lacks them.
   */
  years?: { from: number; to: number };
  /** Patterns over the VIN that the record covers: 17 characters, "." for any. */
  masks?: readonly string[];
  /** Bodies that the record's own word may mean; the VIN may decide between them. */
  bodies?: readonly string[];
  /** All gearboxes that the record allows, where it is a type's: an empty text is one of a kind that is not known. */
  gearboxes?: readonly string[];
  /**
   * The VIN as far as the register gives it: 10, 11 or all 17 characters. It is counted by its pattern and forgotten.
   */
  vin?: string;
  /** The first and the last VIN that the record is about, where it is about a range of them. */
  range?: { first: string; last: string };
  /** The number of vehicles of the record; 1 if absent. */
  vehicles?: number;
}

/** Facts about the file of a record. */
export interface FileFacts {
  /** The year in the file's name, where it has exactly one; else 0. */
  year: number;
}

/**
 * The rules for reading an official register. Values of a variant are read; those of a single vehicle (plates,
 * distances) are not.
 */
export interface Register {
  title: string;
  publisher: string;
  market: SpecMarket;
  licence: string;
  /** The address of the download. */
  url: string;
  /**
   * Properties of its table for the decoder, as in the column `flags` of facts/specs/sources.csv for packaged tables.
   */
  flags?: readonly SpecFlag[];
  /** The names that columns have had, by their content. Case, blanks, signs and accents do not count. */
  columns: Readonly<Record<string, readonly string[]>>;
  /** Columns without which the file is another one. */
  required: readonly string[];
  /** Vehicles fewer than this are slips of a clerk's pen. */
  fewest: number;
  /** The format of its files, if their bytes and their header do not decide it. */
  format?: RecordFormat;
  /** The names and widths of its fields, where lines are cut by width and have no header. */
  layout?: readonly (readonly [name: string, width: number])[];
  /** The element of one vehicle, where its files are XML: then columns are elements within it. */
  record?: string;
  /** The numbers of characters of a VIN that it may give; 17, if absent. */
  vinLengths?: readonly number[];
  /** The things counted in it; cars, if absent. */
  counts?: string;
  /** Contents that are not used, and why, in sentences. */
  notTaken: readonly string[];
  /** Returns the entry, or why the record is not taken, in words. */
  read(text: (column: string) => string, file: FileFacts): RegisterEntry | string;
}

/** VINs as we know them begin in 1980; years before it are of others, or slips. */
const FIRST_YEAR = 1978;

/** Between the texts of an element that a record has several times. */
export const SEVERAL = '|';

/** Returns a register with its columns' names checked by the compiler. */
export function register<Column extends string>(
  source: Omit<Register, 'columns' | 'required' | 'read'> & {
    columns: Readonly<Record<Column, readonly string[]>>;
    required: readonly NoInfer<Column>[];
    read(text: (column: NoInfer<Column>) => string, file: FileFacts): RegisterEntry | string;
  },
): Register {
  return source;
}

/** Returns the places of a register's columns in a header, first come first; and the missing ones of those required. */
export function locate(
  { columns, required }: Register,
  header: readonly string[],
): { places: ReadonlyMap<string, number>; missing: string[] } {
  const squashed = header.map(squash);
  const places = new Map<string, number>();
  for (const [column, names] of Object.entries(columns)) {
    const place = names.map((name) => squashed.indexOf(squash(name))).find((at) => at >= 0);
    if (place !== undefined) places.set(column, place);
  }
  const missing = required.filter((column) => !places.has(column)).map((column) => columns[column]?.[0] ?? column);
  return { places, missing };
}

/** The European mass in running order counts a driver of 75 kg (Regulation (EU) 2018/858), a curb weight does not. */
export const DRIVER_KG = 75;

/**
 * Returns a whole number above zero, scaled; commas are of thousands where three digits follow each, else of decimals.
 */
export function number(text: string, scale = 1): number | undefined {
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.');
  const value = Math.round(Number(plain) * scale);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

export function less(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : value - by;
}

/** Returns the year of a date as registers write it: 20170301, 2017-03-01, 01.03.2017; 0 if it is not a date. */
export function yearOf(date: string): number {
  return Number(/^\d{4}(?=\d{4}$|-|$)/.exec(date)?.[0] ?? /(?<=^\d{1,2}\.\d{1,2}\.)\d{4}$/.exec(date)?.[0] ?? 0);
}

/**
 * Returns the Euro norm of a text such as "EURO 6EB", "=6EB" or "Euro 5"; the letters behind the number are a matter of
 * dates.
 */
export function euroNorm(text: string): string | undefined {
  const level = /^(?:EURO\s*|=\s*)?([1-6])(?![\d.,])/i.exec(text)?.[1];
  return level === undefined ? undefined : `Euro ${level}`;
}

/** Cars are registered in the year that they were built or in the next. */
export function sinceYearBefore(year: number): { from: number; to: number } {
  return { from: year - 1, to: year };
}

/**
 * Returns the model years of cars that were built from one year to another: a model year begins in the year before.
 * Empty if a year is missing.
 */
export function builtBetween(from: number, to: number): Pick<RegisterEntry, 'years'> {
  return from >= FIRST_YEAR && to >= from ? { years: { from, to: to + 1 } } : {};
}

/** Returns the same of a car that was first registered in a year: some stand at a dealer's for two. */
export function registeredIn(year: number): Pick<RegisterEntry, 'years'> {
  return year >= FIRST_YEAR ? { years: { from: year - 2, to: year + 1 } } : {};
}

/** Returns a kind of gearbox with its speeds where they make sense. */
export function geared(kind: string | undefined, speeds: string): string | undefined {
  const count = Number(speeds);
  return kind === undefined || kind.includes('CVT') || !(count > 1 && count < 13) ? kind : `${kind}, ${count}-speed`;
}
