import { type Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';

import { errorCodes, type FastifyInstance } from 'fastify';

import { onceOver } from './exchanges.ts';
import { HttpError } from './http-error.ts';

/**
 * Not Brotli, which few clients send: the sender chooses the size of the window, up to 16 MB, and a decoder may fill it
 * before it gives the first byte.
 */
const UNPACK: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
]);

const UNKNOWN = 'Content-Encoding must be gzip or deflate, or be left out.';
const WRONG = 'The body is not compressed in the way that Content-Encoding says.';

/**
 * Reads compressed bodies, up to the limit of their route: a kilobyte may unpack to gigabytes, which Fastify would read
 * to their end after it has answered.
 */
export function unpackBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, body, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    // Some clients say an encoding without a body: there is nothing to unpack.
    if (request.method !== 'POST' || encoding === 'identity') {
      done(null, body);
      return;
    }
    const unpack = UNPACK.get(encoding);
    if (unpack === undefined) {
      done(new HttpError(415, UNKNOWN));
      return;
    }
    const unpacked = unpackedBody(body, unpack(), request.routeOptions.bodyLimit ?? 0);
    // Of a body that was refused, or whose sender is gone, nothing has a reader any more.
    onceOver({ request: request.raw, response: reply.raw }, () => unpacked.destroy());
    done(null, unpacked);
  });
}

/** Returns a body unpacked, with the bytes that have arrived, which Fastify compares with `Content-Length`. */
function unpackedBody(body: Readable, unpacking: Transform, limit: number): Readable {
  let arrived = 0;
  let bytes = 0;
  const unpacked = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > limit) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      else done(null, piece);
    },
    destroy(error, done) {
      body.unpipe(unpacking);
      unpacking.destroy();
      done(error);
    },
  });
  Object.defineProperty(unpacked, 'receivedEncodedLength', { get: () => arrived });
  body.on('data', (piece: Buffer) => {
    arrived += piece.length;
    // Fastify looks only when something comes out.
    if (arrived > limit) unpacked.destroy(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  });
  body.once('error', (error) => unpacked.destroy(error));
  unpacking.on('error', () => unpacked.destroy(new HttpError(400, WRONG)));
  // What was refused has no reader, whom a later error would concern: without a listener it ends the process.
  unpacked.on('error', () => {});
  return body.pipe(unpacking).pipe(unpacked);
}
