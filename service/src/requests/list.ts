import { sql } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import { removeInBatches } from '../kernel/db/batches.ts';
import { idRanges, type IdRange, RANGE_ROWS } from '../kernel/db/id-ranges.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import type { Database } from '../kernel/db/index.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';

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

/** Rows that one search looks at; the next page continues from there. */
const MOST_LOOKED = 50_000;

/** Part of a list of requests, newest first. */
export interface RequestPage {
  requests: LoggedRequest[];
  /** The position from which older ones are searched; undefined: they were all searched, or enough were found. */
  olderThan: string | undefined;
}

/** Returns requests of a workspace, newest first. */
export async function listRequests(
  database: Database,
  workspaceId: string,
  wanted: RequestQuery,
  { turn = anyTurn, mostLooked = MOST_LOOKED }: { turn?: NextTurn; mostLooked?: number } = {},
): Promise<RequestPage> {
  const { kysely } = database;
  const { id, statuses, keyId, route, fromMs, untilMs, before, limit } = wanted;
  const own = kysely.selectFrom('requests').where('workspace_id', '=', workspaceId);
  let query = own
    .select(['id', 'answered_id', 'key_id as keyId', 'route', 'status', 'milliseconds', 'reason'])
    .orderBy('id', 'desc');
  if (id !== undefined) {
    // Two look-ups in an index: for one condition of both, SQLite would look at all rows.
    const answered = own.select('id').where('answered_id', '=', id);
    query = query.where('id', 'in', own.select('id').where('id', '=', id).unionAll(answered));
  }
  if (statuses !== undefined) {
    // A literal: both databases take the index of refusals for no parameter.
    if (statuses[0] >= 400) query = query.where('status', '>=', sql.lit(400));
    query = query.where('status', '>=', statuses[0]).where('status', '<=', statuses[1]);
  }
  if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  if (route !== undefined) query = query.where('route', '=', route);
  if (fromMs !== undefined) query = query.where('id', '>=', leastUuid7(fromMs));
  if (untilMs !== undefined) query = query.where('id', '<', leastUuid7(untilMs));
  const nthBelow = async (count: number, below: string | undefined): Promise<string | undefined> => {
    let ids = own.select('id').orderBy('id', 'desc').offset(count).limit(1);
    if (below !== undefined) ids = ids.where('id', '<', below);
    if (fromMs !== undefined) ids = ids.where('id', '>=', leastUuid7(fromMs));
    if (untilMs !== undefined) ids = ids.where('id', '<', leastUuid7(untilMs));
    return (await ids.executeTakeFirst())?.id;
  };
  const ranges: AsyncIterable<IdRange> | IdRange[] =
    id === undefined ? idRanges(nthBelow, before, turn) : [{ below: before }];
  const rows: Awaited<ReturnType<typeof query.execute>> = [];
  let looked = 0;
  let olderThan: string | undefined;
  for await (const { below, from } of ranges) {
    let part = query.limit(limit - rows.length);
    if (below !== undefined) part = part.where('id', '<', below);
    if (from !== undefined) part = part.where('id', '>=', from);
    rows.push(...(await part.execute()));
    looked += RANGE_ROWS;
    if (from !== undefined && looked >= mostLooked) olderThan = from;
    if (rows.length >= limit || olderThan !== undefined) break;
  }
  const requests = rows.map((row) => {
    const { answered_id: answeredId, ...rest } = row;
    return { ...rest, atMs: timeOf(row.id), answeredId: answeredId ?? row.id };
  });
  return { requests, olderThan: rows.length >= limit ? undefined : olderThan };
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
export async function pruneRequests(database: Database, nowMs: number): Promise<number> {
  const before = leastUuid7(nowMs - REQUEST_DAYS * DAY_MS);
  let removed = 0;
  // By workspace, since they are stored so.
  for (const { id } of await database.kysely.selectFrom('workspaces').select('id').execute())
    removed += await removeRequests(database, id, before);
  return removed;
}

/** Removes a workspace's requests, all of them or those before an id, some at a time. @returns how many. */
export async function removeRequests(database: Database, workspaceId: string, before?: string): Promise<number> {
  const own = sql<boolean>`workspace_id = ${workspaceId}`;
  const where = before === undefined ? own : sql<boolean>`${own} AND id < ${before}`;
  return removeInBatches(database, { table: 'requests', key: ['workspace_id', 'id'], where });
}

/** Returns the time that a UUIDv7 begins with. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
