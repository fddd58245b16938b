import { readVin } from '@marque/decoder';

import { readVinCell } from './vin/cell.ts';
import { isVinColumnName } from './vin/names.ts';
import { damageIn } from './vin/spreadsheet.ts';
import { LOWEST_NAMES, nameRowOf, namesFrom } from './header.ts';
import { endOf, StepLength, type Steps } from './steps.ts';

/** The places of a table's VINs and names. */
export interface TableLayout {
  kind: 'found';
  /** The column of VINs, from 0. */
  column: number;
  columnName: string;
  /** Names of all columns; empty where one has none. Undefined: the table has no names. */
  names: readonly string[] | undefined;
  /** The first row of data, from 0, of the rows that were looked at. Those before it are titles and names. */
  firstRow: number;
}

type Rows = readonly (readonly string[])[];

/** The layout of a table, found before its VINs are read. */
export type Layout = TableLayout | { kind: 'not-found'; message: string };

/** Rows that are looked at to find the column. */
export const LOOKED_AT = 100;

/**
 * Characters of the rows that are looked at: a wide table shows its column in fewer rows. So many rows are looked at in
 * any case.
 */
const LOOKED_AT_CHARACTERS = 100_000;
const LEAST_ROWS = 2;

/** Characters of a cell with a VIN: beside it there may be the text of a label, or the bytes of a device. */
const SHORTEST = 11;
const LONGEST = 1_000;

/** Digits that the text of a VIN has: it ends in three (ISO 3779). */
const LEAST_DIGITS = 3;

/** Characters of a column's name that a message shows. */
const SHOWN = 40;
const SHOWN_NAMES = 12;

/** The share of the best column's weight from which another column of VINs is as good, so that the names decide. */
const AS_GOOD = 0.75;

/** The weight of a cell as evidence that its column is the one of VINs. */
const WEIGHTS = { vin: 4, form: 3, within: 2, damaged: 1 } as const;

/** Nearly all VINs: 17 characters that end in three digits. */
const USUAL = /^[A-HJ-NPR-Z0-9]{14}\d{3}$/;

/** Matches a text that may be a mistyped VIN. */
const NEARLY = /^(?=(?:.*\d){3})[A-Z0-9]{15,18}$/i;

/**
 * Finds the column of VINs and the row of names. Contents decide: the column whose cells are VINs; of several alike the
 * one with a known name. A requested column, by name or by number from 1, is taken as it is. Pure.
 *
 * @param rows the first rows that have any text, `LOOKED_AT` at most.
 * @param asked empty: none.
 * @param known the names of the columns, if the form of the file has them apart from the rows.
 */
export function findLayout(rows: Rows, asked: string, known?: readonly string[]): Layout {
  return endOf(layoutSteps(rows, asked, known));
}

/** Finds it in steps. */
export function* layoutSteps(rows: Rows, asked: string, known?: readonly string[]): Steps<Layout> {
  const looked = withinBounds(rows);
  const all = known === undefined ? looked : [known, ...looked];
  const named = yield* namedColumns(all);
  const weights = yield* weightsOf(all, named);
  const place =
    asked === '' ? bestPlace(weights, named) : yield* chosen(known === undefined ? looked : [known], weights, asked);
  if (place === undefined) return { kind: 'not-found', message: notFound(all, asked) };
  const { column } = place;
  if (known !== undefined) {
    return { kind: 'found', column, columnName: known[column]?.trim() || numbered(column), names: known, firstRow: 0 };
  }
  const nameRow =
    place.nameRow ?? nameRowOf(looked, column, yield* firstVinLike(looked.map((row) => row[column] ?? '')));
  const names = namesFrom(looked, nameRow, column);
  const columnName = names?.[column]?.trim() || numbered(column);
  return { kind: 'found', column, columnName, names, firstRow: nameRow + 1 };
}

function numbered(column: number): string {
  return `column ${column + 1}`;
}

/** The place of a column, and the row of its name if that is known. */
interface Place {
  column: number;
  nameRow?: number;
}

/** Returns the first rows, as many as can be looked at in a short time. */
function withinBounds(rows: Rows): Rows {
  let characters = 0;
  const end = rows.findIndex((row, index) => {
    characters += row.reduce((sum, cell) => sum + cell.length + 1, 0);
    return index >= LEAST_ROWS && characters > LOOKED_AT_CHARACTERS;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** Returns true for the columns that have a known name in one of the rows that may have names. */
function* namedColumns(rows: Rows): Steps<boolean[]> {
  const named = Array<boolean>(Math.max(0, ...rows.map((row) => row.length))).fill(false);
  const length = new StepLength();
  for (const row of rows.slice(0, LOWEST_NAMES + 1)) {
    for (const [column, cell] of row.entries()) {
      if (length.add(cell)) yield;
      if (isVinColumnName(cell)) named[column] = true;
    }
  }
  return named;
}

/** Returns the weight of each column: what its cells say together. */
function* weightsOf(rows: Rows, named: readonly boolean[]): Steps<number[]> {
  const weights = named.map(() => 0);
  const length = new StepLength();
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      if (length.add(cell)) yield;
      weights[column] = (weights[column] ?? 0) + weightOf(cell, named[column] ?? false);
    }
  }
  return weights;
}

function weightOf(cell: string, isNamed: boolean): number {
  if (cell.length < SHORTEST || cell.length > LONGEST || !(isNamed || mayHoldVin(cell))) return 0;
  const form = readVin(cell);
  if (form.kind === 'vin' && USUAL.test(form.vin) && damageIn(cell.trim()) === undefined) return WEIGHTS.vin;
  const found = readVinCell(cell);
  if (found.kind === 'vin' && !isVinColumnName(cell)) return form.kind === 'vin' ? WEIGHTS.form : WEIGHTS.within;
  // A column of other numbers looks the same: its name has to say that it is the one.
  return isNamed && isVinLike(cell) ? WEIGHTS.damaged : 0;
}

/** Returns false for most cells without a VIN, in less time than reading them takes. */
function mayHoldVin(cell: string): boolean {
  let [letters, digits] = [0, 0];
  for (let index = 0; index < cell.length; index++) {
    const code = cell.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) digits += 1;
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters += 1;
    // Full-width letters and digits, which a Japanese or Chinese keyboard writes.
    else if (code >= 0xff00) return true;
  }
  return letters + digits >= 17 && digits >= LEAST_DIGITS;
}

/** Returns true if a cell is a VIN, or was one: it is not the name of a column. */
function isVinLike(cell: string): boolean {
  if (isVinColumnName(cell)) return false;
  const text = cell.trim();
  return readVinCell(text).kind === 'vin' || NEARLY.test(text) || (/\d/.test(text) && damageIn(text) !== undefined);
}

/** Returns the index of the first cell that is a VIN, or was one; -1: there is none. */
function* firstVinLike(cells: readonly string[]): Steps<number> {
  const length = new StepLength();
  for (const [index, cell] of cells.entries()) {
    if (length.add(cell)) yield;
    if (isVinLike(cell)) return index;
  }
  return -1;
}

function bestPlace(weights: readonly number[], named: readonly boolean[]): Place | undefined {
  const most = weights.reduce((left, right) => Math.max(left, right), 0);
  const good = [...weights.keys()].filter((column) => most === 0 || (weights[column] ?? 0) >= most * AS_GOOD);
  const known = good.filter((column) => named[column]);
  const among = known.length > 0 || most === 0 ? known : good;
  const [column] = among.toSorted((left, right) => (weights[right] ?? 0) - (weights[left] ?? 0) || left - right);
  return column === undefined ? undefined : { column };
}

/**
 * Returns the column of a name, or of a number from 1. Where the names are one short, the contents say which one is
 * meant.
 */
function* chosen(rows: Rows, weights: readonly number[], asked: string): Steps<Place | undefined> {
  const wanted = plainName(asked);
  const number = Number(asked);
  const isNumber = Number.isInteger(number) && number >= 1 && number <= weights.length;
  // A number below the first row, or beside a VIN, is data.
  for (const [nameRow, row] of rows.slice(0, isNumber ? 1 : LOWEST_NAMES).entries()) {
    if (isNumber && (yield* firstVinLike(row)) !== -1) break;
    const column = yield* columnNamed(row, wanted);
    if (column >= 0) {
      const isShort = row.length === weights.length - 1;
      const isNext = isShort && (weights[column + 1] ?? 0) > (weights[column] ?? 0);
      return { column: isNext ? column + 1 : column, nameRow };
    }
    // There are no names below the first VIN.
    if ((yield* firstVinLike(row)) !== -1) break;
  }
  return isNumber ? { column: number - 1 } : undefined;
}

/** Returns the first column of a name; -1: none has it. */
function* columnNamed(row: readonly string[], wanted: string): Steps<number> {
  const length = new StepLength();
  for (const [column, name] of row.entries()) {
    if (length.add(name)) yield;
    if (plainName(name) === wanted) return column;
  }
  return -1;
}

/** Characters of a name up to which its compatibility forms are taken as one: normalizing long ones takes long. */
const LONGEST_NAME = 200;

/** Returns a name as people type it again. */
function plainName(name: string): string {
  return (name.length > LONGEST_NAME ? name : name.normalize('NFKC')).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function notFound(rows: Rows, asked: string): string {
  if (asked === '') return 'No column contains VINs. Name the column that does, or give its number.';
  const widest = Math.max(0, ...rows.slice(0, SHOWN_NAMES).map((row) => row.length));
  const names = rows.find((row) => row.length >= widest - 1) ?? [];
  const shown = names.slice(0, SHOWN_NAMES).map((name) => name.trim().slice(0, SHOWN));
  return `There is no column "${asked}". The columns are: ${shown.join(', ')}${names.length > SHOWN_NAMES ? ', …' : ''}.`;
}
