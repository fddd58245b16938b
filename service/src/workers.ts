import type { FastifyBaseLogger } from 'fastify';

import type { CorrectedDecoder } from './features/corrections/index.ts';
import { Enrichment, type Source } from './features/enrichment/index.ts';
import { decodeVinsWith, type FileThread } from './features/files/decode-vins.ts';
import { fileWorker } from './features/files/worker.ts';
import type { Meter } from './features/usage/index.ts';
import { sandboxEnrichment } from './features/sandbox/index.ts';
import { DeliveryWorker, type SecretBox } from './features/webhooks/index.ts';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { Database } from './platform/db/index.ts';
import { Jobs, scheduleWorker } from './platform/jobs/index.ts';
import { mailWorker, openMailer } from './platform/mail/index.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { retention } from './retention.ts';

/** What every worker needs. */
interface JobDeps {
  database: Database;
  metrics: Metrics | undefined;
  log: FastifyBaseLogger;
}

/** What the workers of an instance need. */
interface WorkerDeps extends JobDeps {
  /** Where VINs are looked up, in this order; none: nothing is looked up. */
  sources: readonly Source[];
  decoder: CorrectedDecoder;
  meter: Pick<Meter, 'chargeMany' | 'peek'>;
  /** Where the VINs of files are decoded; undefined: in the main thread. */
  fileThread: Pick<FileThread, 'decode'> | undefined;
  box: SecretBox;
}

/** Everything that an instance does later, and those workers that somebody wakes. Not started. */
export interface Workers {
  jobs: Jobs;
  /** Undefined: no source is configured. */
  enrichment: Enrichment | undefined;
  deliveries: DeliveryWorker;
  files: ReturnType<typeof fileWorker>;
}

/** Builds the workers. */
export function openWorkers(
  config: Config,
  { sources, decoder, meter, fileThread, box, ...deps }: WorkerDeps,
): Workers {
  const { database, metrics, log } = deps;
  const each = { database, log, clock: systemClock, watch: metrics?.countJob };
  const enrichment = openEnrichment(sources, { ...deps, decoder });
  const deliveries = openDeliveries(config, { ...deps, box });
  const files = fileWorker({
    ...each,
    decodeVins: decodeVinsWith(decoder, fileThread),
    deliveries,
    enrichment: sandboxEnrichment(enrichment),
    meter,
    planLimits: config.planLimits,
  });
  const schedules = [retention(database, config.decodeLogRetentionDays, log), ...(enrichment?.schedules() ?? [])];
  const jobs = new Jobs([
    ...(enrichment === undefined ? [] : [enrichment]),
    deliveries,
    files,
    scheduleWorker(each, schedules),
    ...mailWorkers(config, deps),
  ]);
  return { jobs, enrichment, deliveries, files };
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

/** The worker that sends mail, where there is a mail server. */
function mailWorkers({ smtpUrl, mailFrom, baseUrl }: Config, { metrics, ...deps }: JobDeps) {
  if (smtpUrl === undefined) return [];
  const mailer = openMailer({ smtpUrl, mailFrom, baseUrl });
  return [mailWorker({ ...deps, mailer, clock: systemClock, watch: metrics?.countJob })];
}
