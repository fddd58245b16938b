import { readVin } from '@marque/decoder';

import { readVinCell } from './vin/cell.ts';
import { isVinColumnName } from './vin/names.ts';
import { damageIn } from './vin/spreadsheet.ts';
import { LOWEST_NAMES, nameRowOf, namesFrom } from './header.ts';

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

/** The layout of a table, found before its VINs are read. */
export type Layout = TableLayout | { kind: 'not-found'; message: string };

/** Rows that are looked at to find the column. */
export const LOOKED_AT = 100;

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
export function findLayout(rows: readonly (readonly string[])[], asked: string, known?: readonly string[]): Layout {
  const all = known === undefined ? rows : [known, ...rows];
  const weights = weightsOf(all);
  const place = asked === '' ? bestPlace(all, weights) : chosen(all, weights, asked);
  if (place === undefined) return { kind: 'not-found', message: notFound(all, asked) };
  const { column } = place;
  if (known !== undefined) {
    return { kind: 'found', column, columnName: known[column]?.trim() || numbered(column), names: known, firstRow: 0 };
  }
  const nameRow = place.nameRow ?? nameRowOf(rows, column, isVinLike);
  const names = namesFrom(rows, nameRow, column);
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

/** Returns the weight of each column: what its cells say together. */
function weightsOf(rows: readonly (readonly string[])[]): number[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    const isNamed = cells.some(isVinColumnName);
    return cells.reduce((sum, cell) => sum + weightOf(cell, isNamed), 0);
  });
}

function weightOf(cell: string, isNamed: boolean): number {
  if (cell.length < 11) return 0;
  const form = readVin(cell);
  if (form.kind === 'vin' && USUAL.test(form.vin) && damageIn(cell.trim()) === undefined) return WEIGHTS.vin;
  const found = readVinCell(cell);
  if (found.kind === 'vin' && !isVinColumnName(cell)) return form.kind === 'vin' ? WEIGHTS.form : WEIGHTS.within;
  // A column of other numbers looks the same: its name has to say that it is the one.
  return isNamed && isVinLike(cell) ? WEIGHTS.damaged : 0;
}

/** Returns true if a cell is a VIN, or was one: it is not the name of a column. */
function isVinLike(cell: string): boolean {
  if (isVinColumnName(cell)) return false;
  const text = cell.trim();
  return readVinCell(text).kind === 'vin' || NEARLY.test(text) || (/\d/.test(text) && damageIn(text) !== undefined);
}

function bestPlace(rows: readonly (readonly string[])[], weights: readonly number[]): Place | undefined {
  const most = Math.max(0, ...weights);
  const isNamed = (column: number): boolean => rows.some((row) => isVinColumnName(row[column] ?? ''));
  const good = [...weights.keys()].filter((column) => most === 0 || (weights[column] ?? 0) >= most * AS_GOOD);
  const named = good.filter(isNamed);
  const among = named.length > 0 || most === 0 ? named : good;
  const [column] = among.toSorted((left, right) => (weights[right] ?? 0) - (weights[left] ?? 0) || left - right);
  return column === undefined ? undefined : { column };
}

/**
 * Returns the column of a name, or of a number from 1. Where the names are one short, the contents say which one is
 * meant.
 */
function chosen(rows: readonly (readonly string[])[], weights: readonly number[], asked: string): Place | undefined {
  const wanted = plainName(asked);
  for (const [nameRow, row] of rows.slice(0, LOWEST_NAMES).entries()) {
    const column = row.findIndex((name) => plainName(name) === wanted);
    if (column >= 0) {
      const isShort = row.length === weights.length - 1;
      const isNext = isShort && (weights[column + 1] ?? 0) > (weights[column] ?? 0);
      return { column: isNext ? column + 1 : column, nameRow };
    }
    // There are no names below the first VIN.
    if (row.some(isVinLike)) break;
  }
  const number = Number(asked);
  return Number.isInteger(number) && number >= 1 && number <= weights.length ? { column: number - 1 } : undefined;
}

/** Returns a name as people type it again. */
function plainName(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function notFound(rows: readonly (readonly string[])[], asked: string): string {
  if (asked === '') return 'No column contains VINs. Name the column that does, or give its number.';
  const widest = Math.max(0, ...rows.slice(0, SHOWN_NAMES).map((row) => row.length));
  const names = rows.find((row) => row.length >= widest - 1) ?? [];
  const shown = names.slice(0, SHOWN_NAMES).map((name) => name.trim().slice(0, SHOWN));
  return `There is no column "${asked}". The columns are: ${shown.join(', ')}${names.length > SHOWN_NAMES ? ', …' : ''}.`;
}
