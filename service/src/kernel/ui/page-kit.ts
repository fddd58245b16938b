import type { FastifyRequest } from 'fastify';

import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/index.ts';
import type { OpenRateLimit } from '../http/burst.ts';
import type { Failures } from './failures.ts';
import type { FlashMessages } from './flash.ts';
import type { Latency } from './latency.ts';

/** What every page gets; each slice adds what its own pages need. */
export interface PageKit {
  config: Config;
  database: Database;
  clock: Clock;
  /** Opens a limit of how often clients do something. */
  rateLimit: OpenRateLimit;
  /** The network that a request comes from, proxies seen through. */
  networkOf: (request: FastifyRequest) => string;
  /** Where people reach the service, for links in mails. */
  baseUrl: () => string;
  flash: FlashMessages;
  latency: Latency;
  failures: Pick<Failures, 'latest'>;
}
