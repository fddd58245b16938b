import type { FastifyRequest } from 'fastify';

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Accounts } from '../../features/accounts/accounts.ts';
import type { LinkMailer } from '../../features/accounts/mail.ts';

/** What the pages about accounts need. */
export interface AccountPagesDeps {
  accounts: Accounts;
  database: Database;
  clock: Clock;
  mailer: LinkMailer;
  /**
   * Has a reset sent to an address that has an account, in the background: who asks learns nothing from the time that
   * it takes.
   */
  askForReset: (email: string) => void;
  /** Where people reach the service, for links in mails. */
  baseUrl: () => string;
  configuredBaseUrl: string | undefined;
  /** The network that a request comes from, proxies seen through. */
  networkOf: (request: FastifyRequest) => string;
}

/**
 * Whether a request is made on the machine that the service runs on, for a service that nobody has set up for others
 * yet. Links that have no mail server to go through may then be shown.
 */
export function isLocalTrial({ configuredBaseUrl, mailer }: AccountPagesDeps, request: FastifyRequest): boolean {
  const { remoteAddress } = request.socket;
  const isLoopback = remoteAddress !== undefined && /^(?:127\.|::1$|::ffff:127\.)/.test(remoteAddress);
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some((name) => request.headers[name] !== undefined);
  return configuredBaseUrl === undefined && !mailer.isConfigured && isLoopback && !isForwarded;
}

/** An e-mail address in the one form that it is stored in; undefined: it is none. */
export function emailOf(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && /^[a-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/.test(email)
    ? email
    : undefined;
}
