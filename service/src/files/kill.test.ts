import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { fileURLToPath } from 'node:url';

import { afterEach, expect, test } from 'vitest';

import { createWorkspace } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { expectCounted } from '../metering/testing/usage.ts';
import { until } from '../testing/until.ts';
import { takeFile } from './store.ts';

const WITHIN_MS = 240_000;
const LAUNCHER = fileURLToPath(new URL('../../bin/marque.js', import.meta.url));
/** `npm run drills -- fuzz` takes as many as a job may have. */
const ROWS = Number(process.env['MARQUE_KILLED_ROWS'] ?? 10_000);

const children: ChildProcess[] = [];
let fresh: TestDatabase;

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await fresh.remove();
});

/** Starts a whole service in a process of its own. */
function serve(): ChildProcess {
  const { dataDir, databaseUrl } = fresh.location;
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal' };
  const child = spawn(process.execPath, [LAUNCHER, 'serve'], {
    env: { ...env, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
    stdio: 'ignore',
  });
  children.push(child);
  return child;
}

test.each(ENGINES)(
  `on %s, a job of ${ROWS} rows whose service is killed is finished by the next one, each row charged once`,
  { timeout: 600_000 },
  async (engine) => {
    fresh = await freshDatabase(engine);
    const database = await fresh.open('tool');
    const deps = { database, clock: systemClock };
    const created = await createWorkspace(
      deps,
      { slug: 'acme', plan: 'business', limit: { kind: 'none' } },
      'cli:test',
    );
    if (created.kind !== 'created') throw new Error(created.kind);
    const workspaceId = created.workspace.id;
    const text = Array.from({ length: ROWS }, (_, index) => `1HGCM82633A${100_000 + index}`).join('\n');
    const taken = await takeFile(deps, {
      workspaceId,
      createdBy: 'test',
      name: 'Job',
      content: text,
      column: '',
      mostRows: ROWS,
    });
    expect(taken.kind).toBe('taken');
    const file = () =>
      database.kysely.selectFrom('vin_files').select(['state', 'done', 'delivered']).executeTakeFirstOrThrow();

    for (const killAt of [1, ROWS / 2]) {
      const child = serve();
      const ended = once(child, 'exit');
      await until(async () => (await file()).done >= killAt, WITHIN_MS);
      child.kill('SIGKILL');
      await ended;
    }
    serve();
    await until(async () => (await file()).state === 'completed', WITHIN_MS);
    expect(await file()).toEqual({ state: 'completed', done: ROWS, delivered: ROWS });
    await expectCounted(database, workspaceId, ROWS);
  },
);
