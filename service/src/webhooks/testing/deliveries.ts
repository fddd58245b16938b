import type { Database } from '../../kernel/db/index.ts';
import { type Engine, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import type { deliveryWorker } from '../delivery/worker.ts';
import { latestDeliveries } from '../deliveries.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { deliveryOn, type TestDelivery, workspaceNamed } from './webhooks.ts';

/** A database with a workspace, a receiver, and the instances that deliver to it. */
export interface TestDeliveries {
  data: TestDatabase;
  database: Database;
  receiver: Receiver;
  workspaceId: string;
  /** The time by which the clock of the instances is ahead. */
  aheadMs: number;
  /** Starts an instance, which `close` ends. */
  start: (options?: TestDelivery, on?: Database) => ReturnType<typeof deliveryWorker>;
  /** Returns the states of the deliveries to an endpoint. */
  statesOf: (endpointId: string) => Promise<string[]>;
  /** Returns true if no delivery to an endpoint is pending. */
  settled: (endpointId: string) => Promise<boolean>;
  close: () => Promise<void>;
}

/** Opens a database and a receiver. */
export async function deliveriesOn(engine: Engine): Promise<TestDeliveries> {
  const data = await freshDatabase(engine);
  const database = await data.open();
  const receiver = await startReceiver();
  const instances: ReturnType<typeof deliveryWorker>[] = [];
  const statesOf = async (endpointId: string) =>
    (await latestDeliveries(database, endpointId, 500)).map(({ state }) => state);
  const deliveries: TestDeliveries = {
    data,
    database,
    receiver,
    workspaceId: await workspaceNamed(database, 'acme'),
    aheadMs: 0,
    start: (options, on = database) => {
      const worker = deliveryOn(on, { clock: () => Date.now() + deliveries.aheadMs, ...options });
      instances.push(worker);
      worker.start();
      return worker;
    },
    statesOf,
    settled: async (endpointId) => !(await statesOf(endpointId)).includes('pending'),
    close: async () => {
      await Promise.all(instances.map((worker) => worker.close()));
      await receiver[Symbol.asyncDispose]();
      await data.remove();
    },
  };
  return deliveries;
}
