import type { FastifyBaseLogger } from 'fastify';

import type { TracingConfig } from '../config/config.ts';
import type { Tracing } from './tracing.ts';

/** Begins to trace if a collector is configured. Otherwise OpenTelemetry's SDK is not even loaded. */
export async function openTracing(
  config: TracingConfig | undefined,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<Tracing | undefined> {
  if (config === undefined) return undefined;
  const [{ Tracing }, { openProvider }] = await Promise.all([import('./tracing.ts'), import('./provider.ts')]);
  return new Tracing(openProvider(config, log));
}
