import { CommandError } from '../../kernel/cli/io.ts';
import type { Block } from './block.ts';
import type { InputFile } from './input.ts';
import { LONGEST_JSON_LINE, LONGEST_LINE } from './lines.ts';

/** Most bytes that UTF-8 takes for a UTF-16 code unit. */
const MOST_BYTES = 3;

/** The size of a block, about 900 VINs: their output stays among V8's young objects, which cost least to free. */
const BLOCK_BYTES = 16_384;

/** A line with more bytes never ends, or the file is no list. Shorter ones are cut, and each is a row with an error. */
const MOST_LINE_BYTES = 16 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/** Lines of a file. */
interface LineBlock {
  block: Extract<Block, { kind: 'lines' }>;
}

/**
 * Splits a file into blocks that end at the end of a line, in order, each a copy that can be handed over. Memory stays
 * flat for any contents.
 *
 * @param field the field of the VINs if the lines are JSON.
 * @throws CommandError when a line does not end.
 */
export async function* blocksOfLines(
  { chunks, progress }: Pick<InputFile, 'chunks' | 'progress'>,
  field?: string,
): AsyncGenerator<LineBlock> {
  // The largest part of a line that is kept until its end comes.
  const mostRest = MOST_BYTES * (field === undefined ? LONGEST_LINE : LONGEST_JSON_LINE) + 1;
  let rest: Uint8Array = new Uint8Array();
  let [read, lineStart] = [0, 0];
  for await (const chunk of chunks) {
    progress.advance(chunk.length);
    const bytes = Buffer.from(chunk);
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const part = bytes.subarray(from, from + BLOCK_BYTES);
      const end = Math.max(part.lastIndexOf(LF), part.lastIndexOf(CR)) + 1;
      if (end > 0) yield blockOf(joined(rest, part.subarray(0, end)), field);
      rest = joined(end > 0 ? new Uint8Array() : rest, part.subarray(end)).subarray(0, mostRest);
      if (end > 0) lineStart = read + end;
      read += part.length;
      if (read - lineStart > MOST_LINE_BYTES) {
        throw new CommandError(
          `The line after the first ${lineStart} bytes has no end within ${MOST_LINE_BYTES / 1024 / 1024} MiB: this is not a list with one VIN per line.`,
        );
      }
    }
  }
  if (rest.length > 0) yield blockOf(joined(rest, new Uint8Array()), field);
}

function blockOf(bytes: Uint8Array<ArrayBuffer>, field: string | undefined): LineBlock {
  return { block: { kind: 'lines', bytes, field } };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
