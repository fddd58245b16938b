import type { FastifyRequest } from 'fastify';

import type { Access } from '../features/access/index.ts';
import type { Accounts } from '../features/accounts/accounts.ts';
import type { LinkMailer } from '../features/accounts/mail.ts';
import type { Billing } from '../features/billing/billing.ts';
import type { Corrections } from '../features/corrections/index.ts';
import type { DecodeDeps } from '../features/decode/decode-for.ts';
import type { Suggestions } from '../features/decode/suggestions.ts';
import type { Enrichment } from '../features/enrichment/index.ts';
import type { Idempotency, Meter } from '../features/usage/index.ts';
import type { WebhookParts } from '../features/webhooks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/index.ts';
import type { OpenRateLimit } from '../platform/http/burst.ts';
import type { FlashMessages } from '../platform/ui/flash.ts';
import type { Failures } from './shared/failures.ts';
import type { Latency } from './shared/latency.ts';

/** What the service hands to its pages. */
export interface ServiceParts extends DecodeDeps {
  access: Pick<Access, 'identify'>;
  meter: Pick<Meter, 'charge' | 'chargeMany' | 'record' | 'peek'>;
  idempotency: Pick<Idempotency, 'begin' | 'decodeOf'>;
  corrections: Corrections;
  /** Undefined: no source is configured. */
  enrichment: Enrichment | undefined;
  webhooks: WebhookParts;
  /** The worker of files: woken when one has come in. */
  files: { wake: () => void };
  /** Undefined: plans are not paid for here. */
  billing: Billing | undefined;
  /** Opens a limit of how often clients do something. */
  rateLimit: OpenRateLimit;
  suggestions: Pick<Suggestions, 'for'>;
  /** The network that a request comes from, proxies seen through. */
  networkOf: (request: FastifyRequest) => string;
  config: Config;
  database: Database;
  clock: Clock;
}

/** What pages need: each takes of it what it uses. */
export interface PageDeps extends ServiceParts {
  accounts: Accounts;
  mailer: LinkMailer;
  /** The instance's secret. */
  secret: string;
  flash: FlashMessages;
  latency: Latency;
  failures: Pick<Failures, 'latest'>;
  /** Where people reach the service, for links in mails. */
  baseUrl: () => string;
  /**
   * Has a reset sent to an address that has an account, in the background: who asks learns nothing from the time that
   * it takes.
   */
  askForReset: (email: string) => void;
}
