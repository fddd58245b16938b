import type { FastifyRequest } from 'fastify';

import type { Access } from './workspaces/index.ts';
import type { Accounts } from './people/accounts.ts';
import type { LinkMailer } from './people/mail.ts';
import type { Billing } from './billing/billing.ts';
import type { Corrections } from './corrections/index.ts';
import type { DecodeDeps } from './decode/decode-for.ts';
import type { CandidateSearches } from './decode/candidates/searches.ts';
import type { Suggestions } from './decode/suggestions.ts';
import type { Enrichment } from './enrichment/index.ts';
import type { Transfers } from './files/transfers.ts';
import type { Idempotency, Meter } from './metering/index.ts';
import type { WebhookParts } from './webhooks/index.ts';
import type { Clock } from './kernel/clock.ts';
import type { Config } from './kernel/config/config.ts';
import type { Database } from './kernel/db/index.ts';
import type { OpenRateLimit } from './kernel/http/burst.ts';
import type { FlashMessages } from './kernel/ui/flash.ts';
import type { Failures } from './kernel/ui/failures.ts';
import type { Latency } from './kernel/ui/latency.ts';

/** What the service hands to its pages. */
export interface ServiceParts extends DecodeDeps {
  access: Pick<Access, 'identify'>;
  meter: Pick<Meter, 'charge' | 'chargeMany' | 'record' | 'peek'>;
  idempotency: Pick<Idempotency, 'begin' | 'decodeOf'>;
  corrections: Corrections;
  /** Undefined: no source is configured. */
  enrichment: Enrichment | undefined;
  webhooks: WebhookParts;
  transfers: Transfers;
  /** The worker of files: woken when one has come in. */
  files: { wake: () => void };
  /** Undefined: plans are not paid for here. */
  billing: Billing | undefined;
  /** Opens a limit of how often clients do something. */
  rateLimit: OpenRateLimit;
  suggestions: Pick<Suggestions, 'for'>;
  searches: Pick<CandidateSearches, 'read'>;
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
