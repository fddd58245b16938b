import { sql } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import { BATCH_ROWS, inBatches } from '../kernel/db/batches.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import type { Database } from '../kernel/db/index.ts';

/** The retention of requests, in days. */
export const REQUEST_DAYS = 30;

/** The number of latest requests that supply the routes in the filter. */
const ROUTES_OF = 5_000;

/** A request of a workspace's key. */
export interface LoggedRequest {
  id: string;
  atMs: number;
  /** The id that its answer carried: another one's where it was repeated. */
  answeredId: string;
  keyId: string;
  route: string;
  status: number;
  milliseconds: number;
  reason: string | null;
}

/** A filter on requests. */
interface RequestQuery {
  /** Answered with this id. */
  id?: string | undefined;
  /** Least and greatest status. */
  statuses?: readonly [number, number] | undefined;
  keyId?: string | undefined;
  route?: string | undefined;
  fromMs?: number;
  untilMs?: number;
  /** Only those before this one: for the next page. */
  before?: string | undefined;
  limit: number;
}

/** Requests of a workspace, newest first. */
export async function listRequests(
  { kysely }: Database,
  workspaceId: string,
  wanted: RequestQuery,
): Promise<LoggedRequest[]> {
  const { id, statuses, keyId, route, fromMs, untilMs, before, limit } = wanted;
  let query = kysely
    .selectFrom('requests')
    .select(['id', 'answered_id', 'key_id as keyId', 'route', 'status', 'milliseconds', 'reason'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (id !== undefined) query = query.where((where) => where.or([where('id', '=', id), where('answered_id', '=', id)]));
  if (statuses !== undefined) {
    // A literal: both databases take the index of refusals for no parameter.
    if (statuses[0] >= 400) query = query.where('status', '>=', sql.lit(400));
    query = query.where('status', '>=', statuses[0]).where('status', '<=', statuses[1]);
  }
  if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  if (route !== undefined) query = query.where('route', '=', route);
  if (fromMs !== undefined) query = query.where('id', '>=', leastUuid7(fromMs));
  if (untilMs !== undefined) query = query.where('id', '<', leastUuid7(untilMs));
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.execute();
  return rows.map((row) => Object.assign(row, { atMs: timeOf(row.id), answeredId: row.answered_id ?? row.id }));
}

/** Returns the routes of a workspace's latest requests, in order. */
export async function requestedRoutes({ kysely }: Database, workspaceId: string): Promise<string[]> {
  const latest = kysely
    .selectFrom('requests')
    .select('route')
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(ROUTES_OF);
  const rows = await kysely.selectFrom(latest.as('latest')).select('route').distinct().orderBy('route').execute();
  return rows.map(({ route }) => route);
}

/** Removes requests that are older than they are kept. @returns how many. */
export async function pruneRequests({ kysely }: Database, nowMs: number): Promise<number> {
  const before = leastUuid7(nowMs - REQUEST_DAYS * DAY_MS);
  let removed = 0;
  // By workspace, since they are stored so.
  for (const { id: workspaceId } of await kysely.selectFrom('workspaces').select('id').execute()) {
    removed += await inBatches(async () => {
      const old = kysely
        .selectFrom('requests')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('id', '<', before)
        .orderBy('id')
        .limit(BATCH_ROWS);
      const deleted = kysely.deleteFrom('requests').where('workspace_id', '=', workspaceId).where('id', 'in', old);
      return Number((await deleted.executeTakeFirst()).numDeletedRows);
    });
  }
  return removed;
}

/** Returns the time that a UUIDv7 begins with. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
