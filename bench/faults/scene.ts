import { setTimeout as sleep } from 'node:timers/promises';

import type { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { type Instance, instances, newKey, type Surroundings } from './fleet.ts';
import { Load, type Seen } from './load.ts';

/** The place of a drill. */
export interface Scene {
  /** A folder of its own. */
  folder: string;
  postgres: PostgresCluster;
  /** Has something done when the ledger has been compared. */
  afterwards: (work: () => Promise<void>) => void;
}

/** The outcome of a drill: the clients' answers, remarks, and the database to compare them with. */
export interface Outcome {
  seen: Seen;
  remarks: string[];
  env: NodeJS.ProcessEnv;
  /** Decodes that the drill itself was charged beside the load. */
  besides?: number;
}

/** A drill. */
export type Drill = (scene: Scene) => Promise<Outcome>;

/** Breaks something while the load goes on. Returns remarks. */
type Act = (fleet: readonly Instance[], load: Load) => Promise<string[]>;

/** Decodes before anything is broken, and after it is mended. */
export const WARM_DECODES = 500;

/** Waits until so many more decodes were answered. */
export async function served(load: Load, more: number): Promise<void> {
  const goal = load.served + more;
  while (load.served < goal) await sleep(5);
}

/** Milliseconds until something is over. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}

/** Instances on a new database of PostgreSQL, under load. */
export async function onPostgres({ folder, postgres }: Scene, count: number, act: Act): Promise<Outcome> {
  const name = `drill_${Date.now()}`;
  await postgres.run(`CREATE DATABASE ${name}`);
  return underLoad({ DATA_DIR: folder, DATABASE_URL: postgres.url(name) }, count, act);
}

/** One instance on SQLite, under load. */
export async function onSqlite(dataDir: string, act: Act, surroundings: Surroundings = {}): Promise<Outcome> {
  return underLoad({ DATA_DIR: dataDir }, 1, act, surroundings);
}

/** Starts instances, warms them up, breaks something, and waits until they serve again by themselves. */
export async function underLoad(
  env: NodeJS.ProcessEnv,
  count: number,
  act: Act,
  surroundings: Surroundings = {},
): Promise<Outcome> {
  const fleet = await instances(count, env, surroundings);
  const key = await newKey(env, 'drill', 'enterprise');
  for (const instance of fleet) await instance.start();
  const load = new Load(fleet, key);
  await served(load, WARM_DECODES);
  const remarks = await act(fleet, load);
  await served(load, WARM_DECODES);
  const seen = await load.stop();
  for (const instance of fleet) await instance.end('SIGTERM');
  return { seen, remarks, env };
}

/** Returns the first of a fleet. */
export function only([first]: readonly Instance[]): Instance {
  if (first === undefined) throw new Error('No instance.');
  return first;
}
