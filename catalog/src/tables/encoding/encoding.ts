import { isAscii, isUtf8 } from 'node:buffer';

import { analyse } from 'chardet';

import { endOf, type Steps } from '../steps.ts';
import { likelihood } from './likelihood.ts';

/**
 * The encoding of a text, with the text where it had to be decoded to know; `unclear`: more than one is likely, and only
 * its sender knows.
 */
export type Encoding = { kind: 'known'; encoding: string; text?: string } | { kind: 'unclear'; message: string };

/** Legacy encodings that are guessed, by the names of the Encoding Standard. */
const GUESSED = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'gbk',
  'big5',
  'euc-kr',
] as const;

/** A guess is taken if it is so much likelier than the next one that reads otherwise, as a natural logarithm. */
const CLEAR = Math.log(30);

/** The library's confidence, of 100, from which on it decides between two that are nearly as likely. */
const CONFIDENT = 40;

/** The number of bytes examined: lines that are not plain ASCII. */
const SAMPLED = 16_384;

/** Lines that are not ASCII which are found in a step, and bytes among which the next one is looked for. */
const LINES_A_STEP = 1_000;
const BLOCK = 4_096;

const LINE_END = 0x0a;

/** Marks at the beginning of a text that say its encoding. */
const MARKS: readonly { mark: readonly number[]; encoding: string }[] = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

/**
 * Returns the encoding that a mark at the beginning or zero bytes between ASCII characters say; undefined: neither is
 * there.
 */
export function markedEncoding(bytes: Uint8Array): string | undefined {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked.encoding;
  const begin = bytes.subarray(0, 64);
  if (begin.length < 4) return undefined;
  const zeros = [0, 1].map((odd) => begin.filter((byte, index) => index % 2 === odd && byte === 0).length);
  const [even = 0, odd = 0] = zeros;
  if (odd > begin.length / 3 && even === 0) return 'utf-16le';
  return even > begin.length / 3 && odd === 0 ? 'utf-16be' : undefined;
}

/**
 * Finds how a text is encoded: by its mark, as UTF-8 where it is valid, and else by which legacy encoding makes likely
 * words of it.
 *
 * @param asked the encoding that its sender named, by any label of the Encoding Standard; empty: none.
 */
export function encodingOf(bytes: Uint8Array, asked: string = ''): Encoding {
  return endOf(encodingSteps(bytes, asked));
}

/** Finds it in steps of a few milliseconds, for who has other work. */
export function* encodingSteps(bytes: Uint8Array, asked: string): Steps<Encoding> {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return known(marked);
  if (asked !== '') return yield* named(bytes, asked);
  return isUtf8(bytes) ? known('utf-8') : yield* guessSteps(yield* unusualLineSteps(bytes));
}

/** Returns the encoding of a label, if it exists. */
export function encodingNamed(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

function* named(bytes: Uint8Array, asked: string): Steps<Encoding> {
  const encoding = encodingNamed(asked);
  if (encoding === undefined) {
    return {
      kind: 'unclear',
      message: `"${asked.slice(0, 40)}" is not the name of an encoding. Examples: ${EXAMPLES}.`,
    };
  }
  try {
    return { kind: 'known', encoding, text: yield* decodeSteps(bytes, encoding) };
  } catch {
    const message = `The text is not ${encoding}, as it is labeled: some of its bytes are not. Name its real encoding, or save it as UTF-8.`;
    return { kind: 'unclear', message };
  }
}

const EXAMPLES = 'utf-8, windows-1252, windows-1251, shift_jis, gbk';

/** Guesses the encoding of lines that are not UTF-8. */
export function guess(sample: Uint8Array): Encoding {
  return endOf(guessSteps(sample));
}

function* guessSteps(sample: Uint8Array): Steps<Encoding> {
  const readings: { encoding: string; text: string; score: number }[] = [];
  for (const encoding of GUESSED) {
    yield;
    const text = decoded(sample, encoding);
    if (text !== undefined && !UNUSED.test(text)) readings.push({ encoding, text, score: likelihood(text, encoding) });
  }
  yield;
  readings.sort((left, right) => right.score - left.score);
  const [first] = readings;
  if (first === undefined) {
    return { kind: 'unclear', message: 'The text is in no known encoding. Save it as UTF-8, and send it again.' };
  }
  const second = readings.find(({ text }) => text !== first.text);
  if (second === undefined || first.score - second.score >= CLEAR) return known(first.encoding);
  const library = libraryGuess(sample, [first, second]);
  return library === undefined ? unclear(first, second) : known(library);
}

/** C1 control characters and private ones: no text has them. */
// eslint-disable-next-line no-control-regex
const UNUSED = /[\u0080-\u009F\uE000-\uF8FF\uFFFD]/;

/** Returns the one of two readings that the library is sure of. Of ISO 8859 it names the parts that Windows extends. */
function libraryGuess(sample: Uint8Array, readings: readonly { encoding: string; text: string }[]): string | undefined {
  const [best] = analyse(sample);
  if (best === undefined || best.confidence < CONFIDENT) return undefined;
  const encoding = encodingNamed(best.name);
  const text = encoding === undefined ? undefined : decoded(sample, encoding);
  return readings.find((reading) => reading.text === text)?.encoding;
}

function unclear(first: { encoding: string; text: string }, second: { encoding: string; text: string }): Encoding {
  const [letters, others] = [[...first.text], [...second.text]];
  const place = letters.findIndex((letter, index) => letter !== others[index]);
  const shown = (text: readonly string[]): string =>
    text
      .slice(Math.max(0, place - 8), place + 8)
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const message =
    `The text is not UTF-8, and it is not clear how it is encoded: "${shown(letters)}" in ${first.encoding}, ` +
    `"${shown(others)}" in ${second.encoding}. Name its encoding, or save it as UTF-8.`;
  return { kind: 'unclear', message };
}

function known(encoding: string): Encoding {
  return { kind: 'known', encoding };
}

/**
 * Returns the text, without a mark; undefined: the bytes are not in this encoding. A character that is cut off at the
 * end is left out.
 */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/**
 * Decodes a text: nothing is replaced.
 *
 * @throws TypeError when it is not in this encoding.
 */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  return endOf(decodeSteps(bytes, encoding));
}

/** Bytes that are decoded in a step. */
const DECODED = 262_144;

/** Decodes a text in steps. @throws TypeError as `decodeText`. */
export function* decodeSteps(bytes: Uint8Array, encoding: string): Steps<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const parts: string[] = [];
  let from = 0;
  for (; from + DECODED < bytes.length; from += DECODED) {
    parts.push(decoder.decode(bytes.subarray(from, from + DECODED), { stream: true }));
    yield;
  }
  return parts.join('') + decoder.decode(bytes.subarray(from));
}

/** Returns the lines of a text that are not ASCII, as far as they are examined. */
export function unusualLines(bytes: Uint8Array): Uint8Array {
  return endOf(unusualLineSteps(bytes));
}

function* unusualLineSteps(bytes: Uint8Array): Steps<Uint8Array> {
  const parts: Uint8Array[] = [];
  let [size, lines] = [0, 0];
  for (let at = nextUnusual(bytes, 0); at !== -1 && size < SAMPLED;) {
    const start = bytes.lastIndexOf(LINE_END, at) + 1;
    const found = bytes.indexOf(LINE_END, at);
    const end = found === -1 ? bytes.length : found + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLED - size));
    if (!isAscii(line)) {
      parts.push(line);
      size += line.length;
    }
    lines += 1;
    if (lines % LINES_A_STEP === 0) yield;
    at = nextUnusual(bytes, end);
  }
  return Buffer.concat(parts);
}

/** Returns the place of the next byte that is not ASCII; -1: there is none. */
function nextUnusual(bytes: Uint8Array, from: number): number {
  for (let start = from; start < bytes.length; start += BLOCK) {
    let [low, high] = [start, Math.min(start + BLOCK, bytes.length)];
    if (isAscii(bytes.subarray(low, high))) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isAscii(bytes.subarray(low, middle))) low = middle;
      else high = middle;
    }
    return low;
  }
  return -1;
}
