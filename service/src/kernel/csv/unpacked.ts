import { type Row, TableError } from '@marque/catalog/tables';

/**
 * The largest content of a file, unpacked: many times that of a file of `MOST_BYTES` with a row of text for each VIN.
 */
export const UNPACKED_BOUNDS = { bytes: 64_000_000, values: 10_000_000, characters: 16_000_000 } as const;

/** Returns a file that is larger unpacked than it may be. */
export function tooLarge(): TableError {
  return new TableError(
    'The file is too large when it is unpacked. Send only the columns that you need, or send it in parts.',
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
