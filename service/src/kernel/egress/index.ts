import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

// The part that connects is in agent.ts, which loads an HTTP client: import it only where that is sure to be used.
export type { ResolveName } from './agent.ts';

/**
 * Networks that `ipaddr.js` takes for public and that are internal: addresses of the public internet at which a
 * cloud answers its own machines. Metadata services elsewhere are on link-local, private or shared addresses.
 */
const INSIDE_A_CLOUD = [
  // Azure: WireServer, which provides a machine's certificates and settings.
  '168.63.129.16/32',
  // IBM Cloud: service endpoints of its private network.
  '161.26.0.0/16',
  '166.8.0.0/14',
].map((network) => ipaddr.IPv4.parseCIDR(network));

/** Contains all that IANA has assigned to the public IPv6 internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** RFC 5214: the last 64 bits of an IPv6 address that carries an IPv4 address (ISATAP), but for its universal bit. */
const ISATAP = { mask: 0xfd_ff, marks: [0, 0x5e_fe] } as const;

/**
 * Returns true if an address is one of the public internet, rather than of this machine, its network or its cloud. IPv6
 * that carries an IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP) never is: it reaches any address.
 */
export function isPublicAddress(address: string): boolean {
  // `ipaddr.js` also reads forms that no resolver gives (octal, hex, fewer parts).
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed);
  return !INSIDE_A_CLOUD.some((network) => parsed.match(network));
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & ISATAP.mask) === ISATAP.marks[0] && parts[5] === ISATAP.marks[1];
}

/**
 * Returns the pause that a server requests by its Retry-After, in seconds or as a date. Undefined: it requests none.
 *
 * @param mostMs a longer pause is taken for a mistake, and cut to this.
 */
export function waitAskedFor(retryAfter: string | string[] | undefined, mostMs: number): number | undefined {
  if (typeof retryAfter !== 'string') return undefined;
  const waitMs = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), mostMs);
}
