import { createHmac, randomBytes } from 'node:crypto';

import { Sealer } from '../kernel/sealer.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

/** Returns a new signing secret, as its owner sees it: `whsec_` and base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** A signing secret in the database: encrypted, and valid for one endpoint only. */
export class SecretBox extends Sealer {
  /** @param instanceSecret the secret that all instances share. */
  constructor(instanceSecret: string) {
    super(instanceSecret, 'marque webhook secrets');
  }
}

/** Returns the headers of Standard Webhooks: one signature for each secret. */
export function signedHeaders(
  id: string,
  atMs: number,
  body: string,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const sign = (secret: string): string =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
