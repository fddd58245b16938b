import { sql } from 'kysely';

import { DAY_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { leastUuid7 } from '../kernel/db/uuid7.ts';
import { dayOf, monthOf } from '../kernel/db/month.ts';
import { type Workspace, workspaceOf } from '../workspaces/index.ts';

/** A workspace and its usage in the current month. */
export interface WorkspaceUsage {
  workspace: Workspace;
  used: number;
}

/** A filter on workspaces, in the order of their slugs. */
interface WorkspacesWanted {
  /** A part of their slugs. */
  part: string;
  /** The slug after which they begin. */
  after: string;
  limit: number;
  nowMs: number;
}

/** Returns charged decodes of all workspaces and the public on each of the last days, the oldest first. */
export async function chargedByDay(database: Database, nowMs: number, days: number): Promise<number[]> {
  const first = dayOf(nowMs) - (days - 1) * DAY_MS;
  const rows = await database.kysely
    .selectFrom('usage_ledger')
    .select(({ fn }) => ['day_start', fn.sum<number>('charged').as('charged')])
    .where('day_start', '>=', first)
    .groupBy('day_start')
    .execute();
  const byDay = new Map(rows.map((row) => [row.day_start, row.charged]));
  return Array.from({ length: days }, (_, day) => byDay.get(first + day * DAY_MS) ?? 0);
}

/** Counts decodes by outcome since a moment. */
export async function outcomesSince(database: Database, sinceMs: number): Promise<Map<string, number>> {
  const rows = await database.kysely
    .selectFrom('decodes')
    .select(({ fn }) => ['outcome', fn.countAll<number>().as('count')])
    .where('id', '>=', leastUuid7(sinceMs))
    .groupBy('outcome')
    .execute();
  return new Map(rows.map((row) => [row.outcome, row.count]));
}

/** Lists workspaces with their usage in this month. */
export async function workspacesWithUsage(
  database: Database,
  { part, after, limit, nowMs }: WorkspacesWanted,
): Promise<WorkspaceUsage[]> {
  // Slugs contain no wildcards: a text that has one matches none.
  const text = part.toLowerCase().replace(/[^a-z0-9-]/g, '');
  let query = database.kysely
    .selectFrom('workspaces')
    .leftJoin('usage_counters', (join) =>
      join
        .on((on) => on('usage_counters.subject', '=', sql<string>`'workspace:' || workspaces.id`))
        .on('usage_counters.window_start', '=', monthOf(nowMs).startMs),
    )
    .selectAll('workspaces')
    .select('used')
    .where('slug', '>', after)
    .orderBy('slug')
    .limit(limit);
  if (text !== '') query = query.where('slug', 'like', `%${text}%`);
  return (await query.execute()).map((row) => ({ workspace: workspaceOf(row), used: row.used ?? 0 }));
}
