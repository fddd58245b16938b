import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/db/index.ts';
import { enqueueMail } from '../kernel/mail/index.ts';

/** A message with one link in it. */
export interface LinkMail {
  to: string;
  subject: string;
  /** The text before the link, and after it. */
  before: string;
  link: string;
  after: string;
}

/** Sends links in the background: response times do not disclose whether one was sent. */
export type LinkMailer = ReturnType<typeof openLinkMailer>;

/** Opens a mailer on the outbox, or one that writes to the log where no mail server is configured. */
export function openLinkMailer(deps: {
  smtpUrl: string | undefined;
  database: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  background: Background;
}) {
  const { database, clock, log, background } = deps;
  const isConfigured = deps.smtpUrl !== undefined;
  return {
    /** True if there is a mail server. Without one, links are written to the log. */
    isConfigured,
    send({ to, subject, before, link, after }: LinkMail): void {
      if (!isConfigured) {
        log.warn({ to, subject, link }, 'no SMTP_URL: this link was not mailed, pass it on yourself');
        return;
      }
      const mail = { to, subject, text: `${before}\n\n${link}\n\n${after}\n` };
      background.run(database.kysely.transaction().execute((transaction) => enqueueMail(transaction, mail, clock())));
    },
  };
}

/** Work that no request waits for, but that finishes before the service stops. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();
  readonly #failed: (error: unknown) => void;

  /** @param failed called with the error. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  run(work: Promise<void>): void {
    const done = work.catch(this.#failed).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Waits for running work. */
  async close(): Promise<void> {
    // Running work may start more.
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}
