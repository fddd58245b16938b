import type { FastifyRequest } from 'fastify';

import { personOf } from '../../features/accounts/guard.ts';
import type { Actor } from '../../platform/audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CorrectedDecoder, Corrections } from '../../features/corrections/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { FlashMessages } from '../../platform/ui/flash.ts';
import type { Enrichment } from '../../features/enrichment/index.ts';
import type { Failures } from '../shared/failures.ts';
import type { Latency } from '../shared/latency.ts';

/** What the pages of administration need. */
export interface AdminDeps {
  config: Config;
  database: Database;
  clock: Clock;
  decoder: CorrectedDecoder;
  corrections: Corrections;
  latency: Latency;
  failures: Pick<Failures, 'latest'>;
  flash: FlashMessages;
  /** Undefined: no source is configured. */
  enrichment: Pick<Enrichment, 'statuses'> | undefined;
}

/** The administrator who asks, as the audit log names them. */
export function actorOf(request: FastifyRequest): Actor {
  return `admin:${personOf(request).email}`;
}
