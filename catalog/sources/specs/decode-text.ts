/** The encoding of a table. */
export type Encoding = 'utf-8' | 'windows-1252' | 'windows-1251' | 'utf-16le';

const LINE_FEED = 10;
/**
 * The longest text without a line break, in characters: a longer one is not a table, and is passed on as it is, for the
 * reader to report.
 */
const LONGEST_WAIT = 1 << 20;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Turns bytes into text, piece by piece. Without an encoding the bytes decide: a mark at the beginning, or whole lines
 * of well-formed UTF-8, which lines in the letters of Windows with any accent are not. Publishers change it from one
 * release to the next.
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
    if (first && chunk[0] === 0xff && chunk[1] === 0xfe) decoder = new TextDecoder('utf-16le');
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
    yield decodeLines(rest, fallback);
    rest = Buffer.alloc(0);
  }
  if (decoder !== undefined) yield decoder.decode();
  else if (rest.length > 0) yield decodeLines(rest, fallback);
}

function decodeLines(lines: Buffer, fallback: TextDecoder): string {
  try {
    return utf8.decode(lines);
  } catch {
    return fallback.decode(lines);
  }
}
