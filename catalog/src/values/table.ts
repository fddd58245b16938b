import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { csvLines } from '../csv.ts';
import { FACTS_ROOT } from '../root.ts';

/** A table of facts/values: cleaned key (see `keyOf`) to its row, in the file's order. */
export type Table<Column extends string> = ReadonlyMap<string, Readonly<Record<Column, string>>>;

/** Returns the folder of the reviewed tables. */
export function valuesFolder(): string {
  return join(FACTS_ROOT, 'values');
}

/** Returns a key that is equal for two spellings of one registry string: case and runs of blanks do not count. */
export function keyOf(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * Reads a table of facts/values whose first line must be exactly `columns`. The first `keys` columns identify a row.
 *
 * Throws where a line has another number of fields, a key is empty, or a key comes twice.
 */
export function readTable<const Column extends string>(
  file: string,
  columns: readonly Column[],
  keys = 1,
  key: (text: string) => string = keyOf,
): Table<Column> {
  const [head, ...lines] = csvLines(readFileSync(join(valuesFolder(), file), 'utf8'));
  if (head?.join() !== columns.join()) throw new Error(`${file}: the columns must be ${columns.join()}`);
  const table = new Map<string, Readonly<Record<Column, string>>>();
  for (const [index, fields] of lines.entries()) {
    const where = `${file}:${index + 2}`;
    if (fields.length !== columns.length) throw new Error(`${where}: ${fields.length} fields, not ${columns.length}`);
    const parts = fields.slice(0, keys).map(key);
    if (parts.some((part) => part === '')) throw new Error(`${where}: the key is empty`);
    if (table.has(parts.join('|'))) throw new Error(`${where}: the key ${parts.join(', ')} comes twice`);
    const row = Object.fromEntries(columns.map((column, i) => [column, fields[i] ?? '']));
    if (hasColumns(row, columns)) table.set(parts.join('|'), row);
  }
  return table;
}

function hasColumns<Column extends string>(
  row: Record<string, string>,
  columns: readonly Column[],
): row is Record<Column, string> {
  return columns.every((column) => column in row);
}

/** Returns a value made on first use and kept. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
