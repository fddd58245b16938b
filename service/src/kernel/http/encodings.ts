import { Readable } from 'node:stream';

import { constants } from 'node:zlib';

import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

import { isApi } from './browser-safety.ts';

/** Below this many bytes an answer fits into one packet anyway. */
const THRESHOLD_BYTES = 1_024;

/** A tenth of the size for a millisecond's work. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

/** Routes that are never compressed: a single decode is about as long as the threshold. */
const NEVER = new Set(['/api/decode']);

/** Answers outside the API without a secret. Pages decide for themselves: see `sendPage`. */
const PUBLIC = new Set(['/openapi.json']);

/**
 * Compresses longer answers of the API for clients that accept it. Reads compressed bodies, too; the route's limit
 * applies to the uncompressed size. Affects routes registered later.
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    const isLong = (isApi(route.url) || PUBLIC.has(route.url)) && !NEVER.has(route.url);
    route.compress = isLong ? {} : false;
    // Some clients say Content-Encoding without a body: there is nothing to unpack.
    if (![route.method].flat().includes('POST')) route.decompress = false;
  });
  await app.register(compress, {
    global: false,
    globalDecompression: true,
    threshold: THRESHOLD_BYTES,
    encodings: ['br', 'gzip'],
    requestEncodings: ['gzip', 'br', 'deflate', 'identity'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    zlibOptions: { level: GZIP_LEVEL },
  });
}

/** Lets `HEAD` make no content that is sent as it is made: Fastify would read it to its end, for nobody. */
export function makeNothingForHead(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) {
      done(null, payload);
      return;
    }
    payload.destroy();
    done(null, Readable.from([]));
  });
}
