import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createWorkspace } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { expectCounted } from '../metering/testing/usage.ts';
import { until } from '../testing/until.ts';
import { takeFile } from './store.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/marque.js', import.meta.url));
const ROWS = 10_000;

let fresh: TestDatabase;
let database: Database;
const children: ChildProcess[] = [];

beforeAll(async () => {
  fresh = await freshDatabase('sqlite');
  database = await fresh.open('tool');
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await fresh.remove();
});

/** Starts a whole service in a process of its own. */
function serve(): ChildProcess {
  const child = spawn(process.execPath, [LAUNCHER, 'serve'], {
    env: { PATH: process.env['PATH'], DATA_DIR: fresh.location.dataDir, PORT: '0', LOG_LEVEL: 'fatal' },
    stdio: 'ignore',
  });
  children.push(child);
  return child;
}

test(
  'a file of 10,000 rows whose service is killed is finished by the next one, each row charged once',
  { timeout: 120_000 },
  async () => {
    const deps = { database, clock: systemClock };
    const created = await createWorkspace(
      deps,
      { slug: 'acme', plan: 'business', limit: { kind: 'none' } },
      'cli:test',
    );
    if (created.kind !== 'created') throw new Error(created.kind);
    const workspaceId = created.workspace.id;
    const text = Array.from({ length: ROWS }, (_, index) => `1HGCM82633A${100_000 + index}`).join('\n');
    const taken = await takeFile(deps, { workspaceId, createdBy: 'test', name: 'cars.csv', content: text, column: '' });
    expect(taken.kind).toBe('taken');
    const file = () =>
      database.kysely.selectFrom('vin_files').select(['state', 'done', 'delivered']).executeTakeFirstOrThrow();

    for (const killAt of [1, ROWS / 2]) {
      const child = serve();
      const ended = once(child, 'exit');
      await until(async () => (await file()).done >= killAt, 60_000);
      child.kill('SIGKILL');
      await ended;
    }
    serve();
    await until(async () => (await file()).state === 'completed', 60_000);
    expect(await file()).toEqual({ state: 'completed', done: ROWS, delivered: ROWS });
    await expectCounted(database, workspaceId, ROWS);
  },
);
