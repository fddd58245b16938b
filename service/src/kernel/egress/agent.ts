import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { Agent, buildConnector } from 'undici';

/** A server that is up takes a connection within this. */
const CONNECT_MS = 5_000;

/** Addresses that a name may have: Node tries them in calls within calls. */
export const MOST_ADDRESSES = 64;

/** The form of Node's `dns.lookup` that gives all addresses. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The restrictions of outgoing connections. */
interface AgentOptions {
  /** Returns true if a connection to this address is allowed. */
  mayReach: (address: string) => boolean;
  /** Connections to one server. */
  connections: number;
  /** The time that a server may be silent. */
  timeoutMs: number;
  /** Longer answers are broken off. */
  mostBytes: number;
  /** Finds a name's addresses; the system's way unless a test brings its own. */
  resolve?: ResolveName | undefined;
}

/** A name resolves to an address that is not allowed, or the address itself is not. */
export class AddressNotAllowedError extends Error {
  override name = 'AddressNotAllowedError';
}

/** A name resolves to more addresses than it may have. */
export class TooManyAddressesError extends Error {
  override name = 'TooManyAddressesError';
}

/**
 * Connects to servers by HTTP/1.1, and only where it may. An address is checked when it is connected to, so that a name
 * that changes its mind in between leads nowhere else.
 */
export function openAgent({ mayReach, connections, timeoutMs, mostBytes, resolve = lookup }: AgentOptions): Agent {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: checkedLookup(mayReach, resolve), allowH2: false });
  return new Agent({
    connections,
    // The bounds here are those of HTTP/1.1, and one request at a time needs no more.
    allowH2: false,
    maxResponseSize: mostBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (options, done) => {
      // An address needs no name lookup.
      const literal = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(literal) !== 0 && !mayReach(literal)) done(new AddressNotAllowedError(), null);
      else connect(options, done);
    },
  });
}

/** Refuses names that lead, even with one of several addresses, to where the service must not go, or to too many. */
function checkedLookup(mayReach: (address: string) => boolean, resolve: ResolveName): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const [first] = addresses;
      if (addresses.length > MOST_ADDRESSES) return done(new TooManyAddressesError(), '', 0);
      if (first === undefined || !addresses.every(({ address }) => mayReach(address))) {
        return done(new AddressNotAllowedError(), '', 0);
      }
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}
