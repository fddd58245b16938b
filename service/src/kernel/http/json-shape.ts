import { HttpError } from './http-error.ts';

/** The most levels of a text of JSON, and the most parts of each kind. `values`: beside the first of each list or object. */
export type JsonBounds = Readonly<Record<'depth' | 'containers' | 'names' | 'values', number>>;

/**
 * Bounds of a body of JSON. Each part takes time, not only each byte, and a part that is at fault takes most: 65,000
 * numbers in place of VINs held the event loop for 40 ms. A batch of 1,000 VINs stays below, as does a report with
 * evidence, which has up to 550 names.
 */
export const JSON_BOUNDS: JsonBounds = { depth: 64, containers: 1_000, names: 1_000, values: 2_000 };

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
/** `[` and `{`, `]` and `}`: the second of each differs in one bit. */
const [OPENING, CLOSING, EITHER] = [0x5b, 0x5d, 0x20];

const BYTE_ORDER_MARK = '\u{FEFF}';

/**
 * Parses JSON whose shape is cheap to parse. Looks at each character once before, and stops at the first excess.
 *
 * @throws HttpError 400 when it nests too deeply or has too many parts; SyntaxError when it is not JSON.
 */
export function parseBoundedJson(text: string, bounds = JSON_BOUNDS): unknown {
  refuseCostlyJson(text, bounds);
  return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}

/**
 * Refuses JSON that nests too deeply or has too many parts.
 *
 * @param what the text is, as the beginning of a sentence.
 * @throws HttpError 400.
 */
export function refuseCostlyJson(text: string, bounds: JsonBounds, what = 'The body'): void {
  const excess = excessIn(text, bounds, what);
  if (excess !== undefined) throw new HttpError(400, excess);
}

/**
 * Returns the first excess in a text of JSON, as a sentence; undefined: none, or none was found in a text that is not
 * JSON, which the parser refuses.
 */
function excessIn(text: string, bounds: JsonBounds, what: string): string | undefined {
  let [depth, containers, names, values] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
      continue;
    }
    const kind = code & ~EITHER;
    if (kind === OPENING) {
      depth += 1;
      containers += 1;
      if (depth > bounds.depth) return `${what} nests deeper than ${bounds.depth} levels.`;
      if (containers > bounds.containers) return tooMany(what, bounds.containers, 'objects and lists');
    } else if (kind === CLOSING) depth -= 1;
    else if (code === COLON) {
      names += 1;
      if (names > bounds.names) return tooMany(what, bounds.names, 'names');
    } else if (code === COMMA) {
      values += 1;
      if (values > bounds.values) return tooMany(what, bounds.values, 'values');
    }
  }
  return undefined;
}

function tooMany(what: string, most: number, parts: string): string {
  return `${what} has more than ${most.toLocaleString('en-US')} ${parts}.`;
}

/** Returns the index of the quote that ends a string; the text's length if none does. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // A text of quotes only, all escaped, takes a search for each otherwise.
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
