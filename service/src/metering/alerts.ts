import { sql } from 'kysely';

import { type Act, type ActDeps, type Actor, audited } from '../kernel/audit/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Database } from '../kernel/db/index.ts';
import { monthOf } from '../kernel/db/month.ts';
import type { Schedule } from '../kernel/jobs/index.ts';
import { enqueueMail } from '../kernel/mail/index.ts';
import { count } from '../kernel/ui/numbers.ts';
import { limitOf, ownerAddresses, workspaceSubject, type Workspace, workspaceOf } from '../workspaces/index.ts';
import { usedBy } from './stored.ts';
import { isoDay } from '../kernel/clock.ts';

/** Alerts of one workspace. */
export const MOST_ALERTS = 5;

const EVERY_MS = 60_000;

/** Returns the shares of the limit, in percent, at which a workspace's owners get a mail, least first. */
export async function alertsOf({ kysely }: Database, workspaceId: string): Promise<number[]> {
  const alerts = kysely.selectFrom('usage_alerts').select('percent').where('workspace_id', '=', workspaceId);
  return (await alerts.orderBy('percent').execute()).map(({ percent }) => percent);
}

/** Parses shares as people type them; undefined if they are none. Pure. */
export function readAlerts(text: string): number[] | undefined {
  const parts = text.split(/[\s,;%]+/).filter(Boolean);
  const percents = [...new Set(parts.map(Number))].toSorted((one, other) => one - other);
  const isRight = percents.every((percent) => Number.isInteger(percent) && percent >= 1 && percent <= 100);
  return isRight && percents.length <= MOST_ALERTS ? percents : undefined;
}

/** Sets the shares at which a workspace's owners get a mail. Shares already reached send none. */
export async function setAlerts(
  deps: ActDeps,
  workspace: Pick<Workspace, 'id'> & { limit: number | null },
  percents: readonly number[],
  actor: Actor,
): Promise<void> {
  const { id: workspaceId, limit } = workspace;
  await audited(deps, actor, async ({ transaction, atMs, appendEntry }) => {
    const { startMs } = monthOf(atMs);
    const used = await usedBy({ kysely: transaction }, workspaceSubject(workspaceId), startMs);
    const all = transaction.deleteFrom('usage_alerts').where('workspace_id', '=', workspaceId);
    await (percents.length === 0 ? all : all.where('percent', 'not in', percents)).execute();
    for (const percent of percents) {
      const isOver = isReached(used, limit, percent);
      const mailed = isOver ? { mailed_in: startMs, mailed_limit: limit } : {};
      await transaction
        .insertInto('usage_alerts')
        .values({ workspace_id: workspaceId, percent, ...mailed })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    const details = { percents };
    await appendEntry({ action: 'workspace.alerts-set', subject: `workspace:${workspaceId}`, details });
  });
}

/** Looks every minute who has reached a share, away from the charges, which must not wait for mails. */
export function usageAlerts(deps: ActDeps & { config: Pick<Config, 'planLimits'> }): Schedule {
  return { name: 'usage alerts', everyMs: EVERY_MS, run: () => mailAlerts(deps) };
}

/**
 * Mails the owners of workspaces that have reached a share: once for each month and limit, and one mail for several
 * shares.
 */
export async function mailAlerts(deps: ActDeps & { config: Pick<Config, 'planLimits'> }): Promise<void> {
  const nowMs = deps.clock();
  const { startMs } = monthOf(nowMs);
  const rows = await deps.database.kysely
    .selectFrom('usage_alerts as alert')
    .innerJoin('workspaces', 'workspaces.id', 'alert.workspace_id')
    .innerJoin('usage_counters as counter', (join) =>
      join
        .on('counter.subject', '=', sql<string>`'workspace:' || alert.workspace_id`)
        .on('counter.window_start', '=', startMs),
    )
    .selectAll('workspaces')
    .select(['percent', 'mailed_in', 'mailed_limit', 'used'])
    .where('suspended_at', 'is', null)
    .orderBy('workspaces.id')
    .orderBy('percent')
    .execute();
  const news = new Map<string, Reached>();
  for (const row of rows) {
    const workspace = workspaceOf(row);
    const limit = limitOf(workspace, deps.config.planLimits, nowMs);
    const isOld = row.mailed_in === startMs && row.mailed_limit === limit;
    if (limit === null || isOld || !isReached(row.used, limit, row.percent)) continue;
    news.set(workspace.id, { workspace, limit, used: row.used, percent: row.percent });
  }
  for (const reached of news.values()) await audited(deps, 'service:usage alerts', (act) => mail(act, reached));
}

interface Reached {
  workspace: Workspace;
  limit: number;
  used: number;
  /** The greatest share that was reached. */
  percent: number;
}

async function mail(act: Act, { workspace, limit, used, percent }: Reached) {
  const { transaction, atMs, appendEntry } = act;
  const { startMs, endMs } = monthOf(atMs);
  await transaction
    .updateTable('usage_alerts')
    .set({ mailed_in: startMs, mailed_limit: limit })
    .where('workspace_id', '=', workspace.id)
    .where('percent', '<=', percent)
    .execute();
  const resets = isoDay(endMs);
  const outlook =
    used >= limit
      ? `Further decodes are refused with 429 until the count resets on ${resets} (UTC).`
      : `At the limit, decodes are refused with 429 until the count resets on ${resets} (UTC).`;
  const text = `The workspace ${workspace.slug} has used ${count(used)} of its ${count(limit)} decodes this month, ${Math.floor((used / limit) * 100)}%.\n\n${outlook}\n\nUsage, plans, and these alerts are in the portal.\n`;
  const subject = `${workspace.slug} has used ${percent}% of its decodes this month`;
  for (const to of await ownerAddresses(act, workspace.id)) {
    await enqueueMail(transaction, { to, subject, text }, atMs);
  }
  const details = { percent, used, limit };
  await appendEntry({ action: 'workspace.alert-mailed', subject: `workspace:${workspace.id}`, details });
}

function isReached(used: number, limit: number | null, percent: number): boolean {
  return limit !== null && limit > 0 && used * 100 >= limit * percent;
}
