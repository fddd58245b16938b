import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CatalogSource } from '@marque/decoder';

import { csvRecords } from './csv.ts';

/** The list of imports in their folder. */
export const LIST = 'list.csv';

const APPROVALS = 'approvals';

/** What was imported into a folder of tables, in the order of the last import of each. */
export function listImports(folder: string): (CatalogSource & { imported: string })[] {
  const list = join(folder, LIST);
  if (!existsSync(list)) return [];
  return csvRecords(readFileSync(list, 'utf8'), list).map(({ id = '', title = '', imported = '' }) => ({
    id,
    title,
    imported,
  }));
}

/** The tables of type approvals in a folder of imports. */
export function approvalsFolder(folder: string): string {
  return join(folder, APPROVALS);
}
