import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

import { sql } from 'kysely';

import { isRecord } from '../../records.ts';
import { SERVICE_VERSION } from '../../version.ts';
import { UnusableDatabaseError } from '../refusal.ts';
import type { Value } from '../conversion.ts';
import type { Database } from '../open.ts';

/** The format of the lines below. */
export const FORMAT = 1;

/** A line of a backup. Rows follow their `table`, in the order of its columns. */
export type Line =
  | { kind: 'header'; format: typeof FORMAT; version: number; engine: string; createdAtMs: number }
  | { kind: 'table'; table: string; columns: string[] }
  | { kind: 'row'; values: Value[] }
  | { kind: 'end'; rows: number };

/** Formats a line of a backup: rows as bare arrays, everything else as an object. */
export function lineText(line: Line): string {
  return `${JSON.stringify(line.kind === 'row' ? line.values : line)}\n`;
}

/** Longer than the row of the largest file that can be uploaded, however much of it JSON escapes. Characters. */
const LONGEST_LINE = 32_000_000;

/**
 * The longest first line, in characters: it identifies the file and is short, which exposes files that only look like a
 * backup.
 */
const LONGEST_HEADER = 1_000;

/**
 * Reads a backup line by line, never more than one line in memory, whatever its unpacked size.
 * @throws UnusableDatabaseError when the file is not a backup or is cut off.
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  // It is read twice; a pipe would wait for ever.
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new UnusableDatabaseError(`${file} is not a file: name one that db backup wrote.`);
  let rows = 0;
  let last: Line | undefined;
  try {
    for await (const text of textLines(file)) {
      const line = parseLine(text);
      if ((last === undefined) !== (line.kind === 'header'))
        throw new UnusableDatabaseError('its lines are out of order');
      if (last?.kind === 'end') throw new UnusableDatabaseError('it has lines after its end: restore another backup');
      last = line;
      if (line.kind === 'row') rows += 1;
      yield line;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabaseError(`${file} cannot be read as a backup: ${reason}.`, { cause: error });
  }
  if (last?.kind !== 'end' || last.rows !== rows)
    throw new UnusableDatabaseError(`${file} is cut off: nothing was restored.`);
}

/** Yields unpacked lines. `readline` would collect an endless line until memory is full. */
async function* textLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip()).setEncoding('utf8');
  source.on('error', (error) => unpacked.destroy(error));
  let mostChars = LONGEST_HEADER;
  let rest = '';
  try {
    for await (const chunk of unpacked) {
      const lines = String(chunk).split('\n');
      lines[0] = rest + (lines[0] ?? '');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.length > mostChars) throw new UnusableDatabaseError(`a line is longer than ${mostChars} characters`);
        mostChars = LONGEST_LINE;
        yield line;
      }
      if (rest.length > mostChars) throw new UnusableDatabaseError(`a line is longer than ${mostChars} characters`);
    }
    if (rest !== '') yield rest;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

function parseLine(text: string): Line {
  const value = parsed(text);
  if (Array.isArray(value)) {
    if (!value.every(isValue)) throw new UnusableDatabaseError('a row has a value that is neither text nor number');
    return { kind: 'row', values: value };
  }
  if (isRecord(value)) {
    const { kind, format, version, engine, createdAtMs, table, columns, rows } = value;
    if (kind === 'header') return { kind, ...headerOf(format, version, engine, createdAtMs) };
    if (kind === 'table' && isName(table) && Array.isArray(columns) && columns.every(isName))
      return { kind, table, columns };
    if (kind === 'end' && typeof rows === 'number') return { kind, rows };
  }
  throw new UnusableDatabaseError('a line is not a backup record');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnusableDatabaseError('a line is not JSON', { cause: error });
  }
}

function isValue(value: unknown): value is Value {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns a header, or refuses a format or a version that this program cannot know. */
function headerOf(format: unknown, version: unknown, engine: unknown, createdAtMs: unknown) {
  if (format !== FORMAT)
    throw new UnusableDatabaseError(
      `its format is ${JSON.stringify(format)}, and Marque ${SERVICE_VERSION} reads ${FORMAT}: restore it with the program that wrote it`,
    );
  if (!isCount(version) || version === 0) throw new UnusableDatabaseError('it names no version');
  if (engine !== 'sqlite' && engine !== 'postgres') throw new UnusableDatabaseError('it names no database engine');
  if (!isCount(createdAtMs)) throw new UnusableDatabaseError('it does not say when it was written');
  return { format: FORMAT, version, engine, createdAtMs } as const;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Converts a value of either engine to its form in a backup. */
export function plainValue(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`A backup has no place for a value of type ${typeof value}.`);
}

/** The table of applied migrations: a restore creates it again. */
const VERSIONS_TABLE = 'schema_versions';

/** Tables that a migration fills: a fresh database has rows there already, and a restore replaces them. */
export const SEEDED_TABLES: readonly string[] = ['audit_head'];

const NAMES = {
  sqlite: sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgres: sql`SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
};

/** Lists every table with data, by name; a partitioned table includes its partitions. */
export async function tablesOf({ engine, kysely }: Pick<Database, 'engine' | 'kysely'>): Promise<string[]> {
  const query = sql<{ name: string }>`SELECT name FROM (${NAMES[engine]}) AS names
    WHERE name <> ${VERSIONS_TABLE} ORDER BY name`;
  return (await query.execute(kysely)).rows.map(({ name }) => name);
}

/** Returns a name, quoted for a statement of either engine. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
