import { type Context, trace, type Tracer } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';

import packageJson from '../../../package.json' with { type: 'json' };
import type { TracingConfig } from '../config/config.ts';

/** Spans that wait to be sent: a few MiB. More are dropped, so that a dead collector costs no more than this. */
const MOST_WAITING = 4_096;
const BATCH = 512;
const SEND_EVERY_MS = 2_000;
/** One delivery with its repetitions; also the longest that stopping waits for the collector. */
const DELIVERY_MS = 5_000;
const WARN_EVERY_MS = 60_000;
/** Far more than any attribute here has. */
const ATTRIBUTE_LENGTH = 128;

/** Makes spans, and ends. */
export interface Provider {
  tracer: Tracer;
  /** Sends what waits, within `DELIVERY_MS`. Never rejects. */
  close(): Promise<void>;
}

/** Returns a tracer that sends to the collector. Nothing is registered globally: no library traces by itself. */
export function openProvider(config: TracingConfig, log: Pick<FastifyBaseLogger, 'warn'>): Provider {
  setGlobalErrorHandler(seldom(log));
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint}/v1/traces`,
    headers: config.headers,
    timeoutMillis: DELIVERY_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.serviceName, 'service.version': packageJson.version }),
    sampler: new OwnChoice(config.ratio),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: DELIVERY_MS,
      }),
    ],
  });
  return {
    tracer: provider.getTracer('marque'),
    close: async () => {
      await provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'last traces not delivered'));
    },
  };
}

/**
 * Chooses by itself which requests are traced. Neither a caller's flag nor its trace id matters: nobody outside can
 * make the service trace more than it is set to, or keep a request out.
 */
class OwnChoice implements Sampler {
  readonly #ratio: number;

  constructor(ratio: number) {
    this.#ratio = ratio;
  }

  shouldSample(context: Context): SamplingResult {
    const parent = trace.getSpanContext(context);
    const isPart = parent !== undefined && parent.isRemote !== true;
    const taken = isPart ? (parent.traceFlags & 1) === 1 : Math.random() < this.#ratio;
    return { decision: taken ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  }

  toString(): string {
    return `OwnChoice{${this.#ratio}}`;
  }
}

/** Limits the log of failed deliveries to one line a minute: a collector that is away fails every one. */
function seldom(log: Pick<FastifyBaseLogger, 'warn'>): (error: unknown) => void {
  let quietUntil = 0;
  return (error) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + WARN_EVERY_MS;
    log.warn({ err: error }, 'traces not delivered');
  };
}
