import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../../kernel/db/index.ts';
import { ENGINES } from '../../testing/databases.ts';
import { until } from '../../testing/until.ts';
import { latestDeliveries } from '../deliveries.ts';
import { deliveriesOn, type TestDeliveries } from '../testing/deliveries.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { emitEvent, endpointAt, workspaceNamed } from '../testing/webhooks.ts';
import { DEFAULT_BOUNDS } from './claim.ts';

const SCRIPT = join(import.meta.dirname, '../testing/webhook-process.ts');

describe.each(ENGINES)('on %s', (engine) => {
  let deliveries: TestDeliveries;
  let database: Database;
  let receiver: Receiver;
  let workspaceId: string;
  let start: TestDeliveries['start'];
  let statesOf: TestDeliveries['statesOf'];
  let settled: TestDeliveries['settled'];

  beforeEach(async () => {
    deliveries = await deliveriesOn(engine);
    ({ database, receiver, workspaceId, start, statesOf, settled } = deliveries);
  });

  afterEach(() => deliveries.close());

  /** Counts the given endpoints that an instance delivers to at this moment. */
  const heldAmong = async (ids: readonly string[]): Promise<number> => {
    const held = database.kysely.selectFrom('webhook_endpoints').select('id').where('locked_by', 'is not', null);
    return (await held.where('id', 'in', ids).execute()).length;
  };

  test('a receiver that hangs holds up no other, however many deliveries wait for it', async () => {
    const dead = await startReceiver();
    dead.treat(() => {});
    const deadIds: string[] = [];
    for (let number = 0; number < 6; number++) {
      const deadWorkspace = await workspaceNamed(database, `dead-${number}`);
      deadIds.push((await endpointAt(database, deadWorkspace, dead.url)).endpoint.id);
      for (let event = 0; event < 20; event++) await emitEvent(database, deadWorkspace, event);
    }
    const finding = start({ bounds: { endpoints: 4, timeoutMs: 250 } });
    await until(async () => {
      const failed = await database.kysely
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('failures', '>', 0)
        .execute();
      return failed.length === deadIds.length;
    });
    await finding.close();
    // From here on a dead receiver occupies its slot for longer than this test takes.
    deliveries.aheadMs += 60_000;
    start({ bounds: { endpoints: 4, timeoutMs: 120_000 } });
    await until(async () => (await heldAmong(deadIds)) === 2);
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    for (let event = 0; event < 40; event++) await emitEvent(database, workspaceId, event);
    await until(() => settled(endpoint.id));
    expect(new Set(await statesOf(endpoint.id))).toEqual(new Set(['delivered']));
    expect(await heldAmong(deadIds)).toBe(2);
    expect(receiver.mostAtOnce()).toBeLessThanOrEqual(8);
    await dead[Symbol.asyncDispose]();
  });

  test('slow receivers of one workspace that answer do not keep the events of another waiting', async () => {
    const slowly = await startReceiver();
    const held: ServerResponse[] = [];
    slowly.treat((response) => void held.push(response));
    const slowId = await workspaceNamed(database, 'slow');
    const slowIds: string[] = [];
    for (let count = 0; count < 4; count++) {
      const { endpoint } = await endpointAt(database, slowId, `${slowly.url}/${count}`);
      slowIds.push(endpoint.id);
    }
    start({ bounds: { endpoints: 4, slowMs: 1, timeoutMs: 120_000 } });
    await emitEvent(database, slowId, 1);
    await until(async () => held.length === 4);
    for (const response of held.splice(0)) response.writeHead(204).end();
    for (const id of slowIds) await until(() => settled(id));
    await emitEvent(database, slowId, 2);
    await until(async () => held.length > 1);
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    await until(() => settled(endpoint.id));
    expect(held).toHaveLength(2);
    for (const response of held) response.writeHead(204).end();
    slowly.treat((response) => response.writeHead(204).end());
    for (const id of slowIds) await until(() => settled(id));
    await slowly[Symbol.asyncDispose]();
  });

  test('receivers that prove slow for the first time leave their places to others, however many they are', async () => {
    const slowly = await startReceiver();
    const held: ServerResponse[] = [];
    slowly.treat((response) => void held.push(response));
    const slowIds: string[] = [];
    start({ bounds: { endpoints: 4, slowEndpoints: 6, slowMs: 1, timeoutMs: 120_000 } });
    for (let number = 0; number < 6; number++) {
      const slowId = await workspaceNamed(database, `slow-${number}`);
      slowIds.push((await endpointAt(database, slowId, slowly.url)).endpoint.id);
      await emitEvent(database, slowId);
    }
    await until(async () => held.length === 6);
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    await until(() => settled(endpoint.id));
    expect(held).toHaveLength(6);
    for (const response of held) response.writeHead(204).end();
    for (const id of slowIds) await until(() => settled(id));
    await slowly[Symbol.asyncDispose]();
  });

  test('a receiver that answers at once waits for no slow one of another workspace at the same server', async () => {
    const { perEndpoint } = DEFAULT_BOUNDS;
    const held: ServerResponse[] = [];
    receiver.treat((response) => {
      if (response.req.url?.endsWith('/slow') === true) held.push(response);
      else response.writeHead(204).end();
    });
    const slowId = await workspaceNamed(database, 'slow');
    const slow = await endpointAt(database, slowId, `${receiver.url}/slow`);
    for (let event = 0; event < perEndpoint; event++) await emitEvent(database, slowId, event);
    start({ bounds: { timeoutMs: 120_000 } });
    await until(async () => held.length === perEndpoint);
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    await until(() => settled(endpoint.id));
    expect(held).toHaveLength(perEndpoint);
    for (const response of held) response.writeHead(204).end();
    await until(() => settled(slow.endpoint.id));
  });

  test('two instances share the work: each event arrives once, and never more at once than one endpoint may get', async () => {
    receiver.treat((response) => void setTimeout(() => response.writeHead(204).end(), 5));
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    for (let event = 0; event < 100; event++) await emitEvent(database, workspaceId, event);
    start();
    start({}, await deliveries.data.open());
    await until(() => settled(endpoint.id));
    const ids = receiver.got.map(({ id }) => id);
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
    expect(receiver.mostAtOnce()).toBeLessThanOrEqual(8);
  });

  test('deliveries of a killed instance are made by another, with the same ids, and none is lost', async () => {
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    for (let event = 0; event < 120; event++) await emitEvent(database, workspaceId, event);
    const bounds = { timeoutMs: 500, leaseMarginMs: 300 };
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(deliveries.data.location), JSON.stringify(bounds)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    receiver.treat((response) => {
      // From the fiftieth on there is no answer: the instance dies in the middle of a lease.
      if (receiver.got.length < 50) response.writeHead(204).end();
      else child.kill('SIGKILL');
    });
    await ended;
    receiver.treat((response) => void response.writeHead(204).end());
    start({ bounds });
    await until(() => settled(endpoint.id));
    expect(new Set(await statesOf(endpoint.id))).toEqual(new Set(['delivered']));
    const notified = new Set(receiver.got.map(({ body }) => body));
    expect(notified.size).toBe(120);
    expect(new Set(receiver.got.map(({ id }) => id)).size).toBe(120);
  });

  test('an instance that stops returns unanswered deliveries, uncounted', async () => {
    receiver.treat(() => {});
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    const stopping = start();
    await receiver.untilGot(1);
    await stopping.close();
    expect(await latestDeliveries(database, endpoint.id, 1)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    receiver.treat((response) => void response.writeHead(204).end());
    start();
    await until(() => settled(endpoint.id));
    expect(receiver.got).toHaveLength(2);
  });

  test('an instance that stops takes the answers of receivers that need some seconds, and sends nothing again', async () => {
    const arrived = Promise.withResolvers<void>();
    const answers = Promise.withResolvers<void>();
    receiver.treat((response) => {
      arrived.resolve();
      void answers.promise.then(() => response.writeHead(204).end());
    });
    const { endpoint } = await endpointAt(database, workspaceId, receiver.url);
    await emitEvent(database, workspaceId);
    const stopping = start({ bounds: { graceMs: DEFAULT_BOUNDS.graceMs } });
    await arrived.promise;
    const closed = stopping.close();
    // What is enqueued from now on is another instance's.
    await emitEvent(database, workspaceId);
    answers.resolve();
    await closed;
    expect((await statesOf(endpoint.id)).toSorted()).toEqual(['delivered', 'pending']);
    expect(receiver.got).toHaveLength(1);
  });
});
