import { isVinColumnName } from './vin/names.ts';

type Rows = readonly (readonly string[])[];

/** The names stand at most this many rows below the first row: titles, dates and notes of reports come before them. */
export const LOWEST_NAMES = 20;

/** A longer text is a note, not a name. */
const LONGEST_NAME = 80;

/** A value as data has it: a number, a date, an amount, an address of mail. */
const VALUE = /^[+-]?[\d.,:/\s-]*\d[\d.,:/\s%€$£¥-]*$|@|^\d{4}-\d\d-\d\dT/;

/**
 * Returns the row of names: it has a known name over the VINs, or else is the first full row of texts above the first
 * VIN. -1: the table begins with data.
 *
 * @param found the first row with a VIN, or with what was one before it was damaged; -1: there is none.
 */
export function nameRowOf(rows: Rows, column: number, found: number): number {
  const cells = rows.map((row) => row[column] ?? '');
  const above = Math.min(found === -1 ? rows.length : found, LOWEST_NAMES);
  // The last of them: of two rows of names the lower one names each column. R leaves out the name over its row names.
  const known = rows.slice(0, above).findLastIndex((row, index) => {
    const isShort = row.length < (rows[found]?.length ?? row.length);
    return isVinColumnName(cells[index] ?? '') || (isShort && isVinColumnName(row[column - 1] ?? ''));
  });
  if (known !== -1) return known;
  const trimmed = rows.map((row) => row.map((cell) => cell.trim()));
  const widest = Math.max(0, ...trimmed.map(filled));
  const texts = trimmed
    .slice(0, above)
    .map((row, index) => (isNames(row, trimmed.slice(index + 1), column, widest) ? filled(row) : 0));
  const most = Math.max(0, ...texts);
  return most === 0 ? -1 : texts.indexOf(most);
}

/** Returns the number of cells that are not empty. */
function filled(row: readonly string[]): number {
  return row.filter((cell) => cell !== '').length;
}

/**
 * Returns true if a row above the first VIN has names: texts, none of which is repeated below it in its column.
 *
 * @param widest the most cells that are not empty in a row.
 */
function isNames(texts: readonly string[], below: Rows, column: number, widest: number): boolean {
  const named = texts.filter((text) => text !== '');
  if (named.some((text) => text.length > LONGEST_NAME || VALUE.test(text))) return false;
  // Rows below names are as wide: a title is alone in its row.
  if (named.length * 2 < widest) return false;
  const isRepeated = texts.some((text, place) => text !== '' && below.some((other) => other[place] === text));
  return !isRepeated && ((texts[column] ?? '') !== '' || named.length > 1);
}

/** Returns the names of all columns; undefined: there is no row of names. */
export function namesFrom(rows: Rows, nameRow: number, column: number): string[] | undefined {
  const row = rows[nameRow];
  if (row === undefined) return undefined;
  const data = rows.slice(nameRow + 1);
  const width = Math.max(row.length, ...data.map((cells) => cells.length));
  const shift = isOneShort(row, data, column) ? 1 : 0;
  const upper = rows[nameRow - 1];
  // Over a column whose lower name is empty, the upper one of two rows of names is its name.
  const isSecond = upper !== undefined && upper.length > 1 && filled(upper.map((name) => name.trim())) > 1;
  return Array.from({ length: width }, (_, place) => {
    const name = row[place - shift] ?? '';
    return name.trim() === '' && isSecond ? (upper[place - shift] ?? '') : name;
  });
}

/** Returns true if the names lack that of the first column, as R writes a table with the names of its rows. */
function isOneShort(row: readonly string[], data: Rows, column: number): boolean {
  if (data.length === 0 || data.some((cells) => cells.length !== row.length + 1)) return false;
  if (isVinColumnName(row[column] ?? '')) return false;
  if (isVinColumnName(row[column - 1] ?? '')) return true;
  // A delimiter at the end of each row makes an empty last column.
  if (data.every((cells) => (cells.at(-1) ?? '') === '')) return false;
  return new Set(data.map(([first]) => first)).size === data.length;
}
