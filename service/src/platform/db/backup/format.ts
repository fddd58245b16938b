import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

import { DatabaseRefusal } from '../refusal.ts';

/** A value as both engines take it: times are ISO 8601 texts, flags 0 and 1. */
export type Value = string | number | null;

/** A line of a backup. Rows stand under the last `table`, in the order of its columns. */
export type Line =
  | { kind: 'header'; format: 1; version: number; engine: string; createdAtMs: number }
  | { kind: 'table'; table: string; columns: string[] }
  | { kind: 'row'; values: Value[] }
  | { kind: 'end'; rows: number };

/** Writes a line as a backup holds it: rows as bare arrays, everything else as an object. */
export function lineText(line: Line): string {
  return `${JSON.stringify(line.kind === 'row' ? line.values : line)}\n`;
}

/**
 * Reads a backup line by line.
 * @throws DatabaseRefusal when the file is not a backup or is cut off.
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on('error', (error) => text.destroy(error));
  let rows = 0;
  let last: Line | undefined;
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
      last = parseLine(line);
      if (last.kind === 'row') rows += 1;
      yield last;
    }
  } catch (error) {
    throw new DatabaseRefusal(`${file} cannot be read as a backup: ${String(error)}`, { cause: error });
  }
  if (last?.kind !== 'end' || last.rows !== rows)
    throw new DatabaseRefusal(`${file} is cut off: nothing was restored.`);
}

function parseLine(text: string): Line {
  const value: Value[] | Exclude<Line, { kind: 'row' }> = JSON.parse(text);
  return Array.isArray(value) ? { kind: 'row', values: value } : value;
}

/** A value of either engine as a backup holds it. */
export function plainValue(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`A backup has no place for a value of type ${typeof value}.`);
}
