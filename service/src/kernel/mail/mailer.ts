import type { Transporter } from 'nodemailer';

/** A message to one person, in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** The way to the mail server. */
export interface Mailer {
  /**
   * Hands a message to the server, unless the signal ends that before.
   * @throws UnconfirmedError when the server has the whole message, and did not say whether it takes it.
   * @throws Error when the server cannot be reached or refuses it.
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
}

/** The server may have the message. */
export class UnconfirmedError extends Error {
  override name = 'UnconfirmedError';
  readonly code = 'UNCONFIRMED';
}

/** A server that has not greeted by then is as good as down; some wait on purpose. */
const GREETING_MS = 30_000;

/**
 * The longest that one message may take, whatever the server sends meanwhile: shorter than the lease. Many servers look
 * for spam and viruses before they confirm a message.
 */
const MOST_MS = 45_000;

/** A notice of absence or of failure does not answer such a message: RFC 3834. */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

/** The settings of a mailer. */
interface MailSettings {
  smtpUrl: string;
  /** Undefined: the mail user where that is an address, else an address at the service's own host. */
  mailFrom: string | undefined;
  baseUrl: string | undefined;
}

/** Opens the way to the server behind an `smtp://` URL; nothing is connected before the first message. */
export function openMailer({ smtpUrl, mailFrom, baseUrl }: MailSettings, mostMs: number = MOST_MS): Mailer {
  const from = mailFrom ?? senderFor(smtpUrl, baseUrl);
  return {
    async send({ to, subject, text }, end = new AbortController().signal) {
      let isWhole = false;
      const transport = await openTransport(smtpUrl);
      transport.use('stream', ({ message }, done) => {
        message.processFunc((input) => input.once('end', () => (isWhole = true)));
        done();
      });
      // The library's own limits begin anew with each byte that the server sends. The signal closes the connection, too.
      const tooLong = AbortSignal.timeout(mostMs);
      const signal = AbortSignal.any([end, tooLong]);
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, signal, headers: HEADERS });
      } catch (cause) {
        if (isWhole && !hasAnswer(cause)) throw new UnconfirmedError('The mail server did not confirm.', { cause });
        if (!tooLong.aborted) throw cause;
        throw Object.assign(new Error('The mail server took too long for one message.', { cause }), {
          code: 'ETIMEDOUT',
        });
      }
    },
  };
}

/** Returns true if the server said what it thinks of the message. */
function hasAnswer(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && error.responseCode !== undefined;
}

/** Opens a transport. Loaded with the first message: a service starts without it. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    // Greeting included.
    connectionTimeout: GREETING_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: MOST_MS,
    // The parts of a message are text of ours: nothing is read from files or fetched for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function senderFor(smtpUrl: string, baseUrl: string | undefined): string {
  const { username, hostname } = new URL(smtpUrl);
  const user = decodeURIComponent(username);
  if (user.includes('@')) return `Marque <${user}>`;
  return `Marque <marque@${baseUrl === undefined ? hostname : new URL(baseUrl).hostname}>`;
}
