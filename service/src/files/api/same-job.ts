import { TableError } from '@marque/catalog/tables';

import type { Database } from '../../kernel/db/index.ts';
import type { Plan } from '../../workspaces/index.ts';
import { pagesOf, rowsText } from '../file-pages.ts';
import { readFile } from '../read-file.ts';
import { mostKept } from '../store.ts';
import type { Upload } from '../transfer-limits.ts';
import { type SentBody, tableOfBody } from './body.ts';
import { MOST_JOB_VINS } from './schemas.ts';

/**
 * Returns true if a body has the table of a stored job: its columns and its rows.
 *
 * @throws HttpError 400 when it has no table.
 */
export async function isSameJob(
  database: Database,
  id: string,
  { upload, sent, plan }: { upload: Pick<Upload, 'turn' | 'unpack'>; sent: SentBody; plan: Plan },
): Promise<boolean> {
  const { turn } = upload;
  const bytes = mostKept(plan);
  const content = await tableOfBody(upload, sent, bytes);
  const read = await readFile(content, sent.column, { rows: MOST_JOB_VINS, bytes }, turn).catch(tooLarge);
  if (read?.kind !== 'read') return false;
  const { layout, pages } = read;
  const stored = database.kysely.selectFrom('vin_files').select(['header', 'vin_column']).where('id', '=', id);
  const file = await stored.executeTakeFirst();
  if (file?.vin_column !== layout.column) return false;
  if ((file.header ?? 'null') !== JSON.stringify(layout.names ?? null)) return false;
  let place = 0;
  for await (const { rows } of pagesOf(database, id, turn)) {
    const page = pages[place];
    if (page === undefined || rowsText(page) !== JSON.stringify(rows)) return false;
    place += 1;
  }
  return place === pages.length;
}

function tooLarge(error: unknown): undefined {
  if (!(error instanceof TableError)) throw error;
}
