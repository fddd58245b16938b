import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createKey, createWorkspace, revokeKey, systemRandom } from '../workspaces/index.ts';
import { verifyUsage } from '../metering/index.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../testing/databases.ts';
import { until } from '../testing/until.ts';
import { freePort } from '../testing/free-port.ts';
import { workersOf } from './testing/workers.ts';

/** The command that people run, as `npm test` has built it. */
const CLI = fileURLToPath(new URL('../../bundle/cli.js', import.meta.url));
const LIMIT = 60;
const CLIENTS = 4;
const AT_ONCE = 40;
const PATIENT = { timeout: 240_000, interval: 20 };

describe.each(ENGINES)('two workers on %s', (engine) => {
  let fresh: TestDatabase;
  let database: Database;
  let parent: ChildProcess;
  let origin: string;
  let logged = '';
  let metricsPort: number;

  const deps = () => ({ database, clock: systemClock, random: systemRandom });

  /** Makes a workspace with a key: of tests, or with a limit, or without one. */
  async function newKey(slug: string, wanted?: 'test' | number): Promise<{ id: string; key: string }> {
    const limit = typeof wanted === 'number' ? { limit: { kind: 'fixed', limit: wanted } as const } : {};
    const made = await createWorkspace(deps(), { slug, plan: 'enterprise', ...limit }, 'cli:test');
    if (made.kind !== 'created') throw new Error(made.kind);
    const mode = wanted === 'test' ? 'test' : 'live';
    return createKey(deps(), { workspaceId: made.workspace.id, name: 'main', mode }, 'cli:test');
  }

  /** Each request comes by a connection of its own, so that the workers take turns. */
  async function send(path: string, body: object, key?: string): Promise<number | 'broken'> {
    try {
      const answer = await fetch(origin + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          connection: 'close',
          ...(key && { 'x-api-key': key }),
        },
        body: JSON.stringify(body),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 'broken';
    }
  }

  /**
   * Asks again, as a client does, when a busy machine sheds load, or has received no request in time (408): neither is
   * charged.
   */
  async function decode(key: string): Promise<number | 'broken'> {
    for (;;) {
      const status = await send('/api/decode', { vin: '1HGCM82633A004352' }, key);
      if (status !== 503 && status !== 408) return status;
    }
  }

  /** Sends decodes from some clients at once: connections that wait for a busy client to write would be ended. */
  async function decodeOften(key: string, count: number): Promise<(number | 'broken')[]> {
    const statuses: (number | 'broken')[] = [];
    let left = count;
    const callAndCall = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        statuses.push(await decode(key));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, callAndCall));
    return statuses;
  }

  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

  const workers = (): number[] => workersOf(parent);

  async function counted(slug: string): Promise<number> {
    const row = await database.kysely
      .selectFrom('usage_counters')
      .innerJoin('workspaces', (join) => join.on('workspaces.slug', '=', slug))
      .select(['usage_counters.used', 'usage_counters.subject', 'workspaces.id'])
      .execute();
    return row.find(({ subject, id }) => subject === `workspace:${id}`)?.used ?? 0;
  }

  beforeAll(async () => {
    fresh = await freshDatabase(engine);
    database = await fresh.open();
    metricsPort = await freePort();
    parent = spawn(process.execPath, [CLI, 'serve'], {
      env: {
        DATA_DIR: fresh.location.dataDir,
        DATABASE_URL: fresh.location.databaseUrl ?? '',
        PORT: '0',
        METRICS_PORT: String(metricsPort),
        WORKERS: '2',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = parent;
    if (stdout === null || stderr === null) throw new Error('Nothing to read from.');
    stdout.on('data', (chunk) => (logged += String(chunk)));
    const [line] = await Promise.race([once(stderr, 'data'), once(parent, 'exit')]);
    origin = /ready at (\S+)/.exec(String(line))?.[1] ?? '';
    if (origin === '') throw new Error(`The service did not start: ${String(line)}`);
  }, 300_000);

  afterAll(async () => {
    parent.kill('SIGKILL');
    await fresh.remove();
  });

  test('grant exactly the limit, and one address reports the metrics of both', async () => {
    const { key } = await newKey('exact', LIMIT);
    const statuses = await decodeOften(key, 2 * LIMIT);
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(LIMIT);
    // A worker that is too busy to answer counts with its last figures.
    const decodes = async () =>
      (await metrics()).match(/^marque_decodes_total\{outcome="(?:identified|limit_reached)".*[1-9]\d*$/gm)?.toSorted();
    await expect
      .poll(decodes, PATIENT)
      .toEqual([
        `marque_decodes_total{outcome="identified"} ${LIMIT}`,
        `marque_decodes_total{outcome="limit_reached"} ${LIMIT}`,
      ]);
    expect(await metrics()).toMatch(/^marque_catalog_info\{.*\} 1$/m);
    expect(workers()).toHaveLength(2);
  });

  test('count the rate limit of test keys together', async () => {
    const BURST = 60;
    const { key } = await newKey('tested', 'test');
    const startedAtMs = performance.now();
    const statuses = await Promise.all(Array.from({ length: 3 * BURST }, () => decode(key)));
    const seconds = Math.ceil((performance.now() - startedAtMs) / 1_000);
    const granted = statuses.filter((status) => status === 200).length;
    expect(granted).toBeGreaterThanOrEqual(BURST);
    expect(granted).toBeLessThanOrEqual(BURST + seconds);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3 * BURST - granted);
  });

  test('charge candidates for one VIN once, however many calls and batches of calls ask for them', async () => {
    const { key } = await newKey('asking');
    const batch = Array.from({ length: 5 }, (_, id) => askingCall(id));
    const statuses = await Promise.all(Array.from({ length: 8 }, () => send('/mcp', batch, key)));
    expect(statuses).toContain(200);
    expect(await counted('asking')).toBe(1);
  });

  test('share one limit of how often', async () => {
    const began = performance.now();
    const report = {
      vin: '1HGCM82633A004352',
      expectedManufacturer: 'Honda',
      expectedModel: 'Accord',
      expectedBodyStyle: 'Coupe',
      expectedModelYear: '2003',
      note: 'Two doors.',
    };
    const statuses = await Promise.all(Array.from({ length: 230 }, () => send('/api/report-decode-issue', report)));
    const count = (wanted: number): number => statuses.filter((status) => status === wanted).length;
    // A busy machine sheds some requests, with another status.
    expect(count(429)).toBeLessThanOrEqual(30);
    expect(count(200)).toBeGreaterThan(0);
    // 200 at once, and one more every 432 seconds that this took.
    expect(count(200)).toBeLessThanOrEqual(201 + (performance.now() - began) / 432_000);
  });

  test('refuse a revoked key, both of them', async () => {
    const { id, key } = await newKey('revoked');
    // So many at once that each worker gets some of them.
    const statuses = async (): Promise<Set<number | 'broken'>> =>
      new Set(await Promise.all(Array.from({ length: 16 }, () => decode(key))));
    expect(await statuses()).toEqual(new Set([200]));
    await revokeKey(deps(), id, 'cli:test');
    await expect.poll(statuses, PATIENT).toEqual(new Set([401]));
    expect(await statuses()).toEqual(new Set([401]));
  });

  test('replace one that is killed, and leave nothing that was delivered uncharged', { timeout: 300_000 }, async () => {
    const { key } = await newKey('killed');
    let [sent, delivered] = [0, 0];
    const ended = new AbortController();
    const callAndCall = async (): Promise<void> => {
      while (!ended.signal.aborted) {
        sent += 1;
        if ((await decode(key)) === 200) delivered += 1;
      }
    };
    const clients = Array.from({ length: CLIENTS }, callAndCall);
    try {
      await expect.poll(() => delivered, PATIENT).toBeGreaterThan(50);
      const [victim = 0, survivor] = workers();
      process.kill(victim, 'SIGKILL');
      await expect.poll(() => logged, PATIENT).toContain('a worker was replaced');
      expect(workers()).toEqual([survivor, expect.any(Number)]);
    } finally {
      ended.abort();
    }
    await Promise.all(clients);
    const used = await counted('killed');
    expect(used).toBeGreaterThanOrEqual(delivered);
    expect(used).toBeLessThanOrEqual(sent);
  });

  test.runIf(engine === 'sqlite')('replace one that hangs', { timeout: 300_000 }, async () => {
    const [victim = 0, survivor] = workers();
    process.kill(victim, 'SIGSTOP');
    await expect.poll(workers, PATIENT).toEqual([survivor, expect.any(Number)]);
    expect(workers()).not.toContain(victim);
    expect(logged).toContain('a worker hangs, and is ended');
  });

  test(
    'end with their parent when it is killed, and everything delivered is charged',
    { timeout: 300_000 },
    async () => {
      const { key } = await newKey('orphans');
      let [sent, delivered] = [0, 0];
      const callAndCall = async (): Promise<void> => {
        for (;;) {
          sent += 1;
          const status = await decode(key);
          if (status === 'broken') return;
          if (status === 200) delivered += 1;
        }
      };
      const clients = Array.from({ length: CLIENTS }, callAndCall);
      await expect.poll(() => delivered, PATIENT).toBeGreaterThan(50);
      const orphans = workers();
      const gone = once(parent, 'exit');
      parent.kill('SIGKILL');
      await gone;
      await Promise.all(clients);
      await until(async () => !orphans.some(isAlive));
      const used = await counted('orphans');
      expect(used).toBeGreaterThanOrEqual(delivered);
      expect(used).toBeLessThanOrEqual(sent);
      expect((await verifyUsage(database)).disagreements).toEqual([]);
    },
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns a call over MCP that asks for candidates. */
function askingCall(id: number): object {
  const params = { name: 'list_candidates', arguments: { vin: 'WVWZZZ1KZCW000001' } };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}

test.each(['first', 'second'] as const)(
  'a signal while the %s worker still starts ends them all in order',
  async (starting) => {
    const fresh = await freshDatabase('sqlite');
    const child = spawn(process.execPath, [CLI, 'serve'], {
      env: { DATA_DIR: fresh.location.dataDir, PORT: '0', WORKERS: '2' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      let [logged, written] = ['', ''];
      child.stdout.on('data', (chunk) => (logged += String(chunk)));
      child.stderr.on('data', (chunk) => (written += String(chunk)));
      const isStarting = {
        first: async () => workersOf(child).length === 1,
        second: async () => written.includes('Marque is ready at'),
      };
      await until(isStarting[starting]);
      const workers = workersOf(child);
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
      expect(logged).toContain('"msg":"stopped"');
      expect(workers.filter(isAlive)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
      await fresh.remove();
    }
  },
);
