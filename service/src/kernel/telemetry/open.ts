import type { FastifyBaseLogger } from 'fastify';

import type { TracingConfig } from '../config/config.ts';
import type { Tracing } from './tracing.ts';

/** Starts tracing if a collector is configured; otherwise OpenTelemetry's SDK is not loaded. */
export async function openTracing(
  config: TracingConfig | undefined,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<Tracing | undefined> {
  if (config === undefined) return undefined;
  const [{ Tracing }, { openProvider }] = await Promise.all([import('./tracing.ts'), import('./provider.ts')]);
  return new Tracing(openProvider(config, log));
}
