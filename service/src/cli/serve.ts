import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

import { ALL_SETTINGS, type Command } from '../kernel/cli/command.ts';

import type { FastifyBaseLogger } from 'fastify';

import { openSharedCatalog } from '../catalog/index.ts';
import { type Config, settingsWithoutEffect, secretsOf } from '../kernel/config/config.ts';
import { createLog } from '../kernel/http/log.ts';
import { SERVICE_ADDRESS, SERVICE_SENDS_MAIL, writeSetting } from '../kernel/db/settings.ts';
import { openService, type Service, type Shared } from '../main.ts';
import { type MetricsServer, type MetricsSource, serveMetrics } from '../kernel/telemetry/server.ts';
import { loadSignIn } from '../people/index.ts';
import { ignoreOthers, ignoreStops, untilSignalled } from '../signals.ts';
import { traceFields } from '../kernel/telemetry/under-way.ts';
import { CommandError, type Io } from '../kernel/cli/io.ts';
import { configOf } from '../kernel/cli/settings.ts';

/** Adds `serve`. */
export function define(command: Command, io: Io): void {
  command.reads(ALL_SETTINGS).action(async () => serve(io));
}

/**
 * V8 puts objects that seem to live long straight among the old ones, and decides by one collection: a single pause
 * under load, in which all open requests survived, was enough. From then on parts of each request were born old and
 * kept the rest of it alive until the next full collection: 100 MiB more, and collections of ten milliseconds instead
 * of one.
 */
const KEEP_REQUESTS_YOUNG = '--no-allocation-site-pretenuring';

/**
 * V8 collects old objects once they are up to four times those that lived, of which a batch leaves ten megabytes. See
 * docs/decisions/overload.md.
 */
const COLLECT_SOONER = '--heap-growing-percent=100';

/** Requests that waited for the start come first. */
const LOAD_SIGN_IN_MS = 3_000;

/** The time that a stopped service may take to end by itself, in milliseconds. */
const LINGER_MS = 2_000;

/**
 * True if the system hands connections to processes itself. Each worker then listens on a separate socket: connections
 * that a killed worker had not accepted are reset at once. Elsewhere the primary hands them out, and those would wait
 * for ever.
 */
const HAS_REUSE_PORT = process.platform === 'linux' || process.platform === 'freebsd';

/**
 * Connections that may wait to be accepted; the system lowers it to its own limit. Without room, a client tries again
 * after one second, then three, then seven.
 */
const BACKLOG = 4_096;

/** A running process of the service. */
interface Running {
  url: string;
  /** Drains and closes everything. */
  stop: () => Promise<void>;
  /** Before the process is ended by force. */
  kill?: () => void;
}

async function serve(io: Io): Promise<void> {
  ignoreOthers(process);
  for (const flag of [KEEP_REQUESTS_YOUNG, COLLECT_SOONER]) setFlagsFromString(flag);
  const config = configOf(io);
  const fields = config.tracing && traceFields;
  const log = createLog(config.logLevel, undefined, { fields, secrets: secretsOf(config) });
  if (cluster.isWorker) {
    await serveAsWorker(config, log);
    return;
  }
  for (const warning of settingsWithoutEffect(io.env)) log.warn(warning);
  if (config.baseUrl !== undefined && config.contact === undefined) {
    log.warn('CONTACT is unset: no page says whom to ask for a larger plan, a lost link or a suspended workspace');
  }
  await untilSignalled(process, {
    start: () => (config.workers > 1 ? startWorkers(config, log) : startAlone(config, log)),
    ready: ({ url }) =>
      io.stderr.write(
        `Marque is ready at ${url} - try: curl -X POST ${url}/api/decode -d '{"vin":"1HGCM82633A004352"}'\n`,
      ),
    stop: async ({ stop }) => {
      log.info('stopping');
      await stop();
      log.info('stopped');
    },
    force: (why, running) => {
      log.fatal({ why }, 'stopped by force');
      running?.kill?.();
      process.exit(1);
    },
  });
  // Everything is written: nothing that is still open, such as a connection to a dead server, may keep the process.
  setTimeout(() => process.exit(0), LINGER_MS).unref();
}

async function startAlone(config: Config, log: FastifyBaseLogger): Promise<Running> {
  const service = await openOn(config, log);
  const metrics = await listenForMetrics(service.metrics, config, () => service.close());
  const origin = await listen(service, config, { close: async () => metrics?.close() });
  const stop = async (): Promise<void> => {
    await drain(service, config);
    await metrics?.close();
  };
  return { url: config.baseUrl ?? origin, stop };
}

async function startWorkers(config: Config, log: FastifyBaseLogger): Promise<Running> {
  await refuseTakenPort(config);
  const { Primary } = await import('../cluster/primary.ts');
  const primary = await Primary.open(config, log);
  const close = async (): Promise<void> => primary.stop();
  const metrics = await listenForMetrics(primary.metrics, config, close);
  const origin = await primary.start(config.workers);
  if (origin === undefined) {
    await close();
    await metrics?.close();
    throw new CommandError('');
  }
  void primary.outdated.then(() => {
    log.fatal('stopped: a newer program has upgraded the database, and no worker is left');
    process.exit(1);
  });
  const stop = async (): Promise<void> => {
    await close();
    await metrics?.close();
  };
  return { url: config.baseUrl ?? origin, stop, kill: () => primary.kill() };
}

/**
 * Serves until the primary has it end. Signals are the primary's: a terminal and systemd send them to every process.
 */
async function serveAsWorker(config: Config, log: FastifyBaseLogger): Promise<void> {
  ignoreStops(process);
  const { connectToPrimary } = await import('../cluster/worker.ts');
  const worker = connectToPrimary();
  const service = await openOn(config, log, worker.shared).catch(worker.failed);
  const origin = await listen(service, config, { reusePort: HAS_REUSE_PORT }).catch(worker.failed);
  worker.ready(service, origin);
  await worker.stopped;
  await drain(service, config);
  process.exit(0);
}

async function openOn(config: Config, log: FastifyBaseLogger, shared?: Shared): Promise<Service> {
  const { decoder, bytes } = openSharedCatalog(config);
  return openService(config, decoder, log, { shared, catalog: bytes });
}

async function drain(service: Service, { drainSeconds }: Config): Promise<void> {
  service.stopping.begun = true;
  await sleep(drainSeconds * 1000);
  await service.close();
}

/** Serves metrics from before the first request until after the last one: they exist for the time between. */
async function listenForMetrics(
  source: MetricsSource | undefined,
  { host, metricsPort }: Config,
  close: () => Promise<void>,
): Promise<MetricsServer | undefined> {
  if (source === undefined || metricsPort === undefined) return undefined;
  try {
    return await serveMetrics(source, host, metricsPort);
  } catch (error) {
    await close();
    throw listenError(error, host, metricsPort, 'METRICS_PORT');
  }
}

async function listen(
  service: Service,
  { host, port, baseUrl, smtpUrl }: Config,
  { reusePort = false, close }: { reusePort?: boolean; close?: () => Promise<void> } = {},
): Promise<string> {
  try {
    const where = { host, port, reusePort, backlog: BACKLOG };
    const origin = await service.app.listen(where);
    await writeSetting(service.database.kysely, SERVICE_ADDRESS, baseUrl ?? origin);
    await writeSetting(service.database.kysely, SERVICE_SENDS_MAIL, smtpUrl === undefined ? 'no' : 'yes');
    setTimeout(loadSignIn, LOAD_SIGN_IN_MS).unref();
    return origin;
  } catch (error) {
    await service.close();
    await close?.();
    throw listenError(error, host, port);
  }
}

/** Workers would share a port with another service's workers, and take its requests: this checks first. */
async function refuseTakenPort({ host, port }: Config): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
  } catch (error) {
    throw listenError(error, host, port);
  }
}

/** Explains why the service cannot listen on an address, with the remedy, if known. */
function listenError(error: unknown, host: string, port: number, setting = 'PORT'): unknown {
  const advice = new Map<unknown, string>([
    ['EADDRINUSE', `Port ${port} is taken. Stop the program that uses it, or set ${setting} to another port.`],
    ['EACCES', `Port ${port} needs more privileges. Set ${setting} to a port above 1023.`],
    ['EADDRNOTAVAIL', `This machine has no address ${host}. See HOST.`],
    ['ENOTFOUND', `This machine has no address ${host}. See HOST.`],
    // Of an address such as fe80::1, which means nothing without an interface; of IPv6 where there is none.
    ['EINVAL', `This machine cannot listen on ${host}. See HOST.`],
    ['EAFNOSUPPORT', `This machine cannot listen on ${host}. See HOST.`],
  ]).get(error instanceof Error && 'code' in error ? error.code : undefined);
  return advice === undefined ? error : new CommandError(advice);
}
