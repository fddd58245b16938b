import type { Server } from 'node:http';

import type { FastifyHttpOptions, FastifyServerOptions } from 'fastify';

/**
 * Bounds of the server. A VIN decode answers in milliseconds, so each of these is generous to honest clients and only
 * stops a connection that holds the service up.
 */
export const SERVER_LIMITS = {
  // The largest documented body, a correction with its report, is under 8 KiB. Routes that take more say so themselves.
  bodyLimit: 16_384,
  // A client that needs longer than this for 16 KiB is broken or sends slowly on purpose.
  requestTimeout: 10_000,
  // Above the 60 s after which common balancers drop an idle connection: the balancer must be the one to close it, or
  // it would now and then send a request into a connection that is just closing.
  keepAliveTimeout: 75_000,
  // No byte in either direction for this long, in the middle of an exchange: the peer is gone.
  connectionTimeout: 30_000,
  // Nothing may wait for ever for a plug-in that does not start.
  pluginTimeout: 30_000,
  // New requests on open connections are still answered while the service drains, each with `Connection: close`.
  return503OnClosing: false,
  // Idle connections are closed at once when the service stops; busy ones after their answer.
  forceCloseConnections: 'idle',
  routerOptions: {
    // The limit of Node for a request line, so that an over-long VIN in a path is refused by its own rule.
    maxParamLength: 16_384,
    // `/api/decode/` is what people type who mean `/api/decode`.
    ignoreTrailingSlash: true,
  },
} as const satisfies FastifyServerOptions;

/** Bounds of Node's server that Fastify does not know. */
export const SOCKET_LIMITS = {
  // Node would answer HTTP/1.1 without a Host with no body: `requireOneHost` answers it like every other error.
  requireHostHeader: false,
  // Headers fit into one packet or two.
  headersTimeout: 5_000,
  // Node looks this often whether headers and requests are late; by itself only every thirty seconds.
  connectionsCheckingInterval: 1_000,
} as const satisfies FastifyHttpOptions<Server>['http'];
