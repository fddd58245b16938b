import { readVin } from '@marque/decoder';

import type { Database, Plan } from '../kernel/db/index.ts';
import { depthOf, project } from '../decode/depth.ts';
import { problemOf, storedRows, vinCells } from './rows.ts';

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

/** Looks through a file before anything is charged; undefined: it was removed meanwhile. */
export async function previewFile(database: Database, id: string): Promise<FilePreview | undefined> {
  const file = await sourceOf(database, id);
  if (file === undefined) return undefined;
  const preview: FilePreview = { rows: 0, bad: 0, firstBad: [] };
  for await (const text of vinCells(file)) {
    preview.rows += 1;
    const form = readVin(text);
    if (form.kind !== 'malformed') continue;
    preview.bad += 1;
    if (preview.firstBad.length >= SHOWN) continue;
    preview.firstBad.push({ line: preview.rows + file.has_header, text: text.slice(0, 40), reason: form.message });
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

/** The first rows that were dealt with. */
export async function firstRows(database: Database, id: string, plan: Plan): Promise<FirstRow[]> {
  const file = await sourceOf(database, id);
  if (file === undefined) return [];
  const decoded = await storedRows(database, id, 0, SHOWN);
  const rows: FirstRow[] = [];
  for await (const text of vinCells(file)) {
    if (rows.length >= Math.min(SHOWN, file.done)) break;
    const stored = decoded.get(rows.length);
    const report = stored?.report === undefined ? undefined : project(depthOf(plan), stored.report);
    const line = rows.length + 1 + file.has_header;
    rows.push({ line, text: text.slice(0, 40), report, problem: problemOf(text, true, stored) });
  }
  return rows;
}

function sourceOf({ kysely }: Database, id: string) {
  return kysely
    .selectFrom('vin_files')
    .select(['source', 'has_header', 'vin_column', 'done'])
    .where('id', '=', id)
    .executeTakeFirst();
}
