import { createHmac, timingSafeEqual } from 'node:crypto';

/** Characters of the signature: 132 bits. */
const LENGTH = 22;

/** Matches the last part of an address: an id and its signature. */
const FORM = /^([\da-f-]{36})\.([\w-]{22})$/;

/** Returns the address of a visitor's decode. Its id alone, which the log and the answer name, opens nothing. */
export function decodedPath(secret: string, id: string): string {
  return `/decoded/${id}.${signatureOf(secret, id)}`;
}

/** Returns the id in the last part of such an address; undefined: it is made up. */
export function decodeIdIn(secret: string, part: string): string | undefined {
  const [, id = '', signature = ''] = FORM.exec(part) ?? [];
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, id))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
}

function signatureOf(secret: string, id: string): string {
  return createHmac('sha256', secret).update(`decoded\n${id}`).digest('base64url').slice(0, LENGTH);
}
