import { readVin } from '@marque/decoder';

import { readRows } from '../../platform/csv/read.ts';
import type { Database, Plan } from '../../platform/db/index.ts';
import { depthOf, project } from '../decode/depth.ts';
import { decodedRows, problemOf } from './export.ts';

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
  let line = 0;
  for await (const cells of readRows(file.source)) {
    line += 1;
    if (line === 1 && file.has_header === 1) continue;
    preview.rows += 1;
    const text = cells[file.vin_column] ?? '';
    const form = readVin(text);
    if (form.kind !== 'malformed') continue;
    preview.bad += 1;
    if (preview.firstBad.length < SHOWN) preview.firstBad.push({ line, text: text.slice(0, 40), reason: form.message });
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
  const decoded = await decodedRows(database, id, 0, SHOWN);
  const rows: FirstRow[] = [];
  let line = 0;
  for await (const cells of readRows(file.source)) {
    line += 1;
    if (line === 1 && file.has_header === 1) continue;
    if (rows.length >= Math.min(SHOWN, file.done)) break;
    const text = cells[file.vin_column] ?? '';
    const stored = decoded.get(rows.length);
    const report = stored?.report === undefined ? undefined : project(depthOf(plan), stored.report);
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
