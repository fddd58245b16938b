import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { HttpError } from '../kernel/http/http-error.ts';
import { readNoMore, watchPieces, watchReads } from '../kernel/http/read-no-more.ts';
import { ReadingTurns } from '../kernel/http/reading-turns.ts';
import { TokenBuckets } from '../kernel/limits/token-buckets.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';
import type { NetworkOf } from './address.ts';
import type { Plan } from './plan.ts';

/** Bounds of bodies in small pieces. See docs/decisions/overload.md. */
const BOUNDS = {
  /** Pieces that are counted together. The first of them in each body are not counted. */
  together: 25,
  /** They are small below this mean, in bytes. */
  smallBytes: 256,
  /** The limits at which each network may send so many small ones: with a key of a paid plan, and without. */
  paid: { burst: 10_000, refillMs: 10 },
  free: { burst: 800, refillMs: 25 },
};

interface PiecesOptions {
  /** The plan of a cached key. */
  planOf: (headers: IncomingHttpHeaders) => Plan | undefined;
  networkOf: NetworkOf;
  bounds?: Partial<typeof BOUNDS>;
  /** Milliseconds of a clock that never jumps. */
  now?: () => number;
}

/** The body that arrives on a connection: its pieces since they were last counted, and their bytes. */
interface Arriving {
  request: IncomingMessage;
  pieces: number;
  bytes: number;
  isFirst: boolean;
}

/** Bodies of fewer declared bytes are not counted: few packets hold them. */
const LONG = 250;

/**
 * Bytes of a connection that are part of no request: blank lines, or what follows an upgrade that nobody answers. More
 * than Node reads at a time of small requests.
 */
const MOST_JUNK = 131_072;

/** The state of a connection: its bytes at the last look, those of bodies since then, and those of no request. */
interface Reading {
  read: number;
  ofBodies: number;
  junk: number;
}

/**
 * Limits bodies in small pieces (RFC 9112, 7.1). Node calls back for each piece, in memory of its own: 11,000 in a
 * packet if each has one byte, which takes 15 ms.
 *
 * A body beyond the limit is refused, and the connection is closed. Bodies of any size are read in turns. Bytes that
 * belong to no request, of which Node reads megabytes in one turn, close the connection.
 */
export function boundPieces(app: FastifyInstance, { planOf, networkOf, bounds, now }: PiecesOptions): void {
  const { together, smallBytes, paid, free } = { ...BOUNDS, ...bounds };
  const allowances = { paid: new TokenBuckets(paid), free: new TokenBuckets(free) };
  const clock = now ?? (() => performance.now());
  const connections = new WeakMap<Socket, Arriving>();
  const turns = new ReadingTurns();

  function count(socket: Socket, arriving: Arriving, bytes: number): void {
    arriving.pieces += 1;
    arriving.bytes += bytes;
    if (arriving.pieces < together) return;
    const isSmall = arriving.bytes < together * smallBytes;
    const { request, isFirst } = arriving;
    Object.assign(arriving, { pieces: 0, bytes: 0, isFirst: false });
    if (!isSmall || isFirst) return;
    const plan = planOf(request.headers);
    const allowance = plan === undefined || plan === 'free' ? allowances.free : allowances.paid;
    if (allowance.take(wideNetworkOf(networkOf(request)), clock()) > 0) refuse(request, socket);
  }

  const readings = new WeakMap<Socket, Reading>();
  app.server.on('connection', (socket: Socket) => {
    const reading = { read: 0, ofBodies: 0, junk: 0 };
    readings.set(socket, reading);
    watchReads(socket, () => {
      const { bytesRead } = socket;
      const junk = reading.junk + bytesRead - reading.read - reading.ofBodies;
      Object.assign(reading, { read: bytesRead, ofBodies: 0, junk });
      if (junk > MOST_JUNK) socket.destroy();
    });
  });

  app.server.prependListener('request', (request: IncomingMessage) => {
    const { socket } = request;
    const reading = readings.get(socket);
    if (reading !== undefined) reading.junk = 0;
    const known = connections.get(socket);
    if (known !== undefined) {
      Object.assign(known, { request, pieces: 0, bytes: 0, isFirst: true });
      return;
    }
    if (!mayBeLong(request)) return;
    const arriving = { request, pieces: 0, bytes: 0, isFirst: true };
    connections.set(socket, arriving);
    watchPieces(socket, (bytes) => {
      turns.count(socket, bytes);
      if (reading !== undefined) Object.assign(reading, { ofBodies: reading.ofBodies + bytes, junk: 0 });
      count(socket, arriving, bytes);
    });
  });
}

function mayBeLong({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= LONG;
}

/** Ends a body with an error, which its reader answers. A body without a reader ends with its connection. */
function refuse(request: IncomingMessage, socket: Socket): void {
  readNoMore(socket);
  if (request.listenerCount('error') === 0) socket.destroy();
  else request.emit('error', tooSmall());
}

function tooSmall(): HttpError {
  const text = 'The body arrives in too many small pieces. Send it in larger ones, or with Content-Length.';
  return new HttpError(400, text, { connection: 'close' });
}
