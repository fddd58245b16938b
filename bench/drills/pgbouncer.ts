import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { unprivilegedUser } from '../../service/dist/testing/postgres-files.js';
import { freePort, type Instance, instances, marque, newKey } from '../faults/fleet.ts';
import { Load } from '../faults/load.ts';
import { served, timed } from '../faults/scene.ts';
import { accountFor, type Findings, LOAD_COLUMNS, type Stage } from './drill.ts';
import { Program, programOf, versionOf } from './programs.ts';

const WARM_DECODES = 500;
const VIN = '1HGCM82633A004352';
/** Changes reach every instance within this time. */
const LIVE_WITHIN_MS = 2_000;

/** Two instances behind PgBouncer with its default settings, then a third, and a restart under load. */
export async function pgbouncer(stage: Stage): Promise<Findings> {
  const program = programOf('pgbouncer', 'pgbouncer');
  const postgres = await PostgresCluster.start({ durable: true });
  stage.afterwards(async () => postgres.remove());
  const rows: string[][] = [];
  for (const mode of ['session', 'transaction'] as const) {
    stage.say(`pool_mode = ${mode}`);
    await postgres.run(`CREATE DATABASE ${mode}`);
    const port = await freePort();
    const file = join(stage.folder, `${mode}.ini`);
    const users = join(stage.folder, 'users.txt');
    writeFileSync(users, '"marque" ""\n');
    writeFileSync(file, configuration(mode, port, postgres.port, users));
    const user = unprivilegedUser();
    const asUser =
      user === undefined ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
    const running = await Program.start([...asUser, program, file], port);
    stage.afterwards(async () => running.stop('SIGINT'));
    rows.push([mode, ...(await drill({ DATA_DIR: stage.folder, DATABASE_URL: urlOf(mode, port) }, stage))]);
    await running.stop('SIGINT');
  }
  return {
    columns: ['mode', ...LOAD_COLUMNS, 'correction live', 'revoked key refused'],
    rows,
    versions: [versionOf(program)],
  };
}

function urlOf(database: string, port: number): string {
  return `postgres://marque@127.0.0.1:${port}/${database}`;
}

/** PgBouncer's defaults, but for the mode: it ignores no startup parameter and keeps no prepared statement. */
function configuration(mode: string, port: number, postgresPort: number, users: string): string {
  return `[databases]
${mode} = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
max_client_conn = 200
; A session needs a connection of its own: 12 for each instance, and some for commands.
default_pool_size = ${mode === 'session' ? 60 : 20}
`;
}

async function drill(env: NodeJS.ProcessEnv, stage: Stage): Promise<string[]> {
  const fleet = await instances(3, env);
  stage.afterwards(async () => Promise.all(fleet.map((instance) => instance.end('SIGKILL'))));
  const [first, second, third] = fleet;
  if (first === undefined || second === undefined || third === undefined) throw new Error('No instances.');
  await first.start();
  const key = await newKey(env, 'drill', 'enterprise');
  await second.start();
  const load = new Load([first, second], key);
  await served(load, WARM_DECODES);
  await third.start();
  load.rotation.push(third);
  await served(load, WARM_DECODES);
  load.rotation.splice(load.rotation.indexOf(second), 1);
  await sleep(500);
  await second.end('SIGTERM');
  await second.start();
  load.rotation.push(second);
  await served(load, WARM_DECODES);
  const changes = await changeUnderLoad(env, third);
  const seen = await load.stop();
  const account = await accountFor(seen, env, changes.decodes);
  await marque(env, 'db', 'backup', join(stage.folder, 'backup.gz'));
  for (const instance of fleet) await instance.end('SIGTERM');
  const log = fleet.map(({ said }) => said).join('');
  if (log.includes('"level":"error"')) throw new Error(`Errors in the log: ${log}`);
  return [...account, `${changes.correctedMs} ms`, `${changes.revokedMs} ms`];
}

/** Accepts a correction and revokes a key by commands, and waits until an instance follows. */
async function changeUnderLoad(
  env: NodeJS.ProcessEnv,
  { origin }: Instance,
): Promise<{ correctedMs: number; revokedMs: number; decodes: number }> {
  const key = await newKey(env, 'other', 'enterprise');
  let decodes = 0;
  const post = async (path: string, body: object): Promise<{ status: number; text: string }> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (path === '/api/decode' && answer.ok) decodes += 1;
    return { status: answer.status, text: await answer.text() };
  };
  const within = async (holds: (answer: { status: number; text: string }) => boolean): Promise<number> => {
    const tookMs = await timed(async () => {
      while (!holds(await post('/api/decode', { vin: VIN }))) await sleep(20);
    });
    if (tookMs > LIVE_WITHIN_MS) throw new Error(`A change was not live within two seconds: ${tookMs} ms.`);
    return tookMs;
  };
  await post('/api/report-decode-issue', REPORT);
  const [report]: { id: string }[] = JSON.parse(await marque(env, 'corrections', 'list', '--json'));
  await marque(env, 'corrections', 'accept', report?.id ?? '', '--anyway', '--reason', 'A drill.');
  const correctedMs = await within(({ text }) => text.includes('"Inspire"'));
  const keys: { id: string }[] = JSON.parse(await marque(env, 'key', 'list', '--workspace', 'other', '--json'));
  await marque(env, 'key', 'revoke', keys[0]?.id ?? '');
  const revokedMs = await within(({ status }) => status === 401);
  return { correctedMs, revokedMs, decodes };
}

const REPORT = {
  vin: VIN,
  expectedManufacturer: 'Honda',
  expectedModel: 'Inspire',
  expectedBodyStyle: 'Sedan',
  expectedModelYear: '2003',
  note: 'A drill.',
};
