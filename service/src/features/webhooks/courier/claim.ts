import { randomUUID } from 'node:crypto';

import type { Selectable, Transaction } from 'kysely';

import type { Database, Schema } from '../../../platform/db/index.ts';
import type { Claimed } from '../../../platform/jobs/claim-loop.ts';
import type { CourierBounds } from './bounds.ts';

/** An endpoint that one holder has claimed, with what is due there. */
export interface Round {
  endpointId: string;
  workspaceId: string;
  /** Names the claim. */
  holder: string;
  url: string;
  /** Sealed; the newest first. */
  secrets: string[];
  /** Whether nothing was delivered there lately: then one delivery only. */
  isFailing: boolean;
  deliveries: Selectable<Schema['webhook_deliveries']>[];
}

/** How many endpoints a claim may take. */
interface Room {
  all: number;
  /** Of these, such as failed last time. */
  failing: number;
}

/**
 * Claims endpoints for which something is due, those that work before those that failed. A claim holds until every
 * receiver must have answered; if its holder dies, the endpoint can be claimed again then.
 */
export async function claimRounds(
  database: Database,
  room: Room,
  nowMs: number,
  bounds: CourierBounds,
): Promise<Claimed<Round>> {
  // A look without a lock: an instance that has nothing to do must not hold up those that write.
  const next = await database.kysely
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.min('due_at').as('dueAt'))
    .where('due_at', 'is not', null)
    .executeTakeFirst();
  const dueAtMs = next?.dueAt ?? Infinity;
  if (dueAtMs > nowMs) return { jobs: [], notBeforeMs: dueAtMs };
  const jobs = await database.kysely.transaction().execute(async (transaction) => {
    const healthy = await lockEndpoints(transaction, database.engine, 'healthy', room.all, nowMs);
    const most = Math.min(room.failing, room.all - healthy.length);
    const failing = await lockEndpoints(transaction, database.engine, 'failing', most, nowMs);
    const rounds: Round[] = [];
    for (const endpoint of [...healthy, ...failing]) {
      rounds.push(await beginRound(transaction, endpoint, nowMs, bounds));
    }
    return rounds;
  });
  return { jobs, notBeforeMs: nowMs + bounds.pollMs };
}

type EndpointRow = Selectable<Schema['webhook_endpoints']>;

async function lockEndpoints(
  transaction: Transaction<Schema>,
  engine: Database['engine'],
  which: 'healthy' | 'failing',
  most: number,
  nowMs: number,
): Promise<EndpointRow[]> {
  if (most <= 0) return [];
  return (
    transaction
      .selectFrom('webhook_endpoints as e')
      .selectAll('e')
      .where('e.failures', which === 'healthy' ? '=' : '>', 0)
      .where('e.disabled_at', 'is', null)
      .where('e.free_at', '<=', nowMs)
      .where((where) =>
        where.exists(
          where
            .selectFrom('webhook_deliveries as d')
            .select('d.event_id')
            .whereRef('d.endpoint_id', '=', 'e.id')
            .where('d.due_at', '<=', nowMs),
        ),
      )
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('workspaces as w')
              .select('w.id')
              .whereRef('w.id', '=', 'e.workspace_id')
              .where('w.suspended_at', 'is not', null),
          ),
        ),
      )
      .orderBy('e.free_at')
      .limit(most)
      // Whoever writes an event for the endpoint meanwhile need not wait.
      .$if(engine === 'postgres', (query) => query.forNoKeyUpdate().skipLocked())
      .execute()
  );
}

async function beginRound(
  transaction: Transaction<Schema>,
  row: EndpointRow,
  nowMs: number,
  bounds: CourierBounds,
): Promise<Round> {
  const holder = randomUUID();
  const isFailing = row.failures > 0;
  await transaction
    .updateTable('webhook_endpoints')
    .set({ holder, free_at: nowMs + bounds.timeoutMs + bounds.leaseMarginMs })
    .where('id', '=', row.id)
    .execute();
  const deliveries = await transaction
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('endpoint_id', '=', row.id)
    .where('due_at', '<=', nowMs)
    .orderBy('due_at')
    .limit(isFailing ? 1 : bounds.perEndpoint)
    .execute();
  const { old_secret: old, old_secret_until: until } = row;
  return {
    endpointId: row.id,
    workspaceId: row.workspace_id,
    holder,
    url: row.url,
    secrets: old !== null && until !== null && until > nowMs ? [row.secret, old] : [row.secret],
    isFailing,
    deliveries,
  };
}
