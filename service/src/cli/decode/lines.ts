import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut here: no VIN is this long, and a file without line ends must not fill the memory. */
const LONGEST_LINE = 1_024;

/**
 * The lines of a byte stream that hold anything, trimmed, in order, as many at once as a chunk of the stream has: one
 * step a line would cost more than a decode. Memory stays flat whatever the stream holds.
 *
 * @param onBytes hears how many bytes each chunk had.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer | string>,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk));
    const lines = text.split(/\r\n?|\n/);
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    yield lines.map(tidied).filter((line) => line !== '');
  }
  const last = tidied(rest + decoder.end());
  if (last !== '') yield [last];
}

function tidied(line: string): string {
  // The mark that some editors put before the first line is no part of it.
  return line
    .slice(0, LONGEST_LINE)
    .replace(/^\uFEFF/, '')
    .trim();
}
