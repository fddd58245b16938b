import { type Row, TableError } from '@marque/catalog/tables';

/**
 * The largest content of a file, unpacked. The XML of a workbook is read in pieces, so that it may be longer than what
 * is in memory: 200,000 rows of six columns are 75 MB.
 */
export const UNPACKED_BOUNDS = {
  bytes: 64_000_000,
  xmlBytes: 128_000_000,
  values: 10_000_000,
  characters: 32_000_000,
} as const;

/** Returns a file, or what of it is named, that is larger unpacked than it may be. */
export function tooLarge(what = 'The file'): TableError {
  return new TableError(
    `${what} is too large when it is unpacked. Send only the columns that you need, or send it in parts.`,
  );
}

/**
 * Returns the first rows that have any text. No VIN has a NUL, and PostgreSQL cannot store one. @throws TableError
 * beyond the bounds.
 */
export function filledRows(rows: Iterable<Row>, most: number): Row[] {
  const filled: Row[] = [];
  let characters = 0;
  for (const { line, cells } of rows) {
    if (filled.length >= most) break;
    if (!cells.some((cell) => cell !== '')) continue;
    characters += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (characters > UNPACKED_BOUNDS.characters) throw tooLarge();
    filled.push({ line, cells: cells.map((cell) => cell.replaceAll('\0', '')) });
  }
  return filled;
}
