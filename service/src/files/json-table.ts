import { setImmediate } from 'node:timers/promises';

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
import { refuseCostlyJson } from '../kernel/http/json-shape.ts';
import type { FileContent } from './read-file.ts';

/** Lines between which others get their turn. */
const LINES_A_TURN = 500;

/**
 * Returns the table in a text of JSON Lines: a column for each field, in the order in which they first occur.
 *
 * @throws TableError when a line is not JSON, or there are too many fields; HttpError when a line takes long to parse.
 */
export async function tableOfJsonLines(
  text: string,
  encoding: string,
): Promise<Extract<FileContent, { kind: 'rows' }>> {
  const read: { line: number; value: JsonLine }[] = [];
  const places = new Map<string, number>();
  for (const [index, json] of text.split(/\r\n?|\n/).entries()) {
    const line = index + 1;
    if (line % LINES_A_TURN === 0) await setImmediate();
    refuseCostlyJson(json);
    const value = readJsonLine(json, line);
    if (value === undefined) continue;
    read.push({ line, value });
    for (const field of fieldsOf(value)) if (!places.has(field)) places.set(field, places.size);
    if (places.size > CSV_BOUNDS.columns) {
      throw new TableError(
        `Up to line ${line}, the objects have more than ${CSV_BOUNDS.columns} fields. Send only those that you need.`,
      );
    }
  }
  const names = [...places.keys()];
  const rows: Row[] = [];
  for (const { line, value } of read) {
    if (rows.length % LINES_A_TURN === 0) await setImmediate();
    rows.push({ line, cells: names.map((name) => cellOf(name, valueIn(value, name))) });
  }
  const kinds: ColumnKind[] = [];
  for (const name of names) {
    await setImmediate();
    kinds.push(kindOf(read.map(({ value }) => valueIn(value, name))));
  }
  return { kind: 'rows', form: 'JSON Lines', encoding, names, kinds, rows };
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

/** Returns the kind of a field: numbers and booleans keep theirs if all values of a field are alike. */
function kindOf(values: readonly unknown[]): ColumnKind {
  const present = values.filter((value) => value !== null && value !== undefined && value !== '');
  if (present.length === 0) return 'text';
  if (present.every((value) => typeof value === 'boolean')) return 'boolean';
  return present.every((value) => typeof value === 'number' && fitsSpreadsheet(String(value))) ? 'double' : 'text';
}
