import type Sqlite from 'better-sqlite3';

import type { ChargeGroup } from './store.ts';

// The thread that commits usage loads this file: what it imports is in memory twice.

/** Shares of a month's limit that a workspace is told of, in percent. */
const THRESHOLDS = [80, 100] as const;

const WORKSPACE = 'workspace:';

/** What was told last: thresholds of one limit up to this one. */
export interface Told {
  limit: number | null;
  percent: number;
}

/**
 * The thresholds that are reached and not told yet, least first. Each is told once for a month and a limit: where the
 * limit changes, those of the new limit count from then on. No limit, and a limit of nought, have none.
 *
 * Whatever a limit becomes, the news comes with the next request, be it granted or refused. The same rule stands in the
 * function `marque_charge`.
 */
export function thresholdsToTell(limit: number | null, used: number, told: Told): number[] {
  if (limit === null || limit === 0) return [];
  const already = told.limit === limit ? told.percent : 0;
  return THRESHOLDS.filter((percent) => percent > already && used * 100 >= limit * percent);
}

/** Writes that a workspace has reached thresholds, in the transaction of the charge. */
export class ThresholdNews {
  readonly #tell: Sqlite.Statement<[number, number, string, number]>;
  readonly #deliver: Sqlite.Statement<[string, string, number, number, string]>;

  constructor(connection: Sqlite.Database) {
    this.#tell = connection.prepare(
      'UPDATE usage_counters SET told_limit = ?, told_percent = ? WHERE subject = ? AND window_start = ?',
    );
    this.#deliver = connection.prepare(
      `INSERT INTO webhook_deliveries (event_id, endpoint_id, type, data, created_at, state, attempts, run_at)
       SELECT ?, id, 'usage.threshold', ?, ?, 'pending', 0, ? FROM webhook_endpoints
       WHERE workspace_id = ? AND disabled_at IS NULL AND ',' || events || ',' LIKE '%,usage.threshold,%'
       ON CONFLICT DO NOTHING`,
    );
  }

  /** Tells the workspace of a group, where there is something to tell. */
  write({ subject, windowStartMs, windowEndMs, limit, requests }: ChargeGroup, used: number, told: Told): void {
    if (limit === null || !subject.startsWith(WORKSPACE)) return;
    const percents = thresholdsToTell(limit, used, told);
    const highest = percents.at(-1);
    if (highest === undefined) return;
    this.#tell.run(limit, highest, subject, windowStartMs);
    const workspaceId = subject.slice(WORKSPACE.length);
    const atMs = Math.max(...requests.flatMap(({ decodes }) => decodes.map(({ createdAtMs }) => createdAtMs)));
    for (const percent of percents) {
      const id = ['usage', workspaceId, windowStartMs, limit, percent].join('-');
      const data = JSON.stringify({ percent, limit, used, windowStartMs, windowEndMs });
      this.#deliver.run(id, data, atMs, atMs, workspaceId);
    }
  }
}
