import { pino } from 'pino';

import { createWorkspace } from '../../workspaces/index.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';
import { enqueueEvent } from '../enqueue.ts';
import { DEFAULT_BOUNDS, type DeliveryBounds } from '../delivery/claim.ts';
import { type DeliveryParts, deliveryWorker } from '../delivery/worker.ts';
import { createEndpoint, type Endpoint } from '../endpoints.ts';
import { EVENT_TYPES, type NewEvent } from '../events.ts';
import { webhookBox } from '../secret.ts';

const box = webhookBox('of the tests');

/** For what changes endpoints in tests. */
export const endpointDeps = (database: Database) => ({ database, clock: systemClock, box });

/** A workspace; gives its id. */
export async function workspaceNamed(database: Database, slug: string): Promise<string> {
  const created = await createWorkspace({ database, clock: systemClock }, { slug, plan: 'free' }, 'cli:test');
  if (created.kind !== 'created') throw new Error(created.kind);
  return created.workspace.id;
}

/** Returns an endpoint that is subscribed to every event. */
export async function endpointAt(
  database: Database,
  workspaceId: string,
  url: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const wanted = { workspaceId, url, events: EVENT_TYPES };
  const made = await createEndpoint(endpointDeps(database), wanted, 'person:ada@example.com');
  if (made.kind !== 'created') throw new Error(made.kind);
  return made;
}

/** An event of a workspace. */
export async function emitEvent(database: Database, workspaceId: string, number = 0, atMs = Date.now()): Promise<void> {
  const event: NewEvent = {
    type: 'report.decided',
    data: { reportId: `report-${number}`, vin: '1HGCM82633A004352', state: 'accepted', reason: '' },
  };
  await database.kysely.transaction().execute((transaction) => enqueueEvent(transaction, { workspaceId }, event, atMs));
}

/** A test's changes to an instance's delivery worker. */
export interface TestDelivery extends Partial<Omit<DeliveryParts, 'bounds'>> {
  bounds?: Partial<DeliveryBounds>;
}

/** Returns one instance's delivery worker, which may deliver to this machine. Not started. */
export function deliveryOn(
  database: Database,
  { bounds, ...more }: TestDelivery = {},
): ReturnType<typeof deliveryWorker> {
  return deliveryWorker({
    database,
    clock: systemClock,
    box,
    allowPrivate: true,
    sendsMail: false,
    log: pino({ level: 'silent' }),
    random: () => 0,
    ...more,
    bounds: { ...DEFAULT_BOUNDS, pollMs: 20, graceMs: 0, ...bounds },
  });
}
