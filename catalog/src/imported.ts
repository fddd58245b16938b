import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CatalogSource } from '@marque/decoder';

import { csvLines, csvRecords } from './csv.ts';
import { importsFolder } from './inputs.ts';

/** The list of imports in their folder. */
export const LIST = 'list.csv';

const APPROVALS = 'approvals';

/** Lists the imports in a folder of tables, in the order of the last import of each. */
export function listImports(folder: string): (CatalogSource & { imported: string })[] {
  const list = join(folder, LIST);
  if (!existsSync(list)) return [];
  return csvRecords(readFileSync(list, 'utf8'), list).map(({ id = '', title = '', imported = '' }) => ({
    id,
    title,
    imported,
  }));
}

/** The contents of an imported register. */
export interface ImportedTable {
  id: string;
  title: string;
  /** The day of the import (UTC). */
  imported: string;
  /** Records of its files. */
  records: number;
  /** The number of rows of its tables with each field. */
  fields: { field: string; rows: number }[];
}

/** Columns that say which vehicles a row is about. */
const ABOUT: ReadonlySet<string> = new Set(['make', 'model', 'from', 'to', 'mask']);

/** Returns the registers that are compiled into the catalog. */
export function importedTables(folder: string = importsFolder()): ImportedTable[] {
  const list = join(folder, LIST);
  if (!existsSync(list)) return [];
  return csvRecords(readFileSync(list, 'utf8'), list).map(({ id = '', title = '', imported = '', records = '' }) => {
    const rows = new Map<string, number>();
    for (const file of [join(folder, `${id}.csv`), join(approvalsFolder(folder), `${id}.csv`)]) {
      if (existsSync(file)) countFields(readFileSync(file, 'utf8'), rows);
    }
    const fields = [...rows].map(([field, count]) => ({ field, rows: count }));
    return { id, title, imported, records: Number(records), fields };
  });
}

function countFields(text: string, rows: Map<string, number>): void {
  const [header = [], ...lines] = csvLines(text);
  for (const [at, field] of header.entries()) {
    const count = ABOUT.has(field) ? 0 : lines.filter((fields) => (fields[at] ?? '') !== '').length;
    if (count > 0) rows.set(field, (rows.get(field) ?? 0) + count);
  }
}

/** Returns the tables of type approvals in a folder of imports. */
export function approvalsFolder(folder: string): string {
  return join(folder, APPROVALS);
}
