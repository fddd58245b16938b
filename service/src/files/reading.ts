import type { ColumnKind } from '../kernel/csv/kinds.ts';

/** The interpretation of a file: stored with it, and shown before anything is charged. */
export interface Reading {
  /** The kind of file, for people: "CSV", "Excel workbook". */
  form: string;
  /** The encoding of its text, by the names of the Encoding Standard; absent: it is not text. */
  encoding?: string;
  /** The sheet of a workbook that was read. */
  sheet?: string;
  /** The kinds of the cells of each column; absent: text. */
  kinds?: readonly ColumnKind[];
  /** The rows, from 0, whose line in the file is not the one after that of the row before, with their lines from 1. */
  lines: readonly (readonly [row: number, line: number])[];
}

/** Notes the lines of rows as far as they do not follow one another. */
export class LineWriter {
  readonly breaks: [row: number, line: number][] = [];
  #row = 0;
  #expected = -1;

  add(line: number): void {
    if (line !== this.#expected) this.breaks.push([this.#row, line]);
    this.#row += 1;
    this.#expected = line + 1;
  }
}

/** Returns the line of the file that a row, from 0, begins on. */
export function lineOf({ lines }: Pick<Reading, 'lines'>, row: number): number {
  const [from, line] = lines.findLast(([start]) => start <= row) ?? [0, 1];
  return line + row - from;
}

/** Reads the interpretation of a stored file. One of an earlier version has its names in its first line. */
export function readingOf({ header, reading }: { header: string | null; reading: string | null }): Reading {
  if (reading !== null) return JSON.parse(reading);
  return { form: 'CSV', lines: [[0, header === null ? 1 : 2]] };
}

/** Characters in which a reading begins. Its lines come last, and may be megabytes. */
export const BEGINNING = 8_192;

/** Reads the beginning of a stored reading. */
export function beginningOf(reading: string | null): Omit<Reading, 'lines'> {
  if (reading === null) return { form: 'CSV' };
  const end = reading.indexOf(LINES);
  if (end !== -1) return JSON.parse(`${reading.slice(0, end)}}`);
  // The name of a sheet was not bounded once.
  return { form: /^\{"form":"([^"]*)"/.exec(reading)?.[1] ?? 'CSV' };
}

const LINES = ',"lines":[';
