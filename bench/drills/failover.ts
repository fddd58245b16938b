import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { charged, freePort, instances, newKey } from '../faults/fleet.ts';
import { Load, type Seen } from '../faults/load.ts';
import { served } from '../faults/scene.ts';
import { accountFor, type Findings, LOAD_COLUMNS, type Stage } from './drill.ts';
import { Program, programOf, versionOf } from './programs.ts';

const WARM_DECODES = 500;
/** The time that a monitor of the server takes to find that it is gone, in milliseconds. */
const NOTICED_AFTER_MS = 2_000;
/** The delay of the asynchronous standby, in seconds. */
const DELAY_S = 3;

/** `kill -9` of a PostgreSQL behind HAProxy whose synchronous standby is promoted. */
export async function failover(stage: Stage): Promise<Findings> {
  const { seen, env, version } = await fail(stage, false);
  return {
    columns: LOAD_COLUMNS.concat('longest wait of a refused request'),
    rows: [[...(await accountFor(seen, env)), `${(seen.longestRefusalMs / 1_000).toFixed(1)} s`]],
    versions: [version, `PostgreSQL of the tests`],
  };
}

/** Runs the same with an asynchronous standby that is seconds behind: acknowledged decodes are lost. */
export async function replication(stage: Stage): Promise<Findings> {
  const { seen, env, version, warned } = await fail(stage, true);
  const delivered = seen.statuses['200'] ?? 0;
  // The new primary's records agree with each other, which `charged` checks; they are not all that were.
  const counted = await charged(env);
  if (!warned) throw new Error('No instance warned of the asynchronous standby.');
  return {
    columns: ['standby', 'delivered', 'charged on the new primary', 'lost', 'warned at the start'],
    rows: [
      [`${DELAY_S} s behind`, String(delivered), String(counted), String(Math.max(0, delivered - counted)), 'yes'],
    ],
    versions: [version],
  };
}

async function fail(
  stage: Stage,
  isAsynchronous: boolean,
): Promise<{ seen: Seen; env: NodeJS.ProcessEnv; version: string; warned: boolean }> {
  const haproxy = programOf('haproxy', 'haproxy');
  const primary = await PostgresCluster.start({ durable: true });
  stage.afterwards(async () => primary.remove());
  const standby = await primary.startStandby({ durable: true, isAsynchronous });
  stage.afterwards(async () => standby.remove());
  const port = await freePort();
  const file = join(stage.folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, primary.port, standby.port));
  const proxy = await Program.start([haproxy, '-db', '-f', file], port);
  stage.afterwards(async () => proxy.stop());
  const env = { DATA_DIR: join(stage.folder, 'data'), DATABASE_URL: `postgres://marque@127.0.0.1:${port}/postgres` };
  const fleet = await instances(2, { ...env, LOG_LEVEL: 'warn' });
  stage.afterwards(async () => Promise.all(fleet.map((instance) => instance.end('SIGKILL'))));
  for (const instance of fleet) await instance.start();
  const key = await newKey(env, 'drill', 'enterprise');
  const load = new Load(fleet, key);
  await served(load, WARM_DECODES);
  if (isAsynchronous) {
    stage.say(`replication is held up for ${DELAY_S} s`);
    for (const pid of sendersOf(primary)) process.kill(pid, 'SIGSTOP');
    await sleep(DELAY_S * 1_000);
  }
  stage.say('the primary is killed');
  await primary.stopServer('killed');
  await sleep(NOTICED_AFTER_MS);
  await standby.promote();
  await served(load, WARM_DECODES);
  const seen = await load.stop();
  for (const instance of fleet) await instance.end('SIGTERM');
  const warned = fleet.some(({ said }) => said.includes('none is synchronous'));
  return { seen, env, version: versionOf(haproxy, '-v').replace(/ \d{4}.*/, ''), warned };
}

/** Returns the processes of a server that send its log to standbys. */
function sendersOf({ dataFolder }: PostgresCluster): number[] {
  const server = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('walsender'));
}

/** The second server gets connections while the first one is gone. */
function configuration(port: number, primary: number, standby: number): string {
  return `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option redispatch
  retries 2
  default-server check inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
  server primary 127.0.0.1:${primary}
  server standby 127.0.0.1:${standby} backup
`;
}
