import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { freshDatabase } from '../testing/databases.ts';
import { until } from '../testing/until.ts';
import { workersOf } from './testing/workers.ts';

/** The command that people run, as `npm test` has built it. */
const CLI = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));

test('a service whose workers end on a database of a newer program ends, too', { timeout: 240_000 }, async () => {
  const fresh = await freshDatabase('postgres');
  const { kysely } = await fresh.open();
  const parent = spawn(process.execPath, [CLI, 'serve'], {
    env: { DATA_DIR: fresh.location.dataDir, DATABASE_URL: fresh.location.databaseUrl, PORT: '0', WORKERS: '2' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let [logged, written] = ['', ''];
    parent.stdout.on('data', (chunk) => (logged += String(chunk)));
    parent.stderr.on('data', (chunk) => (written += String(chunk)));
    const occurs = (words: string, times: number): Promise<void> =>
      until(async () => (logged + written).split(words).length > times);
    const killBoth = (): void => {
      for (const pid of workersOf(parent)) process.kill(pid, 'SIGKILL');
    };
    await occurs('Server listening', 2);
    killBoth();
    await occurs('a worker was replaced', 2);
    await sql`INSERT INTO schema_versions VALUES (999, 'future', 'ab', '7.8.9', 0)`.execute(kysely);
    const [first = 0, second = 0] = workersOf(parent);
    process.kill(first, 'SIGKILL');
    await occurs('upgraded by Marque 7.8.9', 1);
    await until(async () => workersOf(parent).length === 1);
    expect((await fetch(`${/ready at (\S+)/.exec(written)?.[1]}/healthz`)).status).toBe(200);
    process.kill(second, 'SIGKILL');
    await until(async () => parent.exitCode !== null);
    expect(parent.exitCode).toBe(1);
    expect(logged).toContain('no worker is left');
  } finally {
    parent.kill('SIGKILL');
    await fresh.remove();
  }
});
