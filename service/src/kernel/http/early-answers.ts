import type { IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { isReadNoMore } from './read-no-more.ts';

/** The number of bytes read of a body that was refused before its end, so that its sender gets to read the answer. */
const MOST_BYTES = 64_000_000;
const MOST_MS = 8_000;

/**
 * Lets a refusal reach a client that is still sending its body: 413 and 415 above all. Most clients read no answer
 * before they have sent everything, and a connection that is closed meanwhile fails for them with EPIPE. The rest of
 * the body is read, within bounds, and dropped; then the answer is sent.
 */
export function answerAfterBodies(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    const { length, encoding } = { length: raw.headers['content-length'], encoding: raw.headers['transfer-encoding'] };
    const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
    if (reply.statusCode < 400 || !hasBody || raw.complete || raw.readableEnded || raw.destroyed) return payload;
    if (!isReadNoMore(raw.socket) && (await isDrained(raw))) reply.removeHeader('connection');
    if (isReadNoMore(raw.socket)) reply.header('connection', 'close');
    return payload;
  });
}

/** Reads a body to its end, and drops it. False: it is too long, or takes too long. */
async function isDrained(raw: IncomingMessage): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), MOST_MS);
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) resolve(false);
  };
  raw.on('data', onData);
  raw.once('end', () => resolve(true));
  for (const end of ['close', 'error']) raw.once(end, () => resolve(false));
  // A parser that refused the body reads no further, and would hold it back.
  raw.unpipe().resume();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    raw.off('data', onData);
  }
}
