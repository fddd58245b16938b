import { readVinCell } from '@marque/catalog/tables';

import type { ActDeps } from '../kernel/audit/index.ts';
import { maskVin, maskVinIn } from '../kernel/mask-vin.ts';
import { type Erased, parsed, type SlicePrivacy, UNDER_WAY_MS } from '../kernel/privacy.ts';
import { forgetJob } from '../metering/index.ts';
import { pagesOf, pageWith } from './file-pages.ts';
import { removeFile } from './remove.ts';

type Deps = Pick<ActDeps, 'database' | 'clock'>;

export const privacy: SlicePrivacy = {
  records: async function* records(database, subject) {
    if (subject.kind === 'vin') return;
    const files = database.kysely.selectFrom('vin_files').selectAll().where('workspace_id', '=', subject.id);
    for (const { locked_by: _by, locked_until: _until, header, ...row } of await files.execute()) {
      yield { kind: 'file', ...row, header: parsed(header) };
      for await (const { from, rows } of pagesOf(database, row.id)) {
        yield { kind: 'file_rows', file_id: row.id, first_row: from, rows };
      }
    }
  },
  erasure: async (deps, subject) => {
    if (subject.kind === 'vin') return { withdraw: async () => withdrawn(await maskInFiles(deps, subject.vin)) };
    return {
      // Before decodes are masked: a worker that charges later finds its file gone.
      withdraw: async () => ({ erased: await removeFiles(deps, subject.id), settledInMs: UNDER_WAY_MS }),
      // Those that came meanwhile.
      erase: async ({ transaction }) => {
        const deleted = transaction.deleteFrom('vin_files').where('workspace_id', '=', subject.id);
        return { files: Number((await deleted.executeTakeFirst()).numDeletedRows) };
      },
    };
  },
};

/** Removes the files of a workspace, which may have millions of rows, some rows at a time. @returns their number. */
async function removeFiles(deps: Deps, workspaceId: string): Promise<Erased> {
  const files = deps.database.kysely.selectFrom('vin_files').select('id').where('workspace_id', '=', workspaceId);
  const ids = await files.execute();
  for (const { id } of ids) await removeFile(deps, id);
  return { files: ids.length };
}

/**
 * Returns the result of a step. A worker may have read rows of a file that is not finished, and store what it decodes
 * from them: the erasure waits for it.
 */
function withdrawn({ files, unfinished }: MaskedFiles): { erased: Erased; settledInMs: number } {
  return { erased: { files }, settledInMs: unfinished > 0 ? UNDER_WAY_MS : 0 };
}

/** The numbers of files that contained a VIN, and of those that were not finished. */
interface MaskedFiles {
  files: number;
  unfinished: number;
}

/** Masks a VIN in all uploaded files. */
async function maskInFiles(deps: Deps, vin: string): Promise<MaskedFiles> {
  const { database } = deps;
  const { kysely } = database;
  const files = await kysely
    .selectFrom('vin_files')
    .select(['id', 'workspace_id', 'name', 'column_name', 'header', 'finished_at'])
    .execute();
  const masked = (row: readonly string[]): string => JSON.stringify(row.map((cell) => maskedCell(cell, vin)));
  const counts: MaskedFiles = { files: 0, unfinished: 0 };
  for (const { id, workspace_id: workspaceId, header, finished_at: finishedAt, ...texts } of files) {
    if ((await pageWith(database, id, 0)) === undefined) {
      // What is left of it after an interrupted removal. A worker may have read rows before.
      await removeFile(deps, id);
      counts.unfinished += 1;
      continue;
    }
    let isFound = false;
    // Before it is masked: an erasure that is interrupted, and repeated, no longer finds the VIN.
    const found = async (): Promise<void> => {
      if (isFound) return;
      isFound = true;
      await forgetJob(database, workspaceId, id);
    };
    const name = maskVinIn(texts.name, vin);
    const column_name = texts.column_name && maskVinIn(texts.column_name, vin);
    if (name !== texts.name || column_name !== texts.column_name) {
      await found();
      await kysely.updateTable('vin_files').set({ name, column_name }).where('id', '=', id).execute();
    }
    const names = header && masked(JSON.parse(header));
    if (names !== header) {
      await found();
      await kysely.updateTable('vin_files').set({ header: names }).where('id', '=', id).execute();
    }
    let hadInRows = false;
    // Page by page: a file may have megabytes.
    for await (const { from, rows } of pagesOf(database, id)) {
      const after = `[${rows.map(masked).join(',')}]`;
      if (after === JSON.stringify(rows)) continue;
      hadInRows = true;
      await found();
      const page = kysely.updateTable('vin_file_pages').where('file_id', '=', id).where('first_row', '=', from);
      await page.set({ rows: after }).execute();
    }
    if (isFound) counts.files += 1;
    if (hadInRows && finishedAt === null) counts.unfinished += 1;
  }
  return counts;
}

/** Matches a text of plain characters that is too short for a VIN. */
const NO_VIN = /^[ -~]{0,16}$/;

/**
 * Masks a VIN in a cell. A cell that is read as the VIN in another way, such as from its bytes in hexadecimal, is
 * replaced.
 */
function maskedCell(cell: string, vin: string): string {
  if (NO_VIN.test(cell)) return cell;
  const masked = maskVinIn(cell, vin);
  const form = readVinCell(masked);
  return form.kind === 'vin' && form.vin === vin ? maskVin(vin) : masked;
}
