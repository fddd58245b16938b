import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';

import { type Encoding, encodingFor } from './accepted-encoding.ts';
import { isApi } from './browser-safety.ts';
import { isWhole } from './etag.ts';

const { constants } = zlib;

/** Below this many bytes an answer fits into one packet anyway. */
const THRESHOLD_BYTES = 1_024;

/** A tenth of the size for a millisecond's work. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

/** The route that is never compressed: a single decode is about as long as the threshold. */
const NEVER = '/api/decode';

const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
const COMPRESS: Readonly<Record<Encoding, (content: string | Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(zlib.brotliCompress)(content, BROTLI_OPTIONS),
  gzip: (content) => promisify(zlib.gzip)(content, { level: GZIP_LEVEL }),
};

/** Answers that are compressed at once, each with up to 5 MB: the next ones are sent as they are. */
const AT_ONCE = 4;

/** The size of the cache of compressed answers, by their length before: a tenth of that in memory. */
const KEPT_LENGTH = 32_000_000;

/** Answers outside the API without a secret. Pages decide for themselves: see `sendPage`. */
const PUBLIC = new Set(['/openapi.json']);

/**
 * Compresses longer answers of the API for clients that accept it, those that are there as a whole, at once: a compressor
 * that waited for a slow reader would keep up to a megabyte. Those that are the same for everybody are compressed once
 * for all requests: each takes up to a second of a thread, and anyone may ask for them.
 */
export function compressAnswers(app: FastifyInstance): void {
  const kept = new LRUCache<string, Promise<Buffer>>({ maxSize: KEPT_LENGTH });
  let running = 0;
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isWhole(payload) || payload.length < THRESHOLD_BYTES || reply.hasHeader('content-encoding')) return payload;
    const { url = '', config } = request.routeOptions;
    const tag = config.etag === true && reply.statusCode === 200 ? reply.getHeader('etag') : undefined;
    // A workspace's own answers have tags, too: no copy of them stays.
    const isForAll = tag !== undefined && reply.getHeader('cache-control') !== 'no-store';
    // Pages that are sent from memory are compressed there.
    const isCompressed = isForAll || ((isApi(url) || PUBLIC.has(url)) && url !== NEVER);
    const encoding = isCompressed ? encodingFor(request) : undefined;
    if (encoding === undefined) return payload;
    const key = `${encoding} ${String(tag)}`;
    const known = isForAll ? kept.get(key) : undefined;
    if (known === undefined && !isForAll && running >= AT_ONCE) return payload;
    running += 1;
    const body = known ?? COMPRESS[encoding](payload);
    if (isForAll) kept.set(key, body, { size: payload.length });
    reply.removeHeader('content-length').header('content-encoding', encoding).header('vary', 'accept-encoding');
    return body.finally(() => (running -= 1));
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
