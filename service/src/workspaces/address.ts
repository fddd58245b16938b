import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/** Returns true if an address is one of our own proxies. */
export type TrustedProxies = (address: string) => boolean;

/** Reads a list of trusted proxies, which the configuration has checked: addresses, networks, and names of networks. */
export function trustedProxies(entries: readonly string[]): TrustedProxies {
  const trusts = proxyAddr.compile([...entries]);
  return (address) => trusts(address, 0);
}

/**
 * Returns the address of the client behind our own proxies.
 *
 * Each proxy appends the address of its client to `X-Forwarded-For`, so the list is read from its end, and only as long
 * as the writer of the entry is trusted. Entries before that are the client's and may be forged.
 *
 * @param socketAddress the remote end of the connection; undefined if unknown.
 * @param forwardedFor the header.
 * @returns an address in plain form (an IPv4-mapped one as IPv4), or `unknown`.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  trusted: TrustedProxies,
): string {
  let client = plainAddress(socketAddress ?? '');
  if (client === undefined) return 'unknown';
  const hops = forwardedFor?.toString().split(',') ?? [];
  while (trusted(client)) {
    const hop = hops.pop();
    if (hop === undefined) return client;
    const before = plainAddress(hop);
    if (before === undefined) return client;
    client = before;
  }
  return client;
}

/** The network that a request comes from, behind our own proxies: an IPv4 address, or an IPv6 /64. */
export type NetworkOf = (request: {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}) => string;

/** Reads the network of requests. `trustProxy`: see `trustedProxies`. */
export function networkReader(trustProxy: readonly string[]): NetworkOf {
  const trusted = trustedProxies(trustProxy);
  return ({ headers, socket }) => networkOf(clientAddress(socket.remoteAddress, headers['x-forwarded-for'], trusted));
}

/** Tells whether the remote end of a connection is one of our own proxies. `trustProxy`: see `trustedProxies`. */
export function proxyReader(trustProxy: readonly string[]): (socketAddress: string | undefined) => boolean {
  const trusted = trustedProxies(trustProxy);
  return (socketAddress) => trusted(plainAddress(socketAddress ?? '') ?? '');
}

/**
 * Returns the part of an address that a provider assigns to one customer: the first 64 bits of an IPv6 address in hex,
 * an IPv4 address unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return parts
    .slice(0, 4)
    .map((part) => part.toString(16).padStart(4, '0'))
    .join(':');
}

/** Returns an address without port, brackets and zone; an IPv4-mapped one as IPv4. Undefined: not an address. */
function plainAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const inner = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  const address = inner.replace(/%.*$/, '');
  // `ipaddr.js` also accepts forms that no client sends (octal, hex, fewer parts).
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString();
}
