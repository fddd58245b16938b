import type { Transaction } from 'kysely';
import { v7 } from 'uuid';

import type { Clock } from '../../platform/clock.ts';
import { change } from '../../platform/db/changes.ts';
import type { Database, Schema } from '../../platform/db/index.ts';
import type { ApiKeysTable } from '../../platform/db/schema.ts';
import { mintKey, type Random } from './key.ts';

/** An API key as it may be shown: never the key itself. */
export interface ApiKey {
  id: string;
  workspaceId: string;
  name: string;
  /** First and last characters, for recognition. */
  prefix: string;
  last4: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  lastUsedAtMs: number | null;
  rotatedFrom: string | null;
}

/** A key just made: the only time that the key itself is at hand. */
export interface NewApiKey extends ApiKey {
  key: string;
}

interface KeyDeps {
  database: Database;
  clock: Clock;
  random: Random;
}

/** Makes a key for a workspace (see `findWorkspace`). */
export async function createKey(
  deps: KeyDeps,
  wanted: { workspaceId: string; name: string; expiresAtMs?: number },
): Promise<NewApiKey> {
  return deps.database.kysely
    .transaction()
    .execute((transaction) =>
      insertKey(deps, transaction, { ...wanted, expiresAtMs: wanted.expiresAtMs ?? null, rotatedFrom: null }),
    );
}

/** A workspace's keys, or everyone's, oldest first; revoked and expired ones too. */
export async function listKeys(database: Database, workspaceId?: string): Promise<ApiKey[]> {
  const query = database.kysely.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
  const rows = await (workspaceId === undefined ? query : query.where('workspace_id', '=', workspaceId)).execute();
  return rows.map(apiKeyOf);
}

/** Revokes a key for good. */
export async function revokeKey(
  deps: Pick<KeyDeps, 'database' | 'clock'>,
  keyId: string,
): Promise<'revoked' | 'already-revoked' | 'unknown'> {
  return change(deps.database, 'access', async (transaction) => {
    const revoked = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: deps.clock() })
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (revoked.numUpdatedRows > 0n) {
      return 'revoked';
    }
    const known = await transaction.selectFrom('api_keys').select('id').where('id', '=', keyId).executeTakeFirst();
    return known === undefined ? 'unknown' : 'already-revoked';
  });
}

/**
 * Makes a key that replaces another. The old one works on; its grace of 24 hours begins when the new one is first used.
 * @returns undefined when the key is unknown, revoked or expired.
 */
export async function rotateKey(deps: KeyDeps, keyId: string): Promise<NewApiKey | undefined> {
  return deps.database.kysely.transaction().execute(async (transaction) => {
    const old = await transaction.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirst();
    if (old === undefined || old.revoked_at !== null) return undefined;
    if (old.expires_at !== null && old.expires_at <= deps.clock()) return undefined;
    return insertKey(deps, transaction, {
      workspaceId: old.workspace_id,
      name: old.name,
      expiresAtMs: null,
      rotatedFrom: old.id,
    });
  });
}

async function insertKey(
  deps: KeyDeps,
  transaction: Transaction<Schema>,
  wanted: { workspaceId: string; name: string; expiresAtMs: number | null; rotatedFrom: string | null },
): Promise<NewApiKey> {
  const createdAtMs = deps.clock();
  const { key, hash, prefix, last4 } = mintKey(deps.random);
  const row: ApiKeysTable = {
    id: v7({ msecs: createdAtMs }),
    workspace_id: wanted.workspaceId,
    name: wanted.name,
    hash,
    prefix,
    last4,
    created_at: createdAtMs,
    expires_at: wanted.expiresAtMs,
    revoked_at: null,
    last_used_at: null,
    rotated_from: wanted.rotatedFrom,
  };
  await transaction.insertInto('api_keys').values(row).execute();
  return { ...apiKeyOf(row), key };
}

function apiKeyOf(row: ApiKeysTable): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    revokedAtMs: row.revoked_at,
    lastUsedAtMs: row.last_used_at,
    rotatedFrom: row.rotated_from,
  };
}
