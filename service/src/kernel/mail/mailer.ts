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
   * Hands a message to the server.
   * @throws Error when the server cannot be reached or refuses it.
   */
  send(mail: Mail): Promise<void>;
}

/** A server that is silent for this long is as good as down. */
const TIMEOUT_MS = 10_000;

/** The longest that one message may take, whatever the server sends meanwhile: shorter than the lease. */
const MOST_MS = 45_000;

/** The settings of a mailer. */
interface MailSettings {
  smtpUrl: string;
  /** Undefined: the mail user where that is an address, else an address at the service's own host. */
  mailFrom: string | undefined;
  baseUrl: string | undefined;
}

/** Opens the way to the server behind an `smtp://` URL; nothing is connected before the first message. */
export function openMailer({ smtpUrl, mailFrom, baseUrl }: MailSettings, mostMs: number = MOST_MS): Mailer {
  let transport: Promise<Transporter> | undefined;
  const from = mailFrom ?? senderFor(smtpUrl, baseUrl);
  return {
    async send({ to, subject, text }) {
      transport ??= openTransport(smtpUrl);
      // The library's own limits begin anew with each byte that the server sends. The signal closes the connection, too.
      const signal = AbortSignal.timeout(mostMs);
      try {
        await (await transport).sendMail({ from, to: { name: '', address: to }, subject, text, signal });
      } catch (cause) {
        if (!signal.aborted) throw cause;
        throw Object.assign(new Error('The mail server took too long for one message.', { cause }), {
          code: 'ETIMEDOUT',
        });
      }
    },
  };
}

/** Opens the transport. Loaded with the first message: a service starts without it. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
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
