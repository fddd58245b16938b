import type { Database } from '../kernel/db/index.ts';

/** A session of a person, on some browser. */
export interface BrowserSession {
  id: string;
  userAgent: string;
  createdAtMs: number;
  lastUsedAtMs: number;
}

/** Where a person is signed in, the last used first. Who is signed in by a request's cookie: `Accounts.personOf`. */
export async function sessionsOf({ kysely }: Database, personId: string): Promise<BrowserSession[]> {
  const rows = await kysely
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent', 'created_at', 'updated_at', 'expires_at'])
    .where('user_id', '=', personId)
    .execute();
  return rows
    .filter((row) => new Date(row.expires_at).getTime() > Date.now())
    .map((row) => ({
      id: row.id,
      userAgent: row.user_agent ?? '',
      createdAtMs: new Date(row.created_at).getTime(),
      lastUsedAtMs: new Date(row.updated_at).getTime(),
    }))
    .toSorted((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
}

/** Ends one of a person's sessions by its id, or (`others`) all but the one that asks. */
export async function endSession(
  { kysely }: Database,
  person: { id: string; sessionId: string },
  which: string,
): Promise<void> {
  const own = kysely.deleteFrom('auth_sessions').where('user_id', '=', person.id);
  await (which === 'others' ? own.where('id', '!=', person.sessionId) : own.where('id', '=', which)).execute();
}

/** Ends all sessions of a person, or (undefined) of everyone. @returns how many. */
export async function endSessions(kysely: Database['kysely'], personId: string | undefined): Promise<number> {
  const all = kysely.deleteFrom('auth_sessions');
  const { numDeletedRows } = await (
    personId === undefined ? all : all.where('user_id', '=', personId)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}
