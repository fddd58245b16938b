import { type Readable, Transform } from 'node:stream';
import { callbackify } from 'node:util';

import { MOST_BYTES } from './store.ts';
import type { Upload } from './transfer-limits.ts';

/** A stream with the bytes that arrived before they were unpacked, which Fastify compares with `Content-Length`. */
type Body = Readable & { receivedEncodedLength?: number };

/**
 * Passes on a body, and waits for a place among large files once more than `MOST_BYTES` of it have arrived, unpacked:
 * its headers may promise less, and a large one that has not arrived takes no memory.
 */
export function placedBody(body: Body, { enterLarge }: Pick<Upload, 'enterLarge'>): Body {
  let received = 0;
  let isLarge = false;
  const placed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (isLarge || received <= MOST_BYTES) return done(null, chunk);
      isLarge = true;
      callbackify(enterLarge)((error) => done(error, chunk));
    },
  });
  body.once('error', (error) => placed.destroy(error));
  Object.defineProperty(placed, 'receivedEncodedLength', { get: () => body.receivedEncodedLength });
  return body.pipe(placed);
}
