import { createTransport } from 'nodemailer';
import type { FastifyBaseLogger } from 'fastify';

/** A mail with one link in it. */
export interface LinkMail {
  to: string;
  subject: string;
  /** What stands before the link, and after it. */
  before: string;
  link: string;
  after: string;
}

/** Sends mail in the background: nobody who fills in a form learns from the time that it takes whether one was sent. */
export interface Mailer {
  /** Whether there is a mail server. Without one, links are written to the log. */
  readonly isConfigured: boolean;
  send(mail: LinkMail): void;
  /** Waits for what is on its way. */
  close(): Promise<void>;
}

/** Time for the mail server to take a mail, milliseconds. */
const TIMEOUT_MS = 20_000;

/** A mailer on a mail server's URL, or one that writes to the log where there is none. */
export function openMailer(smtpUrl: string | undefined, from: string, log: FastifyBaseLogger): Mailer {
  if (smtpUrl === undefined) {
    const send = ({ to, subject, link }: LinkMail): void =>
      log.warn({ to, subject, link }, 'no SMTP_URL: this link was not mailed, hand it over yourself');
    return { isConfigured: false, send, close: async () => {} };
  }
  const transport = createTransport(smtpUrl, { from });
  const underWay = new Set<Promise<void>>();
  const deliver = async (mail: LinkMail): Promise<void> => {
    const text = `${mail.before}\n\n${mail.link}\n\n${mail.after}\n`;
    try {
      await withTimeout(transport.sendMail({ to: mail.to, subject: mail.subject, text }));
    } catch (error) {
      log.error({ err: error, subject: mail.subject }, 'mail was not taken by the mail server');
    }
  };
  return {
    isConfigured: true,
    send(mail) {
      const delivery = deliver(mail).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async close() {
      await Promise.all(underWay);
      transport.close();
    },
  };
}

async function withTimeout(sending: Promise<unknown>): Promise<void> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The mail server did not answer in time.')), TIMEOUT_MS);
  try {
    await Promise.race([sending, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
