import { rmSync } from 'node:fs';

import type { Decoder } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

import { createKey, createWorkspace, type LimitChoice, systemRandom, type Plan } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { faultMessage, readConfig, secretsOf } from '../kernel/config/config.ts';
import type { Database } from '../kernel/db/index.ts';
import { createLog } from '../kernel/http/log.ts';
import { openService } from '../main.ts';
import { SqliteBlockingCommitter } from '../metering/index.ts';
import { traceFields } from '../kernel/telemetry/under-way.ts';
import { dataFolder } from './data-folder.ts';
import { type Engine, freshDatabase } from './databases.ts';
import { decoder } from './decoder.ts';

/** The whole service on a separate database, to be driven through `app.inject` or a socket. */
export interface TestService extends AsyncDisposable {
  app: FastifyInstance;
  database: Database;
  /** Undefined: METRICS_PORT is unset. */
  metrics: Registry | undefined;
  /** The environment for commands that run beside it. */
  env: NodeJS.ProcessEnv;
  /** Returns every line logged so far. */
  logged(): string;
  /** Makes a workspace with a key; gives the key. */
  keyFor(plan: Plan, limit?: LimitChoice): Promise<string>;
  /** Counts the decodes charged so far, by the ledger. */
  charged(): Promise<number>;
}

/**
 * Starts a service that does not listen yet. `env` adds to an environment with nothing set. It writes to SQLite as the
 * primary process of a cluster does: to start a thread takes as long as the rest of the start.
 */
export async function testService(env: NodeJS.ProcessEnv = {}, decodeWith: Decoder = decoder): Promise<TestService> {
  const dataDir = dataFolder();
  const reading = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'trace', ...env });
  if (reading.kind === 'faulty') throw new Error(faultMessage(reading.faults));
  const lines: string[] = [];
  const more = { fields: reading.config.tracing && traceFields, secrets: secretsOf(reading.config) };
  const log = createLog(reading.config.logLevel, { write: (line) => void lines.push(line) }, more);
  const service = await openService(reading.config, decodeWith, log, {
    committer: (sqlite) => new SqliteBlockingCommitter(sqlite),
  });
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  return {
    app: service.app,
    env: { DATA_DIR: dataDir, ...env },
    database: service.database,
    metrics: service.metrics,
    logged: () => lines.join(''),
    async keyFor(plan, limit = { kind: 'plan' }) {
      const created = await createWorkspace(deps, { slug: plan, plan, limit }, 'cli:test');
      if (created.kind !== 'created') throw new Error(created.kind);
      return (await createKey(deps, { workspaceId: created.workspace.id, name: 'test' }, 'cli:test')).key;
    },
    async charged() {
      // Summed by the database: some tests ask repeatedly, with thousands of decodes stored.
      const { charged } = await service.database.kysely
        .selectFrom('usage_ledger')
        .select(({ fn }) => fn.sum<number | string | null>('charged').as('charged'))
        .executeTakeFirstOrThrow();
      return Number(charged ?? 0);
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a service as `testService` does, on a fresh database of an engine, which goes with it. */
export async function serviceOn(engine: Engine, env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const fresh = await freshDatabase(engine);
  const { databaseUrl } = fresh.location;
  const service = await testService({ ...env, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) });
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await fresh.remove();
    },
  };
}
