import type Sqlite from 'better-sqlite3';

import type { PackedGroup } from './packed.ts';

// The thread that commits usage loads this file: its imports are in memory twice.

/** Shares of a month's limit whose reaching is an event, in percent. */
const THRESHOLDS = [80, 100] as const;

const WORKSPACE = 'workspace:';

/** Returns the thresholds that are reached, least first. No limit, and a limit of zero, have none. */
export function thresholdsReached(limit: number | null, used: number): number[] {
  return limit === null || limit === 0 ? [] : THRESHOLDS.filter((percent) => used * 100 >= limit * percent);
}

/**
 * Writes to the outbox `usage_thresholds` that a workspace has reached thresholds, in the transaction of the charge:
 * once for each month and limit. After a limit changes, the next request is the one that reaches, granted or refused.
 * The function `marque_charge` follows the same rule on PostgreSQL.
 */
export function thresholdWriter(
  connection: Sqlite.Database,
): (group: PackedGroup, used: number, latestMs: () => number) => void {
  const insert = connection.prepare<[string, number, number, number, number, number, number]>(
    `INSERT INTO usage_thresholds (workspace_id, window_start, usage_limit, percent, used, window_end, reached_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return ({ subject, windowStartMs, windowEndMs, limit }, used, latestMs) => {
    if (limit === null || !subject.startsWith(WORKSPACE)) return;
    const reached = thresholdsReached(limit, used);
    if (reached.length === 0) return;
    const workspaceId = subject.slice(WORKSPACE.length);
    const atMs = latestMs();
    for (const percent of reached) insert.run(workspaceId, windowStartMs, limit, percent, used, windowEndMs, atMs);
  };
}
