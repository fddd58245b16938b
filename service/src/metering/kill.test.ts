import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createKey, createWorkspace, systemRandom } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { verifyUsage } from './index.ts';

/** The command that people run, as `npm test` has built it. */
const CLI = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));
const KILLS = 2;
const CLIENTS = 20;

describe.each(ENGINES)('on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let key: string;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    const deps = { database, clock: systemClock, random: systemRandom };
    const created = await createWorkspace(deps, { slug: 'acme', plan: 'enterprise' }, 'cli:test');
    if (created.kind !== 'created') throw new Error(created.kind);
    ({ key } = await createKey(deps, { workspaceId: created.workspace.id, name: 'main' }, 'cli:test'));
  });

  afterEach(async () => {
    child?.kill('SIGKILL');
    await fresh.remove();
  });

  async function startService(): Promise<{ url: string; kill: () => Promise<void> }> {
    const started = spawn(process.execPath, [CLI, 'serve'], {
      // Nothing else of the environment: the test runner sets a BASE_URL of its own.
      env: {
        DATA_DIR: fresh.location.dataDir,
        DATABASE_URL: fresh.location.databaseUrl ?? '',
        PORT: '0',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    child = started;
    const [line] = await Promise.race([once(started.stderr, 'data'), once(started, 'exit')]);
    const origin = /ready at (\S+)/.exec(String(line))?.[1];
    if (origin === undefined) throw new Error(`The service did not start: ${String(line)}`);
    const kill = async (): Promise<void> => {
      const gone = once(started, 'exit');
      started.kill('SIGKILL');
      await gone;
    };
    return { url: `${origin}/api/decode`, kill };
  }

  // Each start of a whole service takes a second or more where other tests run beside it.
  test('a service that is killed again and again has charged every decode that it delivered', async () => {
    let sent = 0;
    let delivered = 0;
    const decode = async (url: string): Promise<boolean> => {
      sent += 1;
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          body: '{"vin":"1HGCM82633A004352"}',
        });
        await response.arrayBuffer();
        if (response.status === 200) delivered += 1;
        return true;
      } catch {
        return false;
      }
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await startService();
      const before = delivered;
      const callAndCall = async (): Promise<void> => {
        while (await decode(service.url));
      };
      const clients = Array.from({ length: CLIENTS }, callAndCall);
      await expect.poll(() => delivered, { interval: 1 }).toBeGreaterThan(before + 200);
      await service.kill();
      await Promise.all(clients);
    }
    const rows = await database.kysely.selectFrom('usage_counters').select('used').execute();
    const counted = rows.reduce((sum, { used }) => sum + used, 0);
    expect(counted).toBeGreaterThanOrEqual(delivered);
    expect(counted).toBeLessThanOrEqual(sent);
    expect((await verifyUsage(database)).disagreements).toEqual([]);
  });
});
