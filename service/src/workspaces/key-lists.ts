import type { Database } from '../kernel/db/index.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';
import { type ApiKey, apiKeyOf } from './keys.ts';

/** Keys that a filter offers: anyone can create and revoke keys without end. */
const MOST_CHOICES = 200;

/** Keys that one statement looks for. */
const LOOKED_UP = 500;

/** The name of a key that is not there any more. */
export const EARLIER_KEY = 'an earlier key';

/** Returns everyone's keys, or all of a workspace, oldest first; revoked and expired ones too. */
export async function listAllKeys(database: Database, workspaceId?: string): Promise<ApiKey[]> {
  const query = database.kysely.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
  const rows = await (workspaceId === undefined ? query : query.where('workspace_id', '=', workspaceId)).execute();
  return rows.map(apiKeyOf);
}

/** The last key of a page. It may have been revoked since. */
export interface LastKey {
  id: string;
  /** True if it was listed among the revoked ones. */
  isRevoked: boolean;
}

/**
 * Returns some of a workspace's keys: those that are not revoked, newest first, then the revoked ones, newest first.
 * @param options.after only those behind this key, which is left out; none if it is no key of the workspace
 */
export async function listKeys(
  { kysely }: Database,
  workspaceId: string,
  { limit, after }: { limit: number; after?: LastKey | undefined },
): Promise<ApiKey[]> {
  const own = kysely.selectFrom('api_keys').selectAll().where('workspace_id', '=', workspaceId);
  const last = after === undefined ? undefined : await own.where('id', '=', after.id).executeTakeFirst();
  if (after !== undefined && last === undefined) return [];
  const keys = own.orderBy('created_at', 'desc').orderBy('id', 'desc');
  const behind =
    last === undefined
      ? keys
      : keys
          .where('created_at', '<=', last.created_at)
          .where((where) => where.or([where('created_at', '<', last.created_at), where('id', '<', last.id)]));
  const isBehindKept = after?.isRevoked !== true;
  const kept = isBehindKept ? await behind.where('revoked_at', 'is', null).limit(limit).execute() : [];
  if (kept.length === limit) return kept.map(apiKeyOf);
  const revoked = (isBehindKept ? keys : behind).where('revoked_at', 'is not', null).limit(limit - kept.length);
  return [...kept, ...(await revoked.execute())].map(apiKeyOf);
}

/** Returns a key of a workspace; undefined: it has none of this id. */
export async function findKey(database: Database, workspaceId: string, id: string): Promise<ApiKey | undefined> {
  return (await findKeys(database, workspaceId, [id])).get(id);
}

/** Returns the keys of a workspace among ids, by id. @param turn waits for the turn of the next ones, of many. */
export async function findKeys(
  { kysely }: Database,
  workspaceId: string,
  ids: Iterable<string>,
  turn: NextTurn = anyTurn,
): Promise<Map<string, ApiKey>> {
  const found = new Map<string, ApiKey>();
  const wanted = [...new Set(ids)];
  for (let from = 0; from < wanted.length; from += LOOKED_UP) {
    if (from > 0) await turn();
    const some = kysely
      .selectFrom('api_keys')
      .selectAll()
      .where('id', 'in', wanted.slice(from, from + LOOKED_UP));
    // Were the workspace asked for as well, SQLite would read all of its keys.
    for (const row of await some.execute()) if (row.workspace_id === workspaceId) found.set(row.id, apiKeyOf(row));
  }
  return found;
}

/** Returns the keys that a filter offers, and the chosen one. */
export async function keyChoices(
  database: Database,
  workspaceId: string,
  chosen: string | undefined,
): Promise<ApiKey[]> {
  const keys = await listKeys(database, workspaceId, { limit: MOST_CHOICES });
  if (chosen === undefined || keys.some(({ id }) => id === chosen)) return keys;
  return [...keys, ...(await findKeys(database, workspaceId, [chosen])).values()];
}

/** Returns the ids of those among keys in whose place there is another that is not revoked. */
export async function replacedAmong({ kysely }: Database, keys: readonly ApiKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await kysely
    .selectFrom('api_keys')
    .select('rotated_from')
    .where(
      'rotated_from',
      'in',
      keys.map(({ id }) => id),
    )
    .where('revoked_at', 'is', null)
    .execute();
  return new Set(rows.flatMap(({ rotated_from: id }) => id ?? []));
}
