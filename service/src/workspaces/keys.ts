import { type Selectable, sql } from 'kysely';
import { v7 } from 'uuid';

import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Schema } from '../kernel/db/index.ts';
import { type KeyMode, mintKey, modeOf, type Random } from './key.ts';

/** Active keys that a workspace may have: more than anyone can manage. */
const MOST_KEYS = 100;

/**
 * The time before its end at which a key is shown as expiring soon, in milliseconds: twice the notice of the mail to
 * its owners.
 */
const SOON_MS = 14 * DAY_MS;

/** A workspace has reached its limit of keys. The message says what to do. */
export class KeyLimitError extends Error {
  override readonly message = `Revoke one of the ${MOST_KEYS} keys first.`;
}

/** The form that creates a key was submitted twice. The message says what to do. */
export class KeyMadeBeforeError extends Error {
  override readonly message =
    'This form has already created a key, and a key is shown only once. Rotate the key if you did not save it.';
}

/** An API key without the key itself, safe to show. */
export interface ApiKey {
  id: string;
  workspaceId: string;
  name: string;
  mode: KeyMode;
  /** First and last characters, for recognition. */
  prefix: string;
  last4: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  lastUsedAtMs: number | null;
  rotatedFrom: string | null;
}

/** The state of a key, as every list of keys shows it. */
export type KeyState = 'active' | 'expires soon' | 'expired' | 'revoked';

/** Returns the state of a key at a moment. Pure. */
export function keyState({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): KeyState {
  if (revokedAtMs !== null) return 'revoked';
  if (expiresAtMs === null || expiresAtMs > nowMs + SOON_MS) return 'active';
  return expiresAtMs <= nowMs ? 'expired' : 'expires soon';
}

/** A newly created key: the only time that the key itself is available. */
export interface NewApiKey extends ApiKey {
  key: string;
}

type KeyRow = Selectable<Schema['api_keys']>;

/**
 * Creates a key for a workspace (see `findWorkspace`). With an `id`, a UUID, repeated calls create one key.
 * @throws KeyLimitError when it has too many, KeyMadeBeforeError when a key with this id exists.
 */
export async function createKey(
  deps: ActDeps & { random: Random },
  wanted: { workspaceId: string; name: string; mode?: KeyMode; expiresAtMs?: number; id?: string | undefined },
  actor: Actor,
): Promise<NewApiKey> {
  return audited(deps, actor, (act) =>
    insertKey(act, deps.random, {
      ...wanted,
      mode: wanted.mode ?? 'live',
      expiresAtMs: wanted.expiresAtMs ?? null,
      rotatedFrom: null,
    }),
  );
}

/** Revokes a key permanently. */
export async function revokeKey(
  deps: ActDeps,
  keyId: string,
  actor: Actor,
): Promise<'revoked' | 'already-revoked' | 'unknown'> {
  const revoke = async (act: Act): Promise<'revoked' | 'already-revoked' | 'unknown'> => {
    const { transaction, atMs } = act;
    const revoked = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: atMs })
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (revoked !== undefined) {
      await appendKeyEntry(act, 'key.revoked', apiKeyOf(revoked));
      return 'revoked';
    }
    const known = await transaction.selectFrom('api_keys').select('id').where('id', '=', keyId).executeTakeFirst();
    return known === undefined ? 'unknown' : 'already-revoked';
  };
  return audited(deps, actor, revoke, 'access');
}

/**
 * Creates a key that replaces another. The old one keeps working; its 24-hour grace period begins when the new one is
 * first used. The replacement of a key that expires has the same lifetime.
 * @returns undefined when the key is unknown, revoked or expired.
 * @throws KeyLimitError when its workspace has too many, KeyMadeBeforeError when a key with this `id` exists.
 */
export async function rotateKey(
  deps: ActDeps & { random: Random },
  keyId: string,
  actor: Actor,
  id?: string,
): Promise<NewApiKey | undefined> {
  return audited(deps, actor, async (act) => {
    const old = await act.transaction.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirst();
    if (old === undefined || old.revoked_at !== null) return undefined;
    if (old.expires_at !== null && old.expires_at <= act.atMs) return undefined;
    return insertKey(act, deps.random, {
      workspaceId: old.workspace_id,
      name: old.name,
      mode: modeOf(old.prefix),
      expiresAtMs: await renewedExpiry(act, old),
      rotatedFrom: old.id,
      id,
    });
  });
}

/**
 * Returns when a replacement key expires: after the lifetime of the key that it replaces. That one, and those that have
 * replaced it, may end with a grace period, which is no lifetime; the newest that descends from it has none yet.
 */
async function renewedExpiry({ transaction, atMs }: Act, old: KeyRow): Promise<number | null> {
  const newest = await transaction
    .withRecursive('line', (line) =>
      line
        .selectFrom('api_keys')
        .select(['id', 'created_at', 'expires_at', sql<number>`0`.as('place')])
        .where('id', '=', old.id)
        .unionAll((next) =>
          next
            .selectFrom('line')
            .innerJoin('api_keys', 'api_keys.rotated_from', 'line.id')
            .select([
              'api_keys.id',
              'api_keys.created_at',
              'api_keys.expires_at',
              sql<number>`line.place + 1`.as('place'),
            ]),
        ),
    )
    .selectFrom('line')
    .select(['created_at', 'expires_at'])
    .orderBy('created_at', 'desc')
    // Of the same millisecond.
    .orderBy('place', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return newest.expires_at === null ? null : atMs + (newest.expires_at - newest.created_at);
}

async function insertKey(
  act: Act,
  random: Random,
  wanted: {
    workspaceId: string;
    name: string;
    mode: KeyMode;
    expiresAtMs: number | null;
    rotatedFrom: string | null;
    id?: string | undefined;
  },
): Promise<NewApiKey> {
  const createdAtMs = act.atMs;
  const id = wanted.id ?? v7({ msecs: createdAtMs });
  const before = await act.transaction.selectFrom('api_keys').select('id').where('id', '=', id).executeTakeFirst();
  if (before !== undefined) throw new KeyMadeBeforeError();
  await refuseTooMany(act, wanted.workspaceId);
  const { key, hash, prefix, last4 } = mintKey(random, wanted.mode);
  const row: KeyRow = {
    id,
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
  await act.transaction.insertInto('api_keys').values(row).execute();
  const made = apiKeyOf(row);
  await appendKeyEntry(act, wanted.rotatedFrom === null ? 'key.created' : 'key.rotated', made);
  return { ...made, key };
}

async function appendKeyEntry({ transaction, appendEntry }: Act, action: string, key: ApiKey): Promise<void> {
  const workspace = await transaction
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', key.workspaceId)
    .executeTakeFirst();
  const details = { name: key.name, looksLike: `${key.prefix}…${key.last4}`, workspace: workspace?.slug };
  await appendEntry({ action, subject: `key:${key.id}`, details });
}

/**
 * Refuses another key where a workspace has the most. Audited actions are serialized: each sees the results of those
 * before.
 */
async function refuseTooMany({ transaction, atMs }: Act, workspaceId: string): Promise<void> {
  const { count } = await transaction
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', atMs)]))
    .executeTakeFirstOrThrow();
  if (count >= MOST_KEYS) throw new KeyLimitError();
}

/** Returns the key of a row. */
export function apiKeyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    mode: modeOf(row.prefix),
    prefix: row.prefix,
    last4: row.last4,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    revokedAtMs: row.revoked_at,
    lastUsedAtMs: row.last_used_at,
    rotatedFrom: row.rotated_from,
  };
}
