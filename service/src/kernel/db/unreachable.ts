import { UnusableDatabaseError } from './refusal.ts';

/** What each fault of a first connection means, by its code or its message, and what to do. */
const FAULTS: readonly { is: RegExp; means: string; advice: string }[] = [
  { is: /^ECONNREFUSED/, means: 'nothing listens there', advice: 'Start PostgreSQL, or correct host and port.' },
  { is: /^(?:ENOTFOUND|EAI_AGAIN)/, means: 'its host name is unknown', advice: 'Correct the host.' },
  {
    is: /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|.*timeout)/,
    means: 'it does not answer',
    advice: 'Check the host, the port, and the firewalls between.',
  },
  {
    is: /^(?:28P01|28000|.*password must be a string)/,
    means: 'it refuses this user or password',
    advice: 'Correct user and password.',
  },
  { is: /^3D000/, means: 'it has no such database', advice: 'Create it with createdb, or correct its name.' },
  { is: /^42501/, means: 'this user may not create tables', advice: 'Give it the rights, or use the owner.' },
  { is: /^53300/, means: 'it takes no more connections', advice: 'Raise its max_connections, or end other clients.' },
  { is: /^57P03/, means: 'it is still starting, or shutting down', advice: 'Try again in a moment.' },
  {
    is: /does not support SSL/,
    means: 'it has no TLS',
    advice: 'Set it up there, or remove sslmode from the URL.',
  },
  {
    is: /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|self-signed/i,
    means: 'its TLS certificate is not trusted',
    advice: 'Add sslrootcert=FILE with the certificate of its authority to the URL.',
  },
];

/** Why the first connection to PostgreSQL fails, in a sentence without the password; else the error itself. */
export function unreachable(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof UnusableDatabaseError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const found = FAULTS.find(({ is }) => is.test(code) || is.test(error.message));
  if (found === undefined) return error;
  // oxlint-disable-next-line no-restricted-properties -- an address, not a file
  const { hostname, port, pathname } = new URL(url);
  const place = `${hostname}:${port === '' ? '5432' : port}${pathname}`;
  return new UnusableDatabaseError(
    `The PostgreSQL database of DATABASE_URL (${place}) cannot be opened: ${found.means}. ${found.advice}`,
    { cause: error },
  );
}
