import { createHmac, randomBytes } from 'node:crypto';

import { SecretBox } from '../kernel/secret-box.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

/** Returns a new signing secret, as its owner sees it: `whsec_` and base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Returns the box that encrypts signing secrets in the database, each for one endpoint only.
 * @param instanceSecret the secret that all instances share.
 */
export function webhookBox(instanceSecret: string): SecretBox {
  return new SecretBox(instanceSecret, 'marque webhook secrets');
}

/** Opens what was sealed for an endpoint, without what no one can open since the instances' secret was replaced. */
export function openSecrets(box: SecretBox, sealed: readonly string[], endpointId: string): string[] {
  return sealed.flatMap((secret) => {
    try {
      return [box.open(secret, endpointId)];
    } catch {
      return [];
    }
  });
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
