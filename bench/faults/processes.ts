import { setTimeout as sleep } from 'node:timers/promises';

import { type Drill, onPostgres, served, WARM_DECODES } from './scene.ts';

/** Instances that die or are stopped. */
export const PROCESS_DRILLS: Readonly<Record<string, Drill>> = {
  'kill-instance': (scene) =>
    onPostgres(scene, 3, async (fleet, load) => {
      const [first] = fleet;
      await first?.end('SIGKILL');
      // Like a balancer that finds it dead.
      await sleep(500);
      load.rotation.shift();
      await served(load, WARM_DECODES);
      const began = performance.now();
      await first?.start();
      if (first !== undefined) load.rotation.push(first);
      return [`started again in ${Math.round(performance.now() - began)} ms`];
    }),

  'rolling-restart': (scene) =>
    onPostgres(scene, 3, async (fleet, load) => {
      const took: number[] = [];
      for (const instance of fleet) {
        load.rotation.splice(load.rotation.indexOf(instance), 1);
        took.push(await instance.end('SIGTERM'));
        await instance.start();
        load.rotation.push(instance);
        await served(load, 100);
      }
      return [`each stopped within ${Math.round(Math.max(...took))} ms`];
    }),

  'stop-under-load': (scene) =>
    onPostgres(scene, 3, async (fleet, load) => {
      const [first] = fleet;
      const tookMs = (await first?.end('SIGTERM')) ?? 0;
      load.rotation.shift();
      return [`without telling the balancer; stopped in ${Math.round(tookMs)} ms`];
    }),
};
