import {
  isVinColumnName,
  type JsonLine,
  jsonText,
  LongNumber,
  readJsonLine,
  type Row,
  TableError,
  VIN_FIELD,
} from '@marque/catalog/tables';

import { CSV_BOUNDS } from '../kernel/csv/read.ts';
import { type ColumnKind, fitsSpreadsheet } from '../kernel/csv/kinds.ts';
import { type JsonBounds, refuseCostlyJson } from '../kernel/http/json-shape.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';
import { type FileContent, tooManyRows } from './read-file.ts';

/** Lines, and characters of them, between which others get their turn. */
const LINES_A_TURN = 500;
const CHARACTERS_A_TURN = 65_536;

/** Characters of a line: a row has at most 65,536, and each may be written with six. */
const LINE_CHARACTERS = 524_288;

/**
 * Bounds of a list of VINs. 4 MB of empty objects would block the event loop for over a second; 200,000 VINs stay far
 * below.
 */
export const LIST_BOUNDS: JsonBounds = { depth: 64, containers: 5_000, names: 10_000, values: 250_000 };

/** Bounds of a line: keeping the digits of long numbers takes a microsecond for each value of their line. */
const LINE_BOUNDS: JsonBounds = { ...LIST_BOUNDS, values: 10_000 };

/**
 * Cells of a table, with empty ones: a field in one line makes a cell in every row. CSV of 10 MB has up to twice as
 * many.
 */
const MOST_CELLS = 5_000_000;

/**
 * Returns the table in a text of JSON Lines: a column for each field, in the order in which they first occur. Each row
 * is made when it is taken, so that no more than the text is kept in memory.
 *
 * @throws TableError when a line is not JSON, or there are no rows, or too many rows, fields or cells; HttpError when a
 * line takes long to parse.
 */
export async function tableOfJsonLines(
  text: string,
  encoding: string,
  mostRows: number,
  turn: NextTurn = anyTurn,
): Promise<Extract<FileContent, { kind: 'rows' }>> {
  const fields = new Map<string, SeenValues>();
  let [line, count] = [0, 0];
  for await (const lines of linesOf(text, turn)) {
    for (const json of lines) {
      line += 1;
      if (json.length > LINE_CHARACTERS) throw tooLongLine(line);
      refuseCostlyJson(json, LINE_BOUNDS, `Line ${line}`);
      const value = readJsonLine(json, line);
      if (value === undefined) continue;
      count += 1;
      for (const field of fieldsOf(value)) see(fields, field, valueIn(value, field));
      refuseLarge({ line, count, fields: fields.size, mostRows });
    }
  }
  if (count === 0) throw new TableError('The body is empty.');
  const names = [...fields.keys()];
  const rows = { [Symbol.asyncIterator]: () => rowsOf(text, names, turn) };
  return { kind: 'rows', form: 'JSON Lines', encoding, names, kinds: [...fields.values()].map(kindOf), rows };
}

/** Refuses a table at the first line that makes it too large. */
function refuseLarge({
  line,
  count,
  fields,
  mostRows,
}: Record<'line' | 'count' | 'fields' | 'mostRows', number>): void {
  if (fields > CSV_BOUNDS.columns) {
    throw new TableError(
      `Up to line ${line}, the objects have more than ${CSV_BOUNDS.columns} fields. Send only those that you need.`,
    );
  }
  if (count > mostRows) throw new TableError(tooManyRows(mostRows));
  if (count * fields > MOST_CELLS) {
    throw new TableError(
      `Up to line ${line}, there are ${count} rows with ${fields} fields, and a table has at most ${MOST_CELLS} cells. Send only the fields that you need, or send it in parts.`,
    );
  }
}

function tooLongLine(line: number): TableError {
  return new TableError(
    `Line ${line} has more than ${LINE_CHARACTERS} characters. Send only the fields that you need.`,
  );
}

/** Yields the lines of a text, some in each turn of the event loop, however many of them are blank. */
async function* linesOf(text: string, turn: NextTurn): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let characters = 0;
  for (const line of eachLine(text)) {
    if (lines.length >= LINES_A_TURN || characters + line.length > CHARACTERS_A_TURN) {
      yield lines;
      await turn();
      [lines, characters] = [[], 0];
    }
    lines.push(line);
    characters += line.length;
  }
  yield lines;
}

function* eachLine(text: string): Generator<string> {
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    yield text.slice(from, index);
    from = index + end.length;
  }
  yield text.slice(from);
}

/** Yields the rows of a text whose lines have been read before. */
async function* rowsOf(text: string, names: readonly string[], turn: NextTurn): AsyncGenerator<Row> {
  let line = 0;
  for await (const lines of linesOf(text, turn)) {
    for (const json of lines) {
      line += 1;
      const value = readJsonLine(json, line);
      if (value !== undefined) yield { line, cells: names.map((name) => cellOf(name, valueIn(value, name))) };
    }
  }
}

/** Returns the text of a value. A long number keeps its digits where it is not taken for a VIN by its name. */
function cellOf(name: string, value: unknown): string {
  return value instanceof LongNumber && !isVinColumnName(name) ? value.digits : jsonText(value);
}

function fieldsOf(value: JsonLine): string[] {
  return value.kind === 'vin' ? [VIN_FIELD] : Object.keys(value.object);
}

function valueIn(value: JsonLine, name: string): unknown {
  if (value.kind === 'object') return Object.hasOwn(value.object, name) ? value.object[name] : undefined;
  return name === VIN_FIELD ? value.text : undefined;
}

/** The values of a field so far, without empty ones. */
interface SeenValues {
  isAny: boolean;
  areBooleans: boolean;
  areNumbers: boolean;
}

function see(fields: Map<string, SeenValues>, field: string, value: unknown): void {
  const seen = fields.get(field) ?? { isAny: false, areBooleans: true, areNumbers: true };
  fields.set(field, seen);
  if (value === null || value === undefined || value === '') return;
  seen.isAny = true;
  seen.areBooleans &&= typeof value === 'boolean';
  seen.areNumbers &&= typeof value === 'number' && fitsSpreadsheet(String(value));
}

/** Returns the kind of a field: numbers and booleans keep theirs if all values of a field are alike. */
function kindOf({ isAny, areBooleans, areNumbers }: SeenValues): ColumnKind {
  if (!isAny) return 'text';
  if (areBooleans) return 'boolean';
  return areNumbers ? 'double' : 'text';
}
