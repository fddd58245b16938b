import type { FastifyBaseLogger } from 'fastify';

import type { CorrectedDecoder } from './corrections/index.ts';
import { Enrichment, type Source } from './enrichment/index.ts';
import { decodeVinsWith, type FileThread } from './files/decode-vins.ts';
import { fileWorker } from './files/worker.ts';
import type { Meter } from './metering/index.ts';
import { sandboxEnrichment } from './enrichment/sandbox-index.ts';
import { deliveryWorker, type SecretBox } from './webhooks/index.ts';
import { systemClock } from './kernel/clock.ts';
import type { Config } from './kernel/config/config.ts';
import type { Database } from './kernel/db/index.ts';
import { scheduleWorker } from './kernel/jobs/index.ts';
import { mailWorker, openMailer } from './kernel/mail/index.ts';
import type { Metrics } from './kernel/telemetry/metrics.ts';
import { retention } from './retention.ts';
import { expiryNotices } from './workspaces/expiring.ts';

/** What the workers of an instance need. */
interface WorkerDeps {
  database: Database;
  metrics: Metrics | undefined;
  log: FastifyBaseLogger;
  /** Where VINs are looked up, in this order; none: nothing is looked up. */
  sources: readonly Source[];
  decoder: CorrectedDecoder;
  meter: Pick<Meter, 'chargeMany' | 'peek'>;
  /** Where the VINs of files are decoded; undefined: in the main thread. */
  fileThread: FileThread | undefined;
  box: SecretBox;
}

/** All background work of an instance, and the workers that others wake. Not started. */
export function openWorkers(config: Config, deps: WorkerDeps) {
  const { database, metrics, log, sources, decoder, meter, fileThread, box } = deps;
  const each = { database, log, clock: systemClock, watch: metrics?.countJob };
  const enrichment = sources.length === 0 ? undefined : new Enrichment({ ...each, sources, decoder });
  const { smtpUrl, webhookAllowPrivate: allowPrivate } = config;
  if (allowPrivate) log.warn('WEBHOOK_ALLOW_PRIVATE is on: subscribers may send requests into this network');
  const sendsMail = smtpUrl !== undefined;
  const deliveries = deliveryWorker({ ...each, box, allowPrivate, sendsMail });
  const files = fileWorker({
    ...each,
    decodeVins: decodeVinsWith(decoder, fileThread),
    deliveries,
    enrichment: sandboxEnrichment(enrichment),
    meter,
    planLimits: config.planLimits,
  });
  const schedules = [
    retention(database, config.decodeLogRetentionDays, log),
    ...(sendsMail ? [expiryNotices(each)] : []),
    ...(enrichment?.schedules() ?? []),
  ];
  const workers = [
    ...(enrichment === undefined ? [] : [enrichment]),
    deliveries,
    files,
    scheduleWorker(each, schedules),
    ...(smtpUrl === undefined ? [] : [mailWorker({ ...each, mailer: openMailer({ ...config, smtpUrl }) })]),
  ];
  const jobs = {
    start: () => workers.forEach((worker) => worker.start()),
    // Each claims no more, and waits until what is running has ended or given its jobs back.
    close: () => Promise.all(workers.map((worker) => worker.close())),
  };
  return { jobs, enrichment, deliveries, files };
}
