import { gzipSync } from 'node:zlib';

import type { Overlay } from '@marque/catalog';
import { v7 } from 'uuid';

import { type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';

/** The actor of a change, and their reason. */
export interface Decision {
  by: Actor;
  reason: string;
}

/** An overlay that was imported. */
interface ImportedOverlay {
  id: string;
  rows: number;
  layouts: number;
  createdAtMs: number;
  createdBy: string;
}

/** Puts an overlay in force in place of the previous one. @returns its id. */
export async function importOverlay(
  deps: ActDeps,
  { bytes, rows, layouts }: Overlay,
  { by, reason }: Decision,
): Promise<string> {
  return audited(
    deps,
    by,
    async ({ transaction, atMs, appendEntry }) => {
      const id = v7({ msecs: atMs });
      const seq = await appendEntry({
        action: 'overlay.imported',
        subject: `overlay:${id}`,
        details: { rows, layouts, reason },
      });
      const overlay = gzipSync(bytes).toString('base64');
      await transaction
        .insertInto('catalog_overlays')
        .values({ id, overlay, rows, layouts, created_at: atMs, created_by: by, seq })
        .execute();
      return id;
    },
    'overlay',
  );
}

/**
 * Reverts the overlay in force: the previous one is in force again, if there is one.
 *
 * @returns the reverted overlay; undefined: none is in force.
 */
export async function revertOverlay(deps: ActDeps, { by, reason }: Decision): Promise<ImportedOverlay | undefined> {
  return audited(
    deps,
    by,
    async ({ transaction, atMs, appendEntry }) => {
      const overlay = await newestIn(transaction);
      if (overlay === undefined) return undefined;
      await appendEntry({ action: 'overlay.reverted', subject: `overlay:${overlay.id}`, details: { reason } });
      await transaction
        .updateTable('catalog_overlays')
        .set({ reverted_at: atMs, reverted_by: by })
        .where('id', '=', overlay.id)
        .execute();
      return overlay;
    },
    'overlay',
  );
}

/** Returns the overlay in force; undefined: there is none. */
export async function overlayInForce(database: Database): Promise<ImportedOverlay | undefined> {
  return newestIn(database.kysely);
}

async function newestIn(kysely: Database['kysely']): Promise<ImportedOverlay | undefined> {
  return kysely
    .selectFrom('catalog_overlays')
    .select(['id', 'rows', 'layouts', 'created_at as createdAtMs', 'created_by as createdBy'])
    .where('reverted_at', 'is', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}
