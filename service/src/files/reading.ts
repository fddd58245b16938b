import { sql } from 'kysely';

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
}

/**
 * The lines of rows: rows, from 0, from which on they are another number apart, with their lines from 1 and that number,
 * unless it is 1.
 */
export type Lines = readonly LineBreak[];

type LineBreak = readonly [row: number, line: number, step?: number];

/** Notes the lines of rows as far as they do not follow one another. */
export class LineWriter {
  readonly breaks: [row: number, line: number, step?: number][] = [];
  #row = 0;
  #line = -1;
  #step = 0;

  add(line: number): void {
    const last = this.breaks.at(-1);
    const step = line - this.#line;
    if (last !== undefined && last[0] === this.#row - 1) {
      this.#step = step;
      if (step !== 1) last[2] = step;
    } else if (step !== this.#step) {
      this.breaks.push([this.#row, line]);
    }
    this.#row += 1;
    this.#line = line;
  }
}

/** Returns the line of the file that a row, from 0, begins on. */
export function lineOf(lines: Lines, row: number): number {
  return lineAfter(lines.findLast(([start]) => start <= row) ?? [0, 1], row);
}

function lineAfter([from, line, step = 1]: LineBreak, row: number): number {
  return line + (row - from) * step;
}

/** Characters in which a reading begins. The lines that earlier versions stored in it come last, and may be megabytes. */
const BEGINNING = 8_192;

/** Selects the beginning of a file's reading. */
export const READING = sql<string | null>`substr(reading, 1, ${sql.lit(BEGINNING)})`.as('reading');

/** Returns the stored text of a reading. Instances of the earlier version, which run on during an upgrade, expect lines. */
export function readingText(reading: Reading): string {
  return JSON.stringify({ ...reading, lines: [] });
}

/** Reads the beginning of a stored reading. */
export function readingOf({ reading }: { reading: string | null }): Reading {
  if (reading === null) return { form: 'CSV' };
  const end = reading.indexOf(LINES);
  if (end !== -1) return JSON.parse(`${reading.slice(0, end)}}`);
  // The name of a sheet was not bounded once.
  return { form: /^\{"form":"([^"]*)"/.exec(reading)?.[1] ?? 'CSV' };
}

const LINES = ',"lines":[';

/** Reads the lines that earlier versions stored in the reading of a file: no further than to the row that is asked for. */
export class EarlierLines {
  readonly #breaks = /\[(\d+),(\d+)(?:,(\d+))?\],?/y;
  readonly #text: string;
  #last: LineBreak;
  #next: LineBreak | undefined;

  /** @param file the first version had no readings: the names of the columns are in the first line of such a file. */
  constructor({ header, reading }: { header: string | null; reading: string | null }) {
    this.#text = reading ?? '';
    this.#last = [0, header === null ? 1 : 2];
    const at = this.#text.indexOf(LINES);
    this.#breaks.lastIndex = at === -1 ? this.#text.length : at + LINES.length;
    this.#next = this.#read();
  }

  /** Returns the line that a row, from 0, begins on. It does not come before the row of the last call. */
  lineOf(row: number): number {
    while (this.#next !== undefined && this.#next[0] <= row) {
      this.#last = this.#next;
      this.#next = this.#read();
    }
    return lineAfter(this.#last, row);
  }

  #read(): LineBreak | undefined {
    const found = this.#breaks.exec(this.#text);
    return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3] ?? 1)];
  }
}
