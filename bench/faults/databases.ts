import { setTimeout as sleep } from 'node:timers/promises';

import { failover } from './failover.ts';
import { partition } from './partition.ts';
import { type Drill, onPostgres, type Outcome, type Scene, served } from './scene.ts';

/** PostgreSQL that restarts, crashes, moves or cannot be reached. */
export const DATABASE_DRILLS: Readonly<Record<string, Drill>> = {
  'postgres-restart': (scene) => breakPostgres(scene, 'fast'),
  'postgres-crash': (scene) => breakPostgres(scene, 'immediate'),
  'postgres-kill': (scene) => breakPostgres(scene, 'killed'),
  failover,
  partition,
};

async function breakPostgres(scene: Scene, how: 'fast' | 'immediate' | 'killed'): Promise<Outcome> {
  return onPostgres(scene, 2, async (_fleet, load) => {
    await scene.postgres.stopServer(how);
    await sleep(2_000);
    const began = performance.now();
    await scene.postgres.startServer();
    const startedMs = performance.now() - began;
    await served(load, 1);
    const backMs = Math.round(performance.now() - began - startedMs);
    return [`away for ${Math.round(2_000 + startedMs)} ms; decodes again ${backMs} ms after it was back`];
  });
}
