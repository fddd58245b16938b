import { isIP } from 'node:net';

import { isPublicAddress } from '../kernel/egress/index.ts';

const LONGEST = 2_000;

/** Ports below this belong to other services, except 443 (and 80, where http is allowed). */
const LEAST_FREE_PORT = 1_024;

/** An address for events, or its fault. */
type UrlReading = { kind: 'url'; url: URL } | { kind: 'faulty'; fault: string };

/**
 * Reads the URL of an endpoint. The address that its host resolves to is checked on connecting: see `egress/`.
 *
 * @param allowPrivate whether http and addresses of this network may be used: for tests and development.
 */
export function readUrl(text: string, allowPrivate: boolean): UrlReading {
  const url = URL.parse(text);
  if (url === null || text.length > LONGEST) return faulty('Enter a full URL, such as https://example.com/webhooks.');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return faulty('The URL must begin with https://, so that no one reads or changes the events on their way.');
  }
  if (url.username !== '' || url.password !== '') {
    return faulty('Leave user name and password out: what is sent is proven by its signature.');
  }
  // The scheme's default port is empty.
  if (url.port !== '' && Number(url.port) < LEAST_FREE_PORT) {
    return faulty(`Use port 443, or one from ${LEAST_FREE_PORT} on.`);
  }
  if (!mayBeResolved(url.hostname)) {
    return faulty(
      `The host must be a DNS name of at most ${LONGEST_NAME} characters, with labels of 1 to ${LONGEST_LABEL} letters, digits or hyphens.`,
    );
  }
  if (!allowPrivate && !mayBePublic(url.hostname)) {
    return faulty('The host must be one of the public internet, not of a private network.');
  }
  url.hash = '';
  return { kind: 'url', url };
}

/** Returns a URL without its query: two webhooks of a workspace never share it. */
export function receiverOf(url: string): string {
  const receiver = new URL(url);
  receiver.search = '';
  return receiver.href;
}

/** Limits of RFC 1035, section 2.3.4, as text without the final dot; the form with `xn--` counts. */
const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;

/** The underscore is in no host name, and yet some resolve with it. */
const LABEL = /^[a-z0-9_-]+$/;

function mayBeResolved(hostname: string): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return true;
  const name = hostname.replace(/\.$/, '');
  return (
    name.length <= LONGEST_NAME && name.split('.').every((label) => label.length <= LONGEST_LABEL && LABEL.test(label))
  );
}

/** Names without a dot, and names reserved for local use (RFC 6761, 6762, 8375), do not resolve publicly. */
const LOCAL_NAME = /^[^.]*\.?$|\.(?:localhost|local|internal|home\.arpa|test|invalid|onion)\.?$/;

function mayBePublic(hostname: string): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? !LOCAL_NAME.test(hostname) : isPublicAddress(literal);
}

function faulty(fault: string): UrlReading {
  return { kind: 'faulty', fault };
}
