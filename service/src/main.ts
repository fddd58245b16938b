import type { Decoder } from '@marque/decoder';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';

import { Access } from './features/access/index.ts';
import { authSecret } from './features/accounts/secret.ts';
import { buildApp } from './app.ts';
import { labelledFolder } from './features/decode/open-catalog.ts';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import {
  type CorrectedDecoder,
  correctedDecoder,
  LiveOverrides,
  openCorrections,
} from './features/corrections/index.ts';
import { type Database, openDatabase } from './platform/db/index.ts';
import { configuredSources, Enrichment, type Source } from './features/enrichment/index.ts';
import type { Stopping } from './platform/http/draining.ts';
import { Jobs, scheduleWorker } from './platform/jobs/index.ts';
import { mailWorker, openMailer } from './platform/mail/index.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { watchSnapshot } from './platform/metrics/snapshot.ts';
import { openTracing } from './platform/tracing/open.ts';
import { countedMeter, tracedAccess, tracedDecoder, tracedMeter, tracedSource } from './instrument.ts';
import { retention } from './retention.ts';
import { Idempotency, newDecodeId, openMeter, storedReports } from './features/usage/index.ts';
import { DeliveryWorker, SecretBox } from './features/webhooks/index.ts';

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

/**
 * Opens the database and builds the app on it.
 *
 * @param decoder without overrides: these are put over it here, for everything that makes reports.
 * @throws DatabaseRefusal when the database cannot be used as it stands, SourcesRefusal when the file of enrichment
 *   sources cannot.
 */
export async function openService(config: Config, decoder: Decoder, log: FastifyBaseLogger): Promise<Service> {
  const sources = configuredSources(config, process.env);
  const database = await openDatabase(config, 'service');
  const access = new Access({ ...config, database });
  const tracing = await openTracing(config.tracing, log);
  const meter = openMeter(database, systemClock, undefined, tracing?.chargeWaits);
  const metrics = openMetrics(config, database, decoder, meter, log);
  const live = await LiveOverrides.open(database, (error) => log.warn({ err: error }, 'overrides not read'));
  const corrected = correctedDecoder(decoder, live.current);
  const enrichment = openEnrichment(
    sources.map((source) => (tracing === undefined ? source : tracedSource(tracing, source))),
    { database, decoder: corrected, metrics, log },
  );
  const counted = metrics === undefined ? meter : countedMeter(metrics, meter);
  const box = new SecretBox(await authSecret(database));
  const deliveries = openDeliveries(config, { database, box, metrics, log });
  const stopping: Stopping = { begun: false };
  const app = await buildApp({
    config,
    database,
    decoder: tracing === undefined ? corrected : tracedDecoder(tracing, corrected),
    corrections: openCorrections({
      database,
      clock: systemClock,
      decoder,
      live,
      labelledFolder: labelledFolder(),
      sendsMail: config.smtpUrl !== undefined,
    }),
    clock: systemClock,
    access: tracing === undefined ? access : tracedAccess(tracing, access),
    meter: tracing === undefined ? counted : tracedMeter(tracing, counted),
    idempotency: new Idempotency(database, systemClock),
    storedReports: (ids) => storedReports(database, ids),
    enrichment,
    webhooks: { box, wake: () => deliveries.wake() },
    metrics,
    tracing,
    log,
    newId: () => newDecodeId(systemClock()),
    stopping,
    isReady: () => answers(database, log),
  });
  const schedules = [retention(database, config.decodeLogRetentionDays, log), ...(enrichment?.schedules() ?? [])];
  const jobs = new Jobs([
    ...(enrichment === undefined ? [] : [enrichment]),
    deliveries,
    scheduleWorker({ database, clock: systemClock, log, watch: metrics?.countJob }, schedules),
    ...mailWorkers(config, { database, metrics, log }),
  ]);
  jobs.start();
  const close = async (): Promise<void> => {
    await app.close();
    await jobs.close();
    await live.close();
    await meter.close();
    await access.close();
    await tracing?.close();
    await database.close();
  };
  return { app, database, stopping, metrics: metrics?.registry, close };
}

/** Whether the database answers, and keeps what it is given. What speaks against it is logged: a probe is not. */
async function answers(database: Database, log: FastifyBaseLogger): Promise<boolean> {
  try {
    if (database.engine === 'sqlite') database.storage.probe();
    await sql`SELECT 1`.execute(database.kysely);
    return true;
  } catch (error) {
    log.error({ err: error }, 'not ready: the database cannot be used');
    return false;
  }
}

/** What every worker needs. */
interface JobDeps {
  database: Database;
  metrics: Metrics | undefined;
  log: FastifyBaseLogger;
}

function openEnrichment(
  sources: readonly Source[],
  { decoder, metrics, ...deps }: JobDeps & { decoder: CorrectedDecoder },
): Enrichment | undefined {
  if (sources.length === 0) return undefined;
  return new Enrichment({
    ...deps,
    sources,
    decode: (vin) => decoder.decode(vin),
    correct: (report) => decoder.correct(report),
    clock: systemClock,
    watch: metrics?.countJob,
  });
}

function openDeliveries(
  { smtpUrl, webhookAllowPrivate: allowPrivate }: Config,
  { metrics, ...deps }: JobDeps & { box: SecretBox },
): DeliveryWorker {
  if (allowPrivate) deps.log.warn('WEBHOOK_ALLOW_PRIVATE is on: subscribers may send requests into this network');
  const sendsMail = smtpUrl !== undefined;
  return new DeliveryWorker({ ...deps, clock: systemClock, allowPrivate, sendsMail, watch: metrics?.countJob });
}

function openMetrics(
  { metricsPort }: Config,
  database: Database,
  { info }: Decoder,
  meter: { waiting: number },
  log: FastifyBaseLogger,
): Metrics | undefined {
  if (metricsPort === undefined) return undefined;
  const failed = (error: unknown): void => log.warn({ err: error }, 'metrics not read from the database');
  return new Metrics(info, () => meter.waiting, watchSnapshot(database, systemClock, failed));
}

/** The worker that sends mail, where there is a mail server. */
function mailWorkers({ smtpUrl, mailFrom, baseUrl }: Config, { metrics, ...deps }: JobDeps) {
  if (smtpUrl === undefined) return [];
  const mailer = openMailer({ smtpUrl, mailFrom, baseUrl });
  return [mailWorker({ ...deps, mailer, clock: systemClock, watch: metrics?.countJob })];
}
