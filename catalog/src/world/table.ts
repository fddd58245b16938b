import { Compile } from 'typebox/compile';

import { COLUMN_HELP, NUMBER_COLUMNS, TableRow } from './columns.ts';
import { readCsv } from '../csv.ts';
import type { Problem } from './problem.ts';

const checker = Compile(TableRow);

/** A valid row of a code table with its place. */
export interface ReadRow {
  /** File and line: "volkswagen/models.csv:12". */
  origin: string;
  row: TableRow;
}

/**
 * Reads a code table. Rows with faults are left out and reported.
 *
 * @param name the file's path in the facts folder, for messages
 * @param sources the keys that a `source` cell may name
 */
export function readTable(
  name: string,
  text: string,
  sources: ReadonlyMap<string, unknown>,
): { rows: ReadRow[]; problems: Problem[] } {
  const { header, rows } = readCsv(text);
  const problems: Problem[] = [];
  for (const [index, column] of header.entries()) {
    if (!Object.hasOwn(TableRow.properties, column)) {
      problems.push({ where: `${name}:1`, what: `no column is called "${column}"; there are: ${columnNames()}` });
    } else if (header.indexOf(column) < index) {
      problems.push({ where: `${name}:1`, what: `two columns are called "${column}": remove one` });
    }
  }
  if (problems.length > 0) return { rows: [], problems };
  const read: ReadRow[] = [];
  for (const { line, cells } of rows) {
    const origin = `${name}:${line}`;
    const row = toRow(header, cells);
    let faults: string[];
    if (cells.length !== header.length) faults = [cellCount(cells.length, header.length)];
    else if (checker.Check(row)) {
      faults = rowFaults(row, sources);
      if (faults.length === 0) read.push({ origin, row });
    } else faults = cellFaults(row);
    for (const what of faults) problems.push({ where: origin, what });
  }
  return { rows: read, problems };
}

function toRow(header: readonly string[], cells: readonly string[]): Record<string, string | number> {
  const row: Record<string, string | number> = {};
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '') continue;
    row[column] = NUMBER_COLUMNS.has(column) && Number.isFinite(Number(cell)) ? Number(cell) : cell;
  }
  return row;
}

function cellFaults(row: Record<string, string | number>): string[] {
  const faults: string[] = [];
  for (const column of ['positions', 'code', 'confidence', 'source']) {
    if (row[column] === undefined) faults.push(`the ${column} is missing: write ${COLUMN_HELP[column]}`);
  }
  const columns = new Set(checker.Errors(row).map((error) => error.instancePath.slice(1)));
  columns.delete('');
  for (const column of columns) {
    faults.push(`${column} "${row[column]}" is not allowed here: write ${COLUMN_HELP[column] ?? 'some text'}`);
  }
  return faults;
}

function rowFaults(row: TableRow, sources: ReadonlyMap<string, unknown>): string[] {
  const faults: string[] = [];
  for (const key of row.source.split('+')) {
    if (!sources.has(key)) faults.push(`source "${key}" is not in sources.csv: add it there or mend the key`);
  }
  if (row.from !== undefined && row.to !== undefined && row.from > row.to) {
    faults.push(`the years run backwards: from ${row.from} to ${row.to}`);
  }
  return faults;
}

function cellCount(found: number, wanted: number): string {
  return `the row has ${found} cells and the header ${wanted}: a comma is missing, or a cell with a comma needs quotes`;
}

function columnNames(): string {
  return Object.keys(TableRow.properties).join(', ');
}
