import { readVin } from '@marque/decoder';

import type { Database, Plan } from '../kernel/db/index.ts';
import { depthOf, project } from '../decode/depth.ts';
import { pagesOf, pageWith } from './file-pages.ts';
import { problemOf, storedRows } from './rows.ts';

/** Rows that a page shows of a file. */
const SHOWN = 20;

/** A row that holds no VIN. */
export interface BadRow {
  /** As a spreadsheet numbers it, the header included. */
  line: number;
  text: string;
  reason: string;
}

/** What decoding a file would do. */
export interface FilePreview {
  rows: number;
  /** Rows without a VIN: they are not charged. */
  bad: number;
  /** The first of them. */
  firstBad: BadRow[];
}

/** Scans a file before anything is charged; undefined: it was removed in the meantime. */
export async function previewFile(database: Database, id: string): Promise<FilePreview | undefined> {
  const file = await layoutOf(database, id);
  if (file === undefined) return undefined;
  const preview: FilePreview = { rows: 0, bad: 0, firstBad: [] };
  for await (const { rows } of pagesOf(database, id)) {
    for (const cells of rows) {
      const text = cells[file.column] ?? '';
      preview.rows += 1;
      const form = readVin(text);
      if (form.kind !== 'malformed') continue;
      preview.bad += 1;
      if (preview.firstBad.length >= SHOWN) continue;
      preview.firstBad.push({ line: preview.rows + file.headers, text: text.slice(0, 40), reason: form.message });
    }
  }
  return preview;
}

/** One of the first rows of a file with what was decoded. */
export interface FirstRow {
  line: number;
  text: string;
  /** Cut to the plan; undefined: the row has no report. */
  report: Record<string, unknown> | undefined;
  /** Why it has none. */
  problem: string;
}

/** The first processed rows. */
export async function firstRows(database: Database, id: string, plan: Plan): Promise<FirstRow[]> {
  const [file, page] = [await layoutOf(database, id), await pageWith(database, id, 0)];
  if (file === undefined || page === undefined) return [];
  const decoded = await storedRows(database, id, 0, SHOWN);
  return page.rows.slice(0, Math.min(SHOWN, file.done)).map((cells, row) => {
    const text = cells[file.column] ?? '';
    const stored = decoded.get(row);
    const report = stored?.report === undefined ? undefined : project(depthOf(plan), stored.report);
    const line = row + 1 + file.headers;
    return { line, text: text.slice(0, 40), report, problem: problemOf(text, true, stored) };
  });
}

/** Where a file's VINs are, and how many rows come before them. */
async function layoutOf({ kysely }: Database, id: string) {
  const file = await kysely
    .selectFrom('vin_files')
    .select(['header', 'vin_column', 'done'])
    .where('id', '=', id)
    .executeTakeFirst();
  return file && { column: file.vin_column, done: file.done, headers: file.header === null ? 0 : 1 };
}
