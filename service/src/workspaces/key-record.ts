import type { Selectable, Transaction } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import { change } from '../kernel/db/changes.ts';
import type { Database, Schema } from '../kernel/db/index.ts';
import type { Refusal } from './caller.ts';
import { type Workspace, workspaceOf } from './workspaces.ts';

/** How long a replaced key still works after the first use of its successor. */
const ROTATION_GRACE_MS = DAY_MS;

/** A key with its workspace, as far as it decides on a request. */
export type KeyRecord = Pick<
  Selectable<Schema['api_keys']>,
  'hash' | 'expires_at' | 'revoked_at' | 'last_used_at' | 'rotated_from'
> & { keyId: string; workspace: Workspace };

/** The key with a hash, with its workspace. */
export async function findKey(database: Database, hash: string): Promise<KeyRecord | undefined> {
  const row = await database.kysely
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .selectAll('workspaces')
    .select(['api_keys.id as keyId', 'hash', 'expires_at', 'revoked_at', 'last_used_at', 'rotated_from'])
    .where('api_keys.hash', '=', hash)
    .executeTakeFirst();
  return row && { ...row, workspace: workspaceOf(row) };
}

/** Why a key is refused, if it is. */
export function judgeKey(
  key: Pick<KeyRecord, 'revoked_at' | 'expires_at' | 'workspace'>,
  atMs: number,
): Refusal | undefined {
  if (key.revoked_at !== null) return { kind: 'refused', reason: 'revoked' };
  if (key.expires_at !== null && key.expires_at <= atMs) return { kind: 'refused', reason: 'expired' };
  if (key.workspace.suspendedAtMs !== null) return { kind: 'refused', reason: 'suspended' };
  return undefined;
}

/** Notes the first use of a key that replaces another: the grace of those before it begins now. */
export async function noteFirstUse(database: Database, keyId: string, atMs: number): Promise<void> {
  await change(database, 'access', async (transaction) => {
    const first = await transaction
      .updateTable('api_keys')
      .set({ last_used_at: atMs })
      .where('id', '=', keyId)
      .where('last_used_at', 'is', null)
      .executeTakeFirst();
    if (first.numUpdatedRows === 0n) return;
    await endPredecessors(transaction, keyId, atMs + ROTATION_GRACE_MS);
  });
}

/** Ends all keys that a key replaces: also one whose direct successor was replaced before anybody used it. */
async function endPredecessors(transaction: Transaction<Schema>, keyId: string, endMs: number): Promise<void> {
  const predecessorOf = async (id: string): Promise<string | null | undefined> => {
    const row = await transaction.selectFrom('api_keys').select('rotated_from').where('id', '=', id).executeTakeFirst();
    return row?.rotated_from;
  };
  for (let id = await predecessorOf(keyId); typeof id === 'string'; id = await predecessorOf(id)) {
    await transaction
      .updateTable('api_keys')
      .set({ expires_at: endMs })
      .where('id', '=', id)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', endMs)]))
      .execute();
  }
}
