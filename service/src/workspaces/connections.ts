import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import type { OpenAnswers } from '../kernel/http/exchanges.ts';
import { Places } from '../kernel/limits/places.ts';
import { TokenBuckets } from '../kernel/limits/token-buckets.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';
import type { NetworkOf } from './address.ts';
import type { CutNetworks } from './cut-networks.ts';
import type { PayingNetworks } from './paying-networks.ts';
import type { Plan } from './plan.ts';

/** Bounds of connections. See docs/decisions/overload.md. */
const BOUNDS = {
  /** Connections of this process. An idle one takes 15 KiB. */
  perProcess: 10_000,
  /** Connections of one network. Pools of honest clients have hundreds. */
  perNetwork: 2_000,
  /** Connections whose headers have begun and do not arrive. Each takes up to 30 KiB. */
  late: 1_000,
  /** Milliseconds between two looks at what has arrived. */
  everyMs: 250,
  /** The limit at which a full network from which no paid key is known loses late ones, so that one can be shown. */
  rounds: { burst: 1, refillMs: 1_000 },
  /** Further connections of such a network while it is barred. */
  trials: { burst: 100, refillMs: 10 },
};

/** Node's errors where headers are too many, too long, or late. */
const HEADER_FAULTS: ReadonlySet<string> = new Set(['HPE_HEADER_OVERFLOW', 'ERR_HTTP_REQUEST_TIMEOUT']);

/** The share of late connections that is left once there are too many. */
const LATE_LEFT = 0.75;

/** The share that is closed at once to make room, so that not each further connection needs a search. */
const SHARE = 0.05;

/** Milliseconds until the idle connections of a network are looked for again, if there were few. */
const SEARCH_EVERY_MS = 100;

/** Files that a process opens for other purposes: its database, its program, connections of its own. */
const OTHER_FILES = 256;

/** Milliseconds until the network of a connection in use is noted again as one of a paying caller. */
const NOTE_EVERY_MS = 60_000;

/** The place of a connection that is closed. */
const GONE = -1;

/** The interval at which the log tells how many were closed and refused, in milliseconds. */
const LOG_EVERY_MS = 1_000;

interface ConnectionsOptions {
  /** The plan of a cached key. */
  planOf: (headers: IncomingHttpHeaders) => Plan | undefined;
  networkOf: NetworkOf;
  /** Returns true if the remote end of a connection is one of our own proxies. */
  isProxy: (socketAddress: string | undefined) => boolean;
  answers: OpenAnswers;
  cuts: CutNetworks;
  paying: PayingNetworks;
  bounds?: Partial<typeof BOUNDS>;
}

/**
 * Limits connections: each takes memory, and one of the files that the process may open. With none left, it neither
 * reaches its database nor answers a health check.
 *
 * A network with too many gets further ones for idle ones only; our own proxies get any number. In a full process,
 * connections of the network that has most are closed: those whose request does not arrive, idle ones, then the oldest.
 *
 * A paying caller may share its network with anyone: there, a further connection takes the place of such a one, too. A
 * process that knows of none lets some in, so that a key can be shown. Connections that brought one are closed last.
 */
export function boundConnections(app: FastifyInstance, options: ConnectionsOptions): void {
  const { networkOf, isProxy, cuts, bounds } = options;
  const { perProcess, perNetwork, late, everyMs } = {
    ...BOUNDS,
    perProcess: connectionsWithin(openFiles()),
    ...bounds,
  };
  const connections = new Connections(options);
  const { server } = app;
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const network = wideNetworkOf(networkOf({ headers: {}, socket }));
    if (connections.size >= perProcess) connections.closeMany(Math.ceil(perProcess * SHARE));
    const isBarred = cuts.isBarred(network);
    const isOver = (isBarred || connections.countOf(network) >= perNetwork) && !isProxy(socket.remoteAddress);
    if (isOver && !connections.makeRoom(network, { isBarred, perNetwork })) {
      connections.refused += 1;
      socket.destroy();
      return;
    }
    connections.add(socket, network);
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    if (HEADER_FAULTS.has(code ?? '')) cuts.note(networkOf({ headers: {}, socket }));
  });
  server.prependListener('request', ({ headers, socket }: IncomingMessage) => connections.noteKey(headers, socket));
  // Once more when the key has been looked up: it may be the first request with it.
  app.addHook('preParsing', ({ headers, socket }, _reply, _payload, done) => {
    connections.noteKey(headers, socket);
    done();
  });
  const timer = setInterval(() => {
    const { closed, refused } = connections;
    if (closed + refused > 0) app.log.warn({ closed, refused }, 'connections closed or refused: too many are open');
    Object.assign(connections, { closed: 0, refused: 0 });
  }, LOG_EVERY_MS).unref();
  const looks = setInterval(() => connections.closeLate(late), everyMs).unref();
  app.addHook('onClose', async () => {
    for (const one of [timer, looks]) clearInterval(one);
  });
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
  /** Connections that brought a paid key, and when their networks were noted last. */
  readonly #paying = new WeakMap<Socket, number>();
  readonly #rounds: TokenBuckets;
  readonly #trials: TokenBuckets;
  /** When a network is searched again for connections to close. */
  readonly #searchAtMs = new Map<string, number>();
  /** Connections whose headers had begun at the last look. */
  #begun: ReadonlySet<Connection> = new Set();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    const { rounds, trials } = { ...BOUNDS, ...options.bounds };
    this.#rounds = new TokenBuckets(rounds);
    this.#trials = new TokenBuckets(trials);
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

  /** Notes the connection of a request with a paid key, and its network. */
  noteKey(headers: IncomingHttpHeaders, socket: Socket): void {
    const { planOf, networkOf, paying } = this.#options;
    const nowMs = performance.now();
    if (nowMs < (this.#paying.get(socket) ?? -NOTE_EVERY_MS) + NOTE_EVERY_MS) return;
    const plan = planOf(headers);
    if (plan === undefined || plan === 'free') return;
    this.#paying.set(socket, nowMs);
    paying.note(wideNetworkOf(networkOf({ headers: {}, socket })));
  }

  /** Closes connections of a network that has too many, or is barred. @returns false: it gets no further one. */
  makeRoom(network: string, { isBarred, perNetwork }: { isBarred: boolean; perNetwork: number }): boolean {
    const nowMs = performance.now();
    const isPaying = this.#options.paying.has(network);
    if (isBarred && !isPaying && this.#trials.take(network, nowMs) > 0) return false;
    if (this.countOf(network) < perNetwork) return true;
    if (nowMs < (this.#searchAtMs.get(network) ?? 0)) return false;
    const mayLoseLate = isPaying || this.#rounds.take(network, nowMs) === 0;
    const count = Math.ceil(perNetwork * SHARE);
    const requests = this.#requests();
    const spare = this.#open.taken().filter(({ network: of, socket }) => {
      if (of !== network) return false;
      const request = requests.get(socket);
      return request === undefined || (mayLoseLate && !request.complete);
    });
    if (spare.length < count) this.#searchAtMs.set(network, nowMs + SEARCH_EVERY_MS);
    this.#close(spare.toSorted(this.#byUse(requests)).slice(0, count));
    return spare.length > 0;
  }

  /** Closes so many connections. */
  closeMany(count: number): void {
    this.#closeOfMost(this.#open.taken(), count, this.#requests());
  }

  /** Closes so many connections, always one of the network that has most, those behind a proxy counted by its clients. */
  #closeOfMost(
    connections: readonly Connection[],
    count: number,
    requests: ReadonlyMap<Socket, IncomingMessage>,
  ): void {
    const byUse = this.#byUse(requests);
    const networks = Map.groupBy(connections, ({ socket, network }) => {
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

  /** Closes connections beyond so many whose headers had begun at the last look, and have not arrived. */
  closeLate(most: number): void {
    if (this.size <= most) {
      this.#begun = new Set();
      return;
    }
    const requests = this.#requests();
    const { readBefore } = this.#options.answers;
    const begun = this.#open
      .taken()
      .filter(({ socket }) => !requests.has(socket) && socket.bytesRead > readBefore(socket));
    const late = begun.filter((one) => this.#begun.has(one));
    this.#begun = new Set(begun);
    if (late.length > most) this.#closeOfMost(late, late.length - most * LATE_LEFT, requests);
  }

  /** Returns the order in which connections are closed. */
  #byUse(requests: ReadonlyMap<Socket, IncomingMessage>): (one: Connection, other: Connection) => number {
    const rank = ({ socket }: Connection): number => {
      const request = requests.get(socket);
      const use = request === undefined ? 1 : request.complete ? 2 : 0;
      return this.#paying.has(socket) ? use + 3 : use;
    };
    return (one, other) => rank(one) - rank(other) || one.sinceMs - other.sinceMs;
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
    else {
      this.#counts.delete(network);
      this.#searchAtMs.delete(network);
    }
  }
}

/** Returns the highest number at which what the sizes have above it is at least `wanted`. */
function levelOf(sizes: readonly number[], wanted: number): number {
  let level = Math.max(...sizes);
  while (level > 0 && sizes.reduce((sum, size) => sum + Math.max(0, size - level), 0) < wanted) level -= 1;
  return level;
}
