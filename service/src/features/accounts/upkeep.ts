import type { Database } from '../../platform/db/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes links and counts of tries whose time is over, and sessions that have ended by themselves. */
export async function removeOldAccountData({ kysely, engine }: Database, nowMs: number): Promise<void> {
  await kysely.deleteFrom('account_links').where('expires_at', '<', nowMs).execute();
  await kysely
    .deleteFrom('auth_tries')
    .where('window_start', '<', nowMs - DAY_MS)
    .execute();
  // better-auth's own column type: ISO text on SQLite, a timestamp on PostgreSQL.
  const now = new Date(nowMs);
  const moment = engine === 'sqlite' ? now.toISOString() : now;
  await kysely.deleteFrom('auth_sessions').where('expires_at', '<', moment).execute();
  await kysely.deleteFrom('auth_verifications').where('expires_at', '<', moment).execute();
}
