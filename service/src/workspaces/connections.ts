import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import type { OpenAnswers } from '../kernel/http/exchanges.ts';
import { Places } from '../kernel/limits/places.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';
import type { NetworkOf } from './address.ts';
import type { CutNetworks } from './cut-networks.ts';

/** Bounds of connections. See docs/decisions/overload.md. */
const BOUNDS = {
  /** Connections of this process. An idle one takes 15 KiB. */
  perProcess: 10_000,
  /** Connections of one network. Pools of honest clients have hundreds. */
  perNetwork: 2_000,
};

/** The share that is closed at once to make room, so that not each further connection needs a search. */
const SHARE = 0.05;

/** Milliseconds until the idle connections of a network are looked for again, if there were few. */
const SEARCH_EVERY_MS = 100;

/** Files that a process opens for other purposes: its database, its program, connections of its own. */
const OTHER_FILES = 256;

/** The place of a connection that is closed. */
const GONE = -1;

/** The interval at which the log tells how many were closed and refused, in milliseconds. */
const LOG_EVERY_MS = 1_000;

interface ConnectionsOptions {
  networkOf: NetworkOf;
  /** Returns true if the remote end of a connection is one of our own proxies. */
  isProxy: (socketAddress: string | undefined) => boolean;
  answers: OpenAnswers;
  cuts: CutNetworks;
  bounds?: Partial<typeof BOUNDS>;
}

/**
 * Limits connections: each takes memory, and one of the files that the process may open. With none left, it neither
 * reaches its database nor answers a health check.
 *
 * A network with too many gets further ones for idle ones only; our own proxies get any number. In a full process,
 * connections of the network that has most are closed: those whose request does not arrive, idle ones, then the oldest.
 */
export function boundConnections(app: FastifyInstance, options: ConnectionsOptions): void {
  const { networkOf, isProxy, cuts, bounds } = options;
  const { perProcess, perNetwork } = { ...BOUNDS, perProcess: connectionsWithin(openFiles()), ...bounds };
  const connections = new Connections(options);
  const { server } = app;
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const network = wideNetworkOf(networkOf({ headers: {}, socket }));
    if (connections.size >= perProcess) connections.closeMany(Math.ceil(perProcess * SHARE));
    const isBarred = cuts.isBarred(network);
    const isOver = (isBarred || connections.countOf(network) >= perNetwork) && !isProxy(socket.remoteAddress);
    if (isOver && (isBarred || !connections.closeIdle(network, Math.ceil(perNetwork * SHARE)))) {
      connections.refused += 1;
      socket.destroy();
      return;
    }
    connections.add(socket, network);
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  });
  const timer = setInterval(() => {
    const { closed, refused } = connections;
    if (closed + refused > 0) app.log.warn({ closed, refused }, 'connections closed or refused: too many are open');
    Object.assign(connections, { closed: 0, refused: 0 });
  }, LOG_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Returns the number of connections for which there are files. */
export function connectionsWithin(files: number): number {
  return Math.min(BOUNDS.perProcess, Math.max(files - OTHER_FILES, Math.floor(files / 2)));
}

/** Returns the number of files that this process may open, on systems with `/proc`; elsewhere it is assumed to be large. */
function openFiles(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

interface Connection {
  socket: Socket;
  /** The network of its remote end. */
  network: string;
  sinceMs: number;
  place: number;
}

/** Connections that are open. */
class Connections {
  /** Closed and refused since these were reset. */
  closed = 0;
  refused = 0;
  readonly #options: ConnectionsOptions;
  readonly #open = new Places<Connection>();
  readonly #counts = new Map<string, number>();
  #searchAtMs = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  countOf(network: string): number {
    return this.#counts.get(network) ?? 0;
  }

  add(socket: Socket, network: string): void {
    const connection = { socket, network, sinceMs: performance.now(), place: 0 };
    connection.place = this.#open.take(connection);
    this.#counts.set(network, this.countOf(network) + 1);
    socket.once('close', () => this.#forget(connection));
  }

  /** Closes idle connections of a network, the oldest first. @returns false: there is none, or it was just searched. */
  closeIdle(network: string, count: number): boolean {
    const nowMs = performance.now();
    if (nowMs < this.#searchAtMs) return false;
    const requests = this.#requests();
    const idle = this.#open.taken().filter((one) => one.network === network && !requests.has(one.socket));
    if (idle.length < count) this.#searchAtMs = nowMs + SEARCH_EVERY_MS;
    this.#close(idle.toSorted((one, other) => one.sinceMs - other.sinceMs).slice(0, count));
    return idle.length > 0;
  }

  /** Closes so many connections, always one of the network that has most, those behind a proxy counted by its clients. */
  closeMany(count: number): void {
    const requests = this.#requests();
    const rank = ({ socket }: Connection): number => {
      const request = requests.get(socket);
      if (request === undefined) return 1;
      return request.complete ? 2 : 0;
    };
    const byUse = (one: Connection, other: Connection): number =>
      rank(one) - rank(other) || one.sinceMs - other.sinceMs;
    const networks = Map.groupBy(this.#open.taken(), ({ socket, network }) => {
      const request = requests.get(socket);
      return request === undefined ? network : wideNetworkOf(this.#options.networkOf(request));
    });
    const level = levelOf(
      [...networks.values()].map(({ length }) => length),
      count,
    );
    const chosen = [...networks.values()].flatMap((own) =>
      own.toSorted(byUse).slice(0, Math.max(0, own.length - level)),
    );
    const closed = chosen.toSorted(byUse).slice(0, count);
    this.#close(closed);
    for (const { network } of closed) this.#options.cuts.note(network);
  }

  /** Returns the requests that are answered, by connection. */
  #requests(): Map<Socket, IncomingMessage> {
    return new Map(this.#options.answers.taken().map(({ req }) => [req.socket, req]));
  }

  #close(chosen: readonly Connection[]): void {
    for (const connection of chosen) {
      this.#forget(connection);
      connection.socket.destroy();
    }
    this.closed += chosen.length;
  }

  #forget(connection: Connection): void {
    const { network, place } = connection;
    if (place === GONE) return;
    connection.place = GONE;
    this.#open.free(place);
    const left = this.countOf(network) - 1;
    if (left > 0) this.#counts.set(network, left);
    else this.#counts.delete(network);
  }
}

/** Returns the highest number at which what the sizes have above it is at least `wanted`. */
function levelOf(sizes: readonly number[], wanted: number): number {
  let level = Math.max(...sizes);
  while (level > 0 && sizes.reduce((sum, size) => sum + Math.max(0, size - level), 0) < wanted) level -= 1;
  return level;
}
