import { readVinCell, StepLength } from '@marque/catalog/tables';

import type { Database } from '../kernel/db/index.ts';
import { depthOf, project } from '../decode/index.ts';
import type { NextTurn } from '../kernel/limits/loop-turns.ts';
import { type FilePage, pagesOf, pageWith } from './file-pages.ts';
import { EarlierLines, lineOf, READING, type Reading, readingOf } from './reading.ts';
import { problemOf, storedRows } from './rows.ts';
import type { Plan } from '../workspaces/index.ts';

/** Rows shown on a page: of a file's results, and of the file itself. */
const SHOWN = 20;
const SAMPLED = 5;

/** Columns of a file, and characters of a cell, shown on a page. */
const SHOWN_COLUMNS = 5;
const SHOWN_CHARACTERS = 40;

/** A row without a VIN. */
interface BadRow {
  /** The line of the file, as a spreadsheet or an editor numbers it. */
  line: number;
  text: string;
  reason: string;
}

/** The effect of decoding a file. */
export interface FilePreview {
  rows: number;
  /** Rows without a VIN: they are not charged. */
  bad: number;
  /** The first of them. */
  firstBad: BadRow[];
  /** The file's first rows and columns. */
  sample: Sample;
  /** The interpretation of the file. */
  reading: Reading;
}

/** The first rows of a file, unchanged. */
export interface Sample {
  /** The first columns, and that of VINs wherever it is. */
  columns: { name: string; isVin: boolean }[];
  rows: { line: number; cells: string[] }[];
  /** Columns that are not shown. */
  more: number;
}

/**
 * Scans a file before anything is charged; undefined: it has been removed.
 *
 * @param turn waits for the turn of each page, and throws when nobody waits for the answer any more.
 */
export async function previewFile(database: Database, id: string, turn: NextTurn): Promise<FilePreview | undefined> {
  // With all the lines that an earlier version stored there: the rows to be shown may be anywhere.
  await turn();
  const file = await layoutOf(database, id, 'reading');
  if (file === undefined) return undefined;
  const preview: FilePreview = {
    rows: 0,
    bad: 0,
    firstBad: [],
    sample: await sampleOf(database, id, file),
    reading: readingOf(file),
  };
  const earlier = new EarlierLines(file);
  const piece = new StepLength();
  for await (const page of pagesOf(database, id, turn)) {
    const lineAt = linesOf(page, earlier);
    // So that no turn passes over the lines of many pages.
    lineAt(0);
    for (const [offset, cells] of page.rows.entries()) {
      const text = cells[file.column] ?? '';
      preview.rows += 1;
      if (piece.add(text)) await turn();
      const form = readVinCell(text);
      if (form.kind !== 'malformed') continue;
      preview.bad += 1;
      if (preview.firstBad.length >= SHOWN) continue;
      preview.firstBad.push({
        line: lineAt(offset),
        text: shortened(text),
        reason: form.message,
      });
    }
  }
  return preview;
}

/** Returns the lines of a page's rows, which are counted from its first one. */
function linesOf({ from, lines }: FilePage, earlier: EarlierLines): (offset: number) => number {
  return (offset) => (lines === null ? earlier.lineOf(from + offset) : lineOf(lines, offset));
}

/** Returns a text as a page shows it. */
function shortened(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
}

async function sampleOf(database: Database, id: string, file: FileLayout): Promise<Sample> {
  const { names, column, width } = file;
  const page = (await pageWith(database, id, 0)) ?? { from: 0, rows: [], lines: [] };
  const others = Array.from({ length: width }, (_, place) => place).filter((place) => place !== column);
  const shown = [...others.slice(0, SHOWN_COLUMNS - 1), column].toSorted((left, right) => left - right);
  const lineAt = linesOf(page, new EarlierLines(file));
  const rows = page.rows.slice(0, SAMPLED).map((cells, row) => ({
    line: lineAt(row),
    cells: shown.map((place) => shortened(cells[place] ?? '')),
  }));
  const columns = shown.map((place) => ({
    name: shortened(names[place] ?? '') || `Column ${place + 1}`,
    isVin: place === column,
  }));
  return { columns, rows, more: width - shown.length };
}

/** One of the first rows of a file with its decoded values. */
export interface FirstRow {
  line: number;
  text: string;
  /** The id of its decode; undefined: it has none. */
  decodeId: string | undefined;
  /** Cut to the plan; undefined: the row has no report. */
  report: Record<string, unknown> | undefined;
  /** The reason why it has none. */
  problem: string;
}

/** Returns the first processed rows. */
export async function firstRows(database: Database, id: string, plan: Plan): Promise<FirstRow[]> {
  const [file, page] = [await layoutOf(database, id), await pageWith(database, id, 0)];
  if (file === undefined || page === undefined) return [];
  const lineAt = linesOf(page, new EarlierLines(file));
  const decoded = await storedRows(database, id, 0, SHOWN);
  return page.rows.slice(0, Math.min(SHOWN, file.done)).map((cells, row) => {
    const text = cells[file.column] ?? '';
    const stored = decoded.get(row);
    const report = stored?.report === undefined ? undefined : project(depthOf(plan), stored.report);
    const line = lineAt(row);
    const decodeId = report === undefined ? undefined : (stored?.decodeId ?? undefined);
    return { line, text: shortened(text), decodeId, report, problem: problemOf(text, true, stored) };
  });
}

/** Counts the processed rows that wait for enrichment: they were not charged. */
export async function pendingRows({ kysely }: Database, id: string): Promise<number> {
  const { count } = await kysely
    .selectFrom('vin_file_rows')
    .innerJoin('vin_files', 'vin_files.id', 'vin_file_rows.file_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('file_id', '=', id)
    .where('decode_id', 'is', null)
    .whereRef('row', '<', 'done')
    .executeTakeFirstOrThrow();
  return count;
}

/** The place of a file's VINs, and its interpretation as it is stored. */
interface FileLayout {
  /** The names of its columns; empty without a header. */
  names: readonly string[];
  column: number;
  width: number;
  done: number;
  header: string | null;
  reading: string | null;
}

/** @param reading selects as much of its reading as is needed. */
async function layoutOf(
  { kysely }: Database,
  id: string,
  reading: 'reading' | typeof READING = READING,
): Promise<FileLayout | undefined> {
  const file = await kysely
    .selectFrom('vin_files')
    .select(['header', 'vin_column as column', 'width', 'done', reading])
    .where('id', '=', id)
    .executeTakeFirst();
  return file && { ...file, names: file.header === null ? [] : JSON.parse(file.header) };
}
