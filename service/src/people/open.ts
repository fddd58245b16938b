import type { FastifyBaseLogger } from 'fastify';

import { Accounts } from './accounts.ts';
import { Background, type LinkMailer, openLinkMailer } from './mail.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Database } from '../kernel/db/index.ts';

/** Account services: sign-in, mail to people, and work done after an answer. */
export interface People {
  accounts: Accounts;
  mailer: LinkMailer;
  /** Work that must not show in how long an answer takes. */
  background: Background;
  /** The instance's secret. */
  secret: string;
  close(): Promise<void>;
}

/** Opens account services. */
export function openPeople(
  { baseUrl, smtpUrl }: Pick<Config, 'baseUrl' | 'smtpUrl'>,
  {
    log,
    ...deps
  }: { database: Database; secret: string; log: FastifyBaseLogger; clockFault: () => string | undefined },
): People {
  const { database, secret } = deps;
  const clock = systemClock;
  const isSecure = baseUrl?.startsWith('https:') === true;
  const background = new Background((error) => log.error({ err: error }, 'background work failed'));
  const mailer = openLinkMailer({ smtpUrl, database, clock, log, background });
  const accounts = new Accounts({ ...deps, clock, isSecure });
  return { accounts, mailer, background, secret, close: () => background.close() };
}

/** Loads the library of sign-ins ahead: the first sign-in would block all requests for some tenths of a second. */
export function loadSignIn(): void {
  // A sign-in tries again, and reports the fault.
  import('./auth.ts').catch(() => {});
}
