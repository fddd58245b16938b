import { readVin } from '@marque/decoder';

/** What is known of a file before its VINs are read. */
export type Layout =
  | { kind: 'found'; hasHeader: boolean; column: number; columnName: string }
  | { kind: 'not-found'; message: string };

/** Characters of a column's name that a message shows. */
const SHOWN = 40;

/** Names of the column in the languages that files come in. */
const VIN_NAME = /^(?:vin|vin[ _-]?(?:code|number|no|nr)|fin|fahrgestell.*|chassis.*|vehicle identification number)$/i;

/** Whether a column of this name holds VINs. */
export function isVinColumnName(name: string): boolean {
  return VIN_NAME.test(name.trim());
}

/** Rows that are looked at to find the column. */
export const LOOKED_AT = 100;

/**
 * Finds the column of VINs: the one that was asked for (by name, or by number from 1), else one of a known name, else the
 * one with most VINs. The first row is a header unless its cell in that column is a VIN. Pure.
 */
export function findLayout(rows: readonly (readonly string[])[], asked: string): Layout {
  const [first = []] = rows;
  const column = asked === '' ? guess(rows) : chosen(first, asked);
  if (column === undefined) {
    return {
      kind: 'not-found',
      message:
        asked === ''
          ? 'No column contains VINs. Enter the name or number of the column that does.'
          : `There is no column "${asked}". The first line has: ${first
              .slice(0, 12)
              .map((name) => name.slice(0, SHOWN))
              .join(', ')}.`,
    };
  }
  const hasHeader = !isVin(first[column] ?? '') && rows.length > 1;
  return { kind: 'found', hasHeader, column, columnName: hasHeader ? (first[column] ?? '') : `column ${column + 1}` };
}

function chosen(first: readonly string[], asked: string): number | undefined {
  const named = first.findIndex((name) => name.trim().toLowerCase() === asked.toLowerCase());
  if (named >= 0) return named;
  const number = Number(asked);
  return Number.isInteger(number) && number >= 1 && number <= first.length ? number - 1 : undefined;
}

function guess(rows: readonly (readonly string[])[]): number | undefined {
  const [first = []] = rows;
  const named = first.findIndex(isVinColumnName);
  if (named >= 0) return named;
  const looked = rows.slice(0, LOOKED_AT);
  const columns = Math.max(0, ...looked.map((row) => row.length));
  const counts = Array.from(
    { length: columns },
    (_, column) => looked.filter((row) => isVin(row[column] ?? '')).length,
  );
  const most = Math.max(0, ...counts);
  return most === 0 ? undefined : counts.indexOf(most);
}

function isVin(text: string): boolean {
  return readVin(text).kind === 'vin';
}
