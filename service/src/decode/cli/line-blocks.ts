import type { Block } from './block.ts';
import { LONGEST_LINE } from './lines.ts';

/** Bytes of a line whose end is still to come that are kept: UTF-8 takes at most three for each UTF-16 code unit. */
const MOST_REST_BYTES = 3 * LONGEST_LINE + 1;

/** About 900 VINs: what is printed of them stays among V8's young objects, which cost least to free. */
const BLOCK_BYTES = 16_384;

const LF = 0x0a;
const CR = 0x0d;

/**
 * A byte stream in blocks that end where a line ends, in order, each a copy that can be handed over. Memory stays flat
 * whatever the stream holds.
 *
 * @param onBytes receives the number of bytes of each chunk.
 */
export async function* blocksOfLines(
  chunks: AsyncIterable<Buffer | string>,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<{ block: Block }> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    const bytes = Buffer.from(chunk);
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const part = bytes.subarray(from, from + BLOCK_BYTES);
      const end = Math.max(part.lastIndexOf(LF), part.lastIndexOf(CR)) + 1;
      if (end > 0) yield blockOf(rest, part.subarray(0, end));
      rest = joined(end > 0 ? new Uint8Array() : rest, part.subarray(end)).subarray(0, MOST_REST_BYTES);
    }
  }
  if (rest.length > 0) yield blockOf(rest, new Uint8Array());
}

function blockOf(first: Uint8Array, second: Uint8Array): { block: Block } {
  return { block: { kind: 'lines', bytes: joined(first, second) } };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
