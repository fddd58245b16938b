import { pino } from 'pino';
import { segmentsOf, type VehicleReport } from '@marque/decoder';

import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/db/index.ts';
import { DEFAULT_BOUNDS, type EnrichmentBounds } from '../bounds.ts';
import { Enrichment } from '../enrichment.ts';
import type { RateLimit } from '../source.ts';
import { vpicSource } from '../sources/vpic.ts';

/** Returns a VIN of which nothing is known but its segments. */
export function bareReport(vin: string): VehicleReport {
  return { vin, ...segmentsOf(vin), validFormat: true, bodyStyleNormalized: 'unknown' };
}

/** A test's changes to an instance's enrichment. */
export interface TestEnrichment {
  /** The provider. */
  url: string;
  timeoutMs?: number;
  rateLimit?: RateLimit;
  bounds?: Partial<EnrichmentBounds>;
  clock?: Clock;
  correct?: (report: VehicleReport) => VehicleReport;
}

/** Returns one instance's enrichment from a provider, which knows no vehicle by itself. Not started. */
export function enrichmentOn(database: Database, options: TestEnrichment): Enrichment {
  const {
    url,
    timeoutMs = 10_000,
    rateLimit = { perMinute: 60_000, concurrent: 4 },
    bounds,
    clock = systemClock,
  } = options;
  return new Enrichment({
    database,
    sources: [vpicSource({ name: 'vpic', url, rateLimit, timeoutMs, privateAddresses: false })],
    decoder: {
      decode: bareReport,
      correct: options.correct ?? ((report) => report),
    },
    clock,
    log: pino({ level: 'silent' }),
    bounds: { ...DEFAULT_BOUNDS, ...bounds },
  });
}
