import type { Decoder } from '@marque/decoder';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';

import { Access, PayingNetworks } from './workspaces/index.ts';
import type { Billing } from './billing/index.ts';
import { authSecret, openPeople } from './people/index.ts';
import { labeledFolder, LiveCatalog } from './catalog/index.ts';
import { correctedDecoder, LiveOverrides, openCorrections } from './corrections/index.ts';
import { fieldLabel } from './report/index.ts';
import { configuredSources, Enrichment, type EnrichmentParts, type Source } from './enrichment/index.ts';
import { type FileThread, openFileThread } from './files/index.ts';
import { Idempotency, openMeter, type OpenCommitter, type SqliteCommitter, countMismatches } from './metering/index.ts';
import { newUuid7 } from './kernel/db/uuid7.ts';
import { RequestLog } from './requests/index.ts';
import { webhookBox } from './webhooks/index.ts';
import { buildApp } from './app.ts';
import { systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config/config.ts';
import { openDatabase } from './database.ts';
import { type Database, guarded, ServerWatch, StorageUnwritableError } from './kernel/db/index.ts';
import type { Stopping } from './kernel/http/draining.ts';
import { SILENT, UNWRITABLE } from './kernel/http/health.ts';
import type { Metrics } from './kernel/telemetry/metrics.ts';
import { watchSnapshot } from './kernel/telemetry/snapshot.ts';
import { openTracing } from './kernel/telemetry/open.ts';
import type { Tracing } from './kernel/telemetry/tracing.ts';
import { Vitals } from './kernel/ui/vitals.ts';
import { countedMeter, traced, tracedSource } from './instrument.ts';
import { Workers } from './workers.ts';
import { QUEUES } from './slices.ts';
import { localRateLimits, type OpenRateLimit } from './kernel/limits/token-buckets.ts';

/** A whole service: the app on its database, not yet listening. */
export interface Service {
  app: FastifyInstance;
  database: Database;
  /** Begun: `/readyz` turns balancers away, and everything is still served. */
  stopping: Stopping;
  /** Undefined: METRICS_PORT is unset. */
  metrics: Registry | undefined;
  /**
   * Stops in order: no longer ready, no new connections, open requests answered, charges and last uses written,
   * database closed.
   */
  close(): Promise<void>;
}

/** State shared by processes that serve together: see `cluster/`. */
export interface Shared {
  /** Writes the charges of all of them, where the database is SQLite. */
  committer: SqliteCommitter;
  rateLimit: OpenRateLimit;
  /** Has the other processes drop their copies; resolves when they have. */
  notifyPeers: () => Promise<void>;
  paying: PayingNetworks;
}

/** Options of `openService`. */
interface ServiceOptions {
  /** Unset: this process serves alone. */
  shared?: Shared | undefined;
  /**
   * The catalog's bytes in shared memory, for a thread that decodes files; without them files are decoded in this one.
   */
  catalog?: Uint8Array;
  /** Opens what writes charges to SQLite. Default: that of `shared`, or a thread. */
  committer?: OpenCommitter;
}

/**
 * Opens the database and builds the app on it.
 *
 * @param base the catalog alone: the overlay in force and overrides are put over it here, for everything that makes
 *   reports.
 * @throws UnusableDatabaseError when the database cannot be used, SourcesError when the file of enrichment
 * sources cannot.
 */
export async function openService(
  config: Config,
  base: Decoder,
  log: FastifyBaseLogger,
  { shared, catalog, committer = shared && (() => shared.committer) }: ServiceOptions = {},
): Promise<Service> {
  const fileThread = catalog && openFileThread(catalog);
  const sources = await configuredSources(config, process.env);
  const database = await openDatabase(config, shared === undefined ? 'service' : 'worker', shared?.notifyPeers);
  const rateLimit = shared?.rateLimit ?? localRateLimits();
  const tracing = await openTracing(config.tracing, log);
  const charging = await openCharging(database, log, tracing, committer);
  const { meter, clockFault } = charging;
  const access = new Access({ ...config, database, rateLimit, clockFault });
  const { overlaid, live, corrected } = await openLive(base, database, log);
  const metrics = await openMetrics(config, database, overlaid, meter, log);
  const counted = metrics === undefined ? meter : countedMeter(metrics, meter);
  const secret = await authSecret(database);
  const people = openPeople(config, { database, secret, log, clockFault });
  const watch = metrics?.countJob;
  const own = { clock: systemClock, clockFault, vitals: new Vitals(systemClock), watch, writer: meter };
  const work = { ...own, database, log, box: webhookBox(secret), billing: await openBilling(config, database, log) };
  const enrichment = openEnrichment(sources, tracing, { ...work, decoder: corrected });
  const workers = new Workers();
  const wake = (worker: string) => ({ wake: () => workers.wake(worker) });
  await workers.open({
    ...work,
    config,
    decoder: corrected,
    fileThread: fileThread && withoutOverlay(fileThread, () => overlaid.decoder.info.hash === base.info.hash),
    deliveries: wake('webhooks'),
    enrichment,
    meter: counted,
  });
  const stopping: Stopping = { begun: false };
  const requestLog = new RequestLog(database, meter, log, { dropped: metrics?.countUnlogged });
  const app = await buildApp({
    ...traced(tracing, { decoder: corrected, access, meter: counted }),
    ...work,
    config,
    corrections: correctionsOf(config, { database, catalog: overlaid, live }),
    idempotency: new Idempotency(database, systemClock),
    enrichment,
    webhooks: wake('webhooks'),
    files: wake('files'),
    people,
    metrics,
    requestLog,
    tracing,
    rateLimit,
    paying: shared?.paying ?? new PayingNetworks(),
    newId: () => newUuid7(systemClock()),
    stopping,
    fault: async () => clockFault() ?? (await faultOf(database, log)),
    ...charging.state,
  });
  workers.start();
  const parts = [[app, workers], people, fileThread, live, overlaid, requestLog, charging, access, tracing, database];
  return { app, database, stopping, metrics: metrics?.registry, close: () => closeInOrder(parts) };
}

/** The clock was set, or differs from PostgreSQL's: the log says by how much. */
const CLOCK_FAULT =
  "This machine's clock and the database's differ, so nothing is charged, decoded, sent or removed, and no one signs in. Set both by a time server.";

/** Opens the meter, and on PostgreSQL what watches the clock that it charges by. */
async function openCharging(
  database: Database,
  log: FastifyBaseLogger,
  tracing: Tracing | undefined,
  committer: OpenCommitter | undefined,
) {
  const server = database.engine === 'postgres' ? await ServerWatch.open(database, systemClock, log) : undefined;
  const mayCharge = (): boolean => server?.isClockRight() ?? true;
  const options = { onWait: tracing?.chargeWaits, mayCharge, committer };
  const meter = openMeter(database, systemClock, options);
  const clockFault = (): string | undefined => (mayCharge() ? undefined : CLOCK_FAULT);
  const state = { serverState: () => server?.state, chargesWaiting: () => meter.waiting };
  return { meter, clockFault, state, close: () => closeInOrder([meter, server]) };
}

function openEnrichment(
  sources: readonly Source[],
  tracing: Tracing | undefined,
  deps: Omit<EnrichmentParts, 'sources'>,
): Enrichment | undefined {
  if (sources.length === 0) return undefined;
  const watched = sources.map((source) => (tracing === undefined ? source : tracedSource(tracing, source)));
  return new Enrichment({ ...deps, sources: watched });
}

type Part = { close: () => unknown } | undefined;

/** Closes parts one after the other; together those that may each take half of the time that there is. */
async function closeInOrder(parts: readonly (Part | readonly Part[])[]): Promise<void> {
  for (const part of parts) await Promise.all([part].flat().map((one) => one?.close()));
}

/**
 * Opens the parts that follow the database: the overlay over the catalog, and overrides; `corrected` decodes with both.
 */
async function openLive(base: Decoder, database: Database, log: FastifyBaseLogger) {
  const overlaid = await LiveCatalog.open(base, database, (error) => log.warn({ err: error }, 'overlay not read'));
  const live = await LiveOverrides.open(database, (error) => log.warn({ err: error }, 'overrides not read'));
  return { overlaid, live, corrected: correctedDecoder(overlaid, live.current) };
}

/** Returns a thread that leaves files to the main thread while an overlay is in force: it knows the catalog alone. */
function withoutOverlay(thread: FileThread, isPlain: () => boolean): FileThread {
  return { run: async (vins) => (isPlain() ? thread.run(vins) : []) };
}

function correctionsOf(
  { smtpUrl }: Config,
  parts: { database: Database; catalog: LiveCatalog; live: LiveOverrides },
): ReturnType<typeof openCorrections> {
  const sendsMail = smtpUrl !== undefined;
  return openCorrections({
    ...parts,
    clock: systemClock,
    labeledFolder: labeledFolder(),
    sendsMail,
    nameOf: fieldLabel,
  });
}

/**
 * Resolves to the reason why the database cannot be read or written; undefined: it can. A failure is logged here, since
 * probes are not.
 */
async function faultOf(database: Database, log: FastifyBaseLogger): Promise<string | undefined> {
  try {
    if (database.engine === 'sqlite') {
      database.storage.probe();
      await sql`SELECT 1`.execute(database.kysely);
      // As charges do: that pages wait keeps no decode from its answer.
    } else await guarded(() => database.pool.query('SELECT 1'));
  } catch (error) {
    log.error({ err: error }, 'not ready: the database cannot be used');
    // It may have crashed for another reason than its disk.
    const isUnwritable = database.failure.goesOn(error) && database.failure.error !== undefined;
    return error instanceof StorageUnwritableError || isUnwritable ? UNWRITABLE : SILENT;
  }
  const { error } = database.failure;
  if (error !== undefined) log.error({ err: error }, 'not ready: nothing can be stored');
  return error && UNWRITABLE;
}

// Parts that many services do without are loaded only if configured: they would take half of the time of a start.

async function openBilling(
  { billing: config, planLimits }: Config,
  database: Database,
  log: FastifyBaseLogger,
): Promise<Billing | undefined> {
  if (config === undefined) return undefined;
  const { Billing } = await import('./billing/index.ts');
  return new Billing({ config, planLimits, database, clock: systemClock, log });
}

async function openMetrics(
  { metricsPort }: Config,
  database: Database,
  catalog: LiveCatalog,
  meter: { waiting: number },
  log: FastifyBaseLogger,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Metrics } = await import('./kernel/telemetry/metrics.ts');
  const failed = (error: unknown): void => log.warn({ err: error }, 'metrics not read from the database');
  return new Metrics(
    () => catalog.decoder.info,
    () => meter.waiting,
    watchSnapshot(database, systemClock, QUEUES, countMismatches, failed),
  );
}
