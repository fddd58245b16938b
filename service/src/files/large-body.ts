import { type Readable, Transform } from 'node:stream';
import { callbackify } from 'node:util';

import { MOST_BYTES } from './store.ts';
import type { Upload } from './transfer-limits.ts';

/** A stream with the bytes that arrived before they were unpacked, which Fastify compares with `Content-Length`. */
type Body = Readable & { receivedEncodedLength?: number };

/** Bytes after which what arrives is joined. */
const JOINED_AFTER = 65_536;

/** Bytes that are joined. */
const BLOCK = 1_048_576;

/**
 * Passes on a body, and waits for a place among large files once more than `MOST_BYTES` of it have arrived, unpacked:
 * its headers may promise less, and a large one that has not arrived takes no memory.
 *
 * It is passed on in blocks, whose memory is freed at its end: pieces that wait for the last one would be collected
 * with the old generation only, which other memory than the heap hardly ever fills.
 */
export function placedBody(body: Body, { enterLarge }: Pick<Upload, 'enterLarge'>): Body {
  let received = 0;
  let isLarge = false;
  const blocks = new Blocks();
  const placed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      const pass = (error?: Error | null): void => {
        // Its sender has left, and the memory of its blocks is freed.
        if (error instanceof Error || this.destroyed) return done(error);
        if (received <= JOINED_AFTER) this.push(chunk);
        else for (const block of blocks.fill(chunk)) this.push(block);
        done(error);
      };
      if (isLarge || received <= MOST_BYTES) return pass();
      isLarge = true;
      callbackify(enterLarge)((error) => pass(error));
    },
    flush(done) {
      done(null, blocks.rest());
    },
  });
  placed.once('close', () => blocks.free());
  // A body that was refused has no reader, whom its sender's leaving would concern: without a listener it ends the process.
  placed.on('error', () => {});
  body.once('error', (error) => placed.destroy(error));
  Object.defineProperty(placed, 'receivedEncodedLength', { get: () => body.receivedEncodedLength });
  return body.pipe(placed);
}

/** Frees the memory of bytes that nobody reads any more, without waiting for a collection. */
export function freeBytes(bytes: unknown): void {
  if (!Buffer.isBuffer(bytes)) return;
  const { buffer } = bytes;
  // Small ones share their memory.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length) buffer.transfer(0);
}

/** Blocks of memory, filled one after another. */
class Blocks {
  readonly #all: Buffer[] = [];
  #last: Buffer | undefined;
  #filled = 0;

  /** Copies bytes. @returns the blocks that are full. */
  fill(bytes: Buffer): Buffer[] {
    const full: Buffer[] = [];
    for (let from = 0; from < bytes.length;) {
      const block = this.#last ?? this.#begin();
      const copied = bytes.copy(block, this.#filled, from);
      from += copied;
      this.#filled += copied;
      if (this.#filled < BLOCK) continue;
      full.push(block);
      this.#last = undefined;
    }
    return full;
  }

  /** Returns what is filled of the last block, if anything. */
  rest(): Buffer | undefined {
    return this.#last?.subarray(0, this.#filled);
  }

  free(): void {
    for (const block of this.#all) freeBytes(block);
  }

  #begin(): Buffer {
    const block = Buffer.allocUnsafeSlow(BLOCK);
    this.#all.push(block);
    this.#last = block;
    this.#filled = 0;
    return block;
  }
}
