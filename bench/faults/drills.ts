import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { type Instance, instances, newKey } from './fleet.ts';
import { Load, type Seen } from './load.ts';

/** Where a drill happens. */
export interface Scene {
  /** A folder of its own. */
  folder: string;
  postgres: PostgresCluster;
}

/** What came of a drill: what clients saw, remarks, and the database to compare it with. */
export interface Outcome {
  seen: Seen;
  remarks: string[];
  env: NodeJS.ProcessEnv;
}

const WARM_DECODES = 500;

async function warm(load: Load): Promise<void> {
  while (load.served < WARM_DECODES) await sleep(20);
}

async function served(load: Load, more: number): Promise<void> {
  const goal = load.served + more;
  while (load.served < goal) await sleep(5);
}

async function onPostgres(
  { folder, postgres }: Scene,
  count: number,
  act: (fleet: Instance[], load: Load) => Promise<string[]>,
): Promise<Outcome> {
  const name = `drill_${Date.now()}`;
  await postgres.run(`CREATE DATABASE ${name}`);
  const env = { DATA_DIR: folder, DATABASE_URL: postgres.url(name) };
  const fleet = await instances(count, env);
  const key = newKey(env, 'drill', 'enterprise');
  for (const instance of fleet) await instance.start();
  const load = new Load(fleet, key);
  await warm(load);
  const remarks = await act(fleet, load);
  await served(load, WARM_DECODES);
  const seen = await load.stop();
  for (const instance of fleet) await instance.end('SIGTERM');
  return { seen, remarks, env };
}

async function onSqlite(dataDir: string, act: (load: Load, one: Instance) => Promise<string[]>): Promise<Outcome> {
  const env = { DATA_DIR: dataDir };
  const [one] = await instances(1, env);
  if (one === undefined) throw new Error('No instance.');
  const key = newKey(env, 'drill', 'enterprise');
  await one.start();
  const load = new Load([one], key);
  await warm(load);
  const remarks = await act(load, one);
  await served(load, WARM_DECODES);
  const seen = await load.stop();
  await one.end('SIGTERM');
  return { seen, remarks, env };
}

/** The drills, by name. */
export const DRILLS: Readonly<Record<string, (scene: Scene) => Promise<Outcome>>> = {
  'kill-instance': (scene) =>
    onPostgres(scene, 3, async (fleet, load) => {
      const [first] = fleet;
      await first?.end('SIGKILL');
      // As a balancer does that finds it dead.
      await sleep(500);
      load.rotation.shift();
      await served(load, WARM_DECODES);
      const began = performance.now();
      await first?.start();
      if (first !== undefined) load.rotation.push(first);
      return [`started again in ${Math.round(performance.now() - began)} ms`];
    }),

  'postgres-restart': (scene) => breakPostgres(scene, 'fast'),

  'postgres-crash': (scene) => breakPostgres(scene, 'immediate'),

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

  'disk-full': ({ folder }) =>
    onTmpfs(folder, '6m', async (disk) =>
      onSqlite(disk, async (load) => {
        const before = load.served;
        let last = -1;
        // Full is when nothing more is answered.
        while (last !== load.served) {
          last = load.served;
          await sleep(1_500);
        }
        execFileSync('mount', ['-o', 'remount,size=256m', disk]);
        const began = performance.now();
        await served(load, 1);
        return [
          `full after ${last - before} more decodes`,
          `answered again ${Math.round(performance.now() - began)} ms after there was room`,
        ];
      }),
    ),

  'slow-clients': ({ folder }) =>
    onSqlite(folder, async (load, one) => {
      const slow = await slowClients(one, 500);
      await served(load, 4 * WARM_DECODES);
      for (const socket of slow) socket.destroy();
      return ['500 connections that send a byte a second or do not read what they asked for'];
    }),
};

async function breakPostgres(scene: Scene, how: 'fast' | 'immediate'): Promise<Outcome> {
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

async function onTmpfs(folder: string, size: string, work: (disk: string) => Promise<Outcome>): Promise<Outcome> {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
  try {
    return await work(disk);
  } finally {
    process.once('exit', () => execFileSync('umount', ['-l', disk]));
  }
}

/** Half of them send their request a byte a second, half ask for much and read nothing. */
async function slowClients({ origin }: Instance, count: number): Promise<Socket[]> {
  const port = Number(new URL(origin).port);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      if (index % 2 === 0) {
        const timer = setInterval(() => socket.write('P'), 1_000);
        socket.on('close', () => clearInterval(timer));
      } else {
        socket.pause();
        socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40));
      }
      return socket;
    }),
  );
}
