import { setTimeout as sleep } from 'node:timers/promises';

import { MovingAddress } from '../../service/dist/testing/moving-address.js';
import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { type Outcome, type Scene, served, timed, underLoad } from './scene.ts';

/**
 * The time that a monitor of the server takes to find that it is gone, and to have the standby promoted, in
 * milliseconds.
 */
const NOTICED_AFTER_MS = 2_000;

/** `kill -9` of a PostgreSQL with a synchronous standby; this one is promoted, and the address moved to it. */
export async function failover({ folder, afterwards }: Scene): Promise<Outcome> {
  const primary = await PostgresCluster.start({ durable: true });
  const standby = await primary.startStandby({ durable: true });
  const address = await MovingAddress.open(primary.port);
  afterwards(async () => {
    address.close();
    await Promise.all([primary.remove(), standby.remove()]);
  });
  const env = { DATA_DIR: folder, DATABASE_URL: address.url() };
  return underLoad(env, 2, async (_fleet, load) => {
    await primary.stopServer('killed');
    const goneAt = performance.now();
    // The address leads to a server that takes no writes for a while, as where a name is changed before the promotion.
    address.leadTo(standby.port);
    await sleep(NOTICED_AFTER_MS);
    const promotedMs = await timed(async () => standby.promote());
    const backMs = await timed(async () => served(load, 1));
    const awayMs = Math.round(performance.now() - goneAt);
    return [`promoted in ${promotedMs} ms, decodes ${backMs} ms after that; ${awayMs} ms without a decode`];
  });
}
