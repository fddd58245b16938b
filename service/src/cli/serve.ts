import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

import { ALL_SETTINGS, type Command } from './command.ts';

import { openConfiguredCatalog } from '../features/decode/open-catalog.ts';
import { type Config, secretsOf } from '../platform/config/config.ts';
import { createLog } from '../platform/http/log.ts';
import { openService, type Service } from '../main.ts';
import { type MetricsServer, serveMetrics } from '../platform/metrics/server.ts';
import { untilSignalled } from '../signals.ts';
import { traceFields } from '../platform/tracing/under-way.ts';
import { CommandError, type Io } from './io.ts';
import { configOf } from './settings.ts';

/** Adds `serve`. */
export function addServe(command: Command, io: Io): void {
  command.reads(ALL_SETTINGS).action(async () => serve(io));
}

/**
 * V8 puts what seems to live long straight among the old objects, and judges by one collection: a single pause under
 * load, in which all open requests survived, was enough. From then on parts of each request were born old and kept the
 * rest of it alive until the next full collection: 100 MiB more, and collections of ten milliseconds instead of one.
 */
const KEEP_REQUESTS_YOUNG = '--no-allocation-site-pretenuring';

/** How long a stopped service may take to end by itself. */
const LINGER_MS = 2_000;

async function serve(io: Io): Promise<void> {
  setFlagsFromString(KEEP_REQUESTS_YOUNG);
  const config = configOf(io);
  const fields = config.tracing && traceFields;
  const log = createLog(config.logLevel, undefined, { fields, secrets: secretsOf(config) });
  const decoder = openConfiguredCatalog(config);
  const service = await openService(config, decoder, log);
  const metrics = await listenForMetrics(service, config);
  const origin = await listen(service, config, metrics);
  const url = config.baseUrl ?? origin;
  await untilSignalled(process, {
    listening: () =>
      io.stderr.write(
        `Marque is ready at ${url} - try: curl -X POST ${url}/api/decode -d '{"vin":"1HGCM82633A004352"}'\n`,
      ),
    stop: async () => {
      log.info('stopping');
      service.stopping.begun = true;
      await sleep(config.drainSeconds * 1000);
      await service.close();
      await metrics?.close();
      log.info('stopped');
    },
    force: (why) => {
      log.fatal({ why }, 'stopped by force');
      process.exit(1);
    },
  });
  // Everything is written: whatever still holds the process, such as a line to a server that is gone, must not keep it.
  setTimeout(() => process.exit(0), LINGER_MS).unref();
}

/** Metrics are there before the first request and until the last one: what happens in between is what they are for. */
async function listenForMetrics(service: Service, { host, metricsPort }: Config): Promise<MetricsServer | undefined> {
  if (service.metrics === undefined || metricsPort === undefined) return undefined;
  try {
    return await serveMetrics(service.metrics, host, metricsPort);
  } catch (error) {
    await service.close();
    const advice = adviceFor(error, host, metricsPort, 'METRICS_PORT');
    throw advice === undefined ? error : new CommandError(advice);
  }
}

async function listen(service: Service, { host, port }: Config, metrics: MetricsServer | undefined): Promise<string> {
  try {
    return await service.app.listen({ host, port });
  } catch (error) {
    await service.close();
    await metrics?.close();
    const advice = adviceFor(error, host, port);
    throw advice === undefined ? error : new CommandError(advice);
  }
}

function adviceFor(error: unknown, host: string, port: number, setting = 'PORT'): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Stop what listens there, or set ${setting} to another one.`;
  if (code === 'EACCES') return `Port ${port} needs more rights. Set ${setting} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `This machine has no address ${host}. See HOST.`;
  return undefined;
}
