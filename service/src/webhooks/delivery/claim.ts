import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';

import type { Database, Schema } from '../../kernel/db/index.ts';
import { claim, type Claimed } from '../../kernel/jobs/index.ts';
import { secretsOf } from '../endpoints.ts';
import { giveUpWaiting } from '../giving-up.ts';

/** Concurrency, attempts and timeouts of the running service. */
export const DEFAULT_BOUNDS = {
  /**
   * Endpoints that one instance delivers to at once. At most half of them are endpoints that failed last time, or of
   * workspaces with a slow one.
   */
  endpoints: 16,
  /** Further endpoints at once: those that took `slowMs` leave their places to others. */
  slowEndpoints: 32,
  /** A workspace has a slow endpoint while one took this long, and for `slowForMs` after that. */
  slowMs: 2_000,
  slowForMs: 600_000,
  /** Deliveries to one endpoint at once, over all instances; to one that failed last time: one. */
  perEndpoint: 8,
  /** A receiver that has not answered by then has failed. */
  timeoutMs: 15_000,
  /** The time from that limit to the end of an endpoint's lease. Covers clocks that differ, too. */
  leaseMarginMs: 15_000,
  /** The interval at which an instance polls for due deliveries. */
  pollMs: 1_000,
  /** The time that receivers get to answer when an instance stops: what they have not answered is sent again. */
  graceMs: 10_000,
};

/** Bounds of deliveries: tests set their own. */
export type DeliveryBounds = Readonly<typeof DEFAULT_BOUNDS>;

/** An endpoint that a worker has claimed, with the deliveries that are due there. */
export interface Batch {
  endpointId: string;
  workspaceId: string;
  /** Names the lease. */
  lockedBy: string;
  url: string;
  /** Sealed; the newest first. */
  secrets: string[];
  /** True if it failed last time: then one delivery only. */
  isFailing: boolean;
  /** True if it counts among the half that failed or are slow. */
  isRestrained: boolean;
  deliveries: Selectable<Schema['webhook_deliveries']>[];
}

/** The number of endpoints that a claim may take. */
interface Limits {
  all: number;
  /** The number of these that may have failed last time, or belong to slow workspaces. */
  restrained: number;
  /** Ids of workspaces with a slow endpoint. */
  slow: readonly string[];
}

/**
 * Claims endpoints with due deliveries, prompt ones before those that failed or are slow. A lease lasts until every
 * receiver must have answered.
 */
export async function claimBatches(
  database: Database,
  limits: Limits,
  nowMs: number,
  bounds: DeliveryBounds,
): Promise<Claimed<Batch>> {
  // Reads without a lock: an idle instance must not block writers.
  const next = await database.kysely
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('run_at').as('runAt'))
    .where('run_at', 'is not', null)
    .executeTakeFirst();
  const runAtMs = next?.runAt ?? Infinity;
  if (runAtMs > nowMs) return { jobs: [], notBeforeMs: runAtMs };
  if (limits.all === 0) return { jobs: [], notBeforeMs: nowMs + bounds.pollMs };
  const jobs = await database.kysely.transaction().execute(async (transaction) => {
    const isSlow = limits.slow.length === 0 ? sql`1 = 0` : sql`job.workspace_id IN (${sql.join(limits.slow)})`;
    const restrained = sql<boolean>`(job.failures > 0 OR ${isSlow})`;
    const prompt = sql<boolean>`NOT ${restrained}`;
    const first = await claimEndpoints(transaction, database.engine, prompt, limits.all, nowMs, bounds);
    const most = Math.min(limits.restrained, limits.all - first.length);
    const others = await claimEndpoints(transaction, database.engine, restrained, most, nowMs, bounds);
    const batches: Batch[] = [];
    for (const endpointId of first) batches.push(await readBatch(transaction, endpointId, nowMs, bounds, false));
    for (const endpointId of others) batches.push(await readBatch(transaction, endpointId, nowMs, bounds, true));
    return batches;
  });
  if (jobs.length === 0) await giveUpWaiting(database);
  return { jobs, notBeforeMs: nowMs + bounds.pollMs };
}

async function claimEndpoints(
  transaction: Transaction<Schema>,
  engine: Database['engine'],
  which: RawBuilder<boolean>,
  limit: number,
  nowMs: number,
  { timeoutMs, leaseMarginMs }: DeliveryBounds,
): Promise<string[]> {
  const leases = await claim(transaction, engine, {
    table: 'webhook_endpoints',
    key: 'id',
    limit,
    nowMs,
    leaseMs: timeoutMs + leaseMarginMs,
    where: sql<boolean>`${which}
      AND job.disabled_at IS NULL
      AND EXISTS (SELECT 1 FROM webhook_deliveries AS d WHERE d.endpoint_id = job.id AND d.run_at <= ${nowMs})
      AND NOT EXISTS (SELECT 1 FROM workspaces AS w WHERE w.id = job.workspace_id AND w.suspended_at IS NOT NULL)`,
  });
  return leases.map(({ key }) => key);
}

async function readBatch(
  transaction: Transaction<Schema>,
  endpointId: string,
  nowMs: number,
  bounds: DeliveryBounds,
  isRestrained: boolean,
): Promise<Batch> {
  const row = await transaction
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', endpointId)
    .executeTakeFirstOrThrow();
  const isFailing = row.failures > 0;
  const deliveries = await transaction
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('run_at', '<=', nowMs)
    .orderBy('run_at')
    .limit(isFailing ? 1 : bounds.perEndpoint)
    .execute();
  return {
    endpointId,
    workspaceId: row.workspace_id,
    lockedBy: row.locked_by ?? '',
    url: row.url,
    secrets: secretsOf(row, nowMs),
    isFailing,
    isRestrained,
    deliveries,
  };
}
