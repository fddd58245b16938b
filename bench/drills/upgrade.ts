import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { PostgresCluster } from '../../service/dist/testing/postgres-cluster.js';
import { earlierBackups, filesOf, type Known, releases } from '../../service/dist/testing/release/known.js';
import { charged, instance, marque } from '../faults/fleet.ts';
import { timed } from '../faults/scene.ts';
import type { Findings, Stage } from './drill.ts';
import { listens } from './programs.ts';

type Kept = Pick<Known, 'key' | 'charged' | 'jobVins' | 'vin' | 'model'>;

/**
 * Restores the backups from before the first release, and upgrades the released databases, by commands as an operator
 * does.
 */
export async function upgrade(stage: Stage): Promise<Findings> {
  const postgres = await PostgresCluster.start({ durable: true });
  stage.afterwards(async () => postgres.remove());
  const rows: string[][] = [];
  for (const { day, file, known } of earlierBackups()) {
    for (const engine of ['SQLite', 'PostgreSQL'] as const) {
      stage.say(`the backup of ${day} on ${engine}`);
      const env = await place(engine, `before_${day.replaceAll('-', '')}`, stage, postgres);
      const tookMs = await timed(() => marque(env, 'db', 'restore', file));
      rows.push([`backup of ${day}`, engine, ...(await serve(env, known, stage)), `${(tookMs / 1_000).toFixed(1)} s`]);
    }
  }
  for (const version of releases()) {
    stage.say(`the database of ${version}`);
    const env = { DATA_DIR: join(stage.folder, version), DECODE_LOG_RETENTION_DAYS: '36500' };
    mkdirSync(env.DATA_DIR);
    writeFileSync(join(env.DATA_DIR, 'marque.db'), gunzipSync(readFileSync(filesOf(version).sqlite)));
    const all: Record<string, Known> = JSON.parse(readFileSync(filesOf(version).known, 'utf8'));
    const known = all['sqlite'];
    if (known === undefined) throw new Error(`Nothing is known of ${version}.`);
    const tookMs = await timed(() => marque(env, 'db', 'migrate'));
    rows.push([
      `database of ${version}`,
      'SQLite',
      ...(await serve(env, known, stage)),
      `${(tookMs / 1_000).toFixed(1)} s`,
    ]);
  }
  const columns = [
    'state',
    'on',
    'charged before',
    'charged after its job and a decode',
    'db verify',
    'restore or migration',
  ];
  return { columns, rows, versions: [`Node ${process.version}`] };
}

async function place(
  engine: 'SQLite' | 'PostgreSQL',
  name: string,
  { folder }: Stage,
  postgres: PostgresCluster,
): Promise<NodeJS.ProcessEnv> {
  const env = { DATA_DIR: join(folder, `${name}-${engine}`), DECODE_LOG_RETENTION_DAYS: '36500' };
  if (engine === 'SQLite') return env;
  await postgres.run(`CREATE DATABASE ${name}`);
  return { ...env, DATABASE_URL: postgres.url(name) };
}

/** Serves the database until its job is done, and decodes once. */
async function serve(env: NodeJS.ProcessEnv, known: Kept, stage: Stage): Promise<string[]> {
  const before = await charged(env);
  if (before !== known.charged) throw new Error(`${before} decodes are charged there, not ${known.charged}.`);
  const one = await instance(env);
  stage.afterwards(async () => one.end('SIGKILL'));
  await one.start();
  const headers = { 'content-type': 'application/json', 'x-api-key': known.key };
  const answer = await fetch(`${one.origin}/api/decode`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ vin: known.vin }),
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes(`"${known.model}"`))
    throw new Error(`A decode was answered ${answer.status}: ${text}`);
  const goal = known.charged + known.jobVins + 1;
  const giveUpAt = performance.now() + 60_000;
  let after = await charged(env);
  while (after < goal && performance.now() < giveUpAt) after = await charged(env);
  await one.end('SIGTERM');
  if (after !== goal || (await listens(Number(new URL(one.origin).port))))
    throw new Error(`${after} charged, not ${goal}.`);
  return [String(before), String(after), 'no difference'];
}
