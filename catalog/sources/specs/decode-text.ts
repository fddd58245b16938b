import { isAscii, isUtf8 } from 'node:buffer';

import { markedEncoding } from '../../src/tables/encoding/encoding.ts';

/** The encoding of a table. */
export type Encoding = 'utf-8' | 'windows-1250' | 'windows-1251' | 'windows-1252';

const LINE_FEED = 10;
/** The bytes without a line break that are kept until it comes: beyond, they are passed on in pieces. */
const LONGEST_WAIT = 1 << 16;
const ASCII_END = 0x80;

const utf8 = new TextDecoder();

/**
 * Turns bytes into text, piece by piece. Without an encoding the bytes decide: a mark of UTF-16 at the beginning, or
 * lines of well-formed UTF-8, which lines in the letters of Windows with any accent are not. Publishers change it from
 * one release to the next, and cut letters of several bytes at the end of a field: then that line alone is read
 * otherwise.
 *
 * @param otherwise the encoding of lines that are not UTF-8
 */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  encoding?: Encoding,
  otherwise: Encoding = 'windows-1252',
): AsyncGenerator<string> {
  const fallback = new TextDecoder(otherwise);
  let decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
  let rest: Buffer = Buffer.alloc(0);
  let first = true;
  for await (const chunk of bytes) {
    const marked = first ? markedEncoding(chunk) : undefined;
    if (marked !== undefined && marked !== 'utf-8') decoder = new TextDecoder(marked);
    first = false;
    if (decoder !== undefined) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    const whole = end === 0 ? Buffer.alloc(0) : Buffer.concat([rest, chunk.subarray(0, end)]);
    rest = end === 0 ? Buffer.concat([rest, chunk]) : chunk.subarray(end);
    if (whole.length > 0) yield decodeLines(whole, fallback);
    if (rest.length <= LONGEST_WAIT) continue;
    const cut = rest.findLastIndex((byte) => byte < ASCII_END) + 1 || rest.length;
    yield decodeLines(rest.subarray(0, cut), fallback);
    rest = rest.subarray(cut);
  }
  if (decoder !== undefined) yield decoder.decode();
  else if (rest.length > 0) yield decodeLines(rest, fallback);
}

function decodeLines(lines: Buffer, fallback: TextDecoder): string {
  if (isUtf8(lines)) return utf8.decode(lines);
  let text = '';
  let done = 0;
  for (let start = 0, end = 0; start < lines.length; start = end) {
    end = lines.indexOf(LINE_FEED, start) + 1 || lines.length;
    const line = lines.subarray(start, end);
    if (isAscii(line) || !isUtf8(line)) continue;
    text += fallback.decode(lines.subarray(done, start)) + utf8.decode(line);
    done = end;
  }
  return text + fallback.decode(lines.subarray(done));
}
