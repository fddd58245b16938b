import { TableError } from '@marque/catalog/tables';

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
  /**
   * The rows, from 0, from which on the lines of rows are another number apart, with their lines from 1 and that number,
   * unless it is 1.
   */
  lines: readonly (readonly [row: number, line: number, step?: number])[];
}

/** Places at which that number changes: a page that shows a few rows reads them all. */
const MOST_BREAKS = 10_000;

/** Notes the lines of rows as far as they do not follow one another. */
export class LineWriter {
  readonly breaks: [row: number, line: number, step?: number][] = [];
  #row = 0;
  #line = -1;
  #step = 0;

  /** @throws TableError when there are too many. */
  add(line: number): void {
    const last = this.breaks.at(-1);
    const step = line - this.#line;
    if (last !== undefined && last[0] === this.#row - 1) {
      this.#step = step;
      if (step !== 1) last[2] = step;
    } else if (step !== this.#step) {
      if (this.breaks.length === MOST_BREAKS) {
        throw new TableError(
          `Up to line ${line}, the file has empty lines, or cells with line breaks, in more than 10,000 places. Remove them and send the file again.`,
        );
      }
      this.breaks.push([this.#row, line]);
    }
    this.#row += 1;
    this.#line = line;
  }
}

/** Returns the line of the file that a row, from 0, begins on. */
export function lineOf({ lines }: Pick<Reading, 'lines'>, row: number): number {
  const [from, line, step = 1] = lines.findLast(([start]) => start <= row) ?? [0, 1];
  return line + (row - from) * step;
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
