const LONG = 255;

/**
 * Control characters, changes of direction, and line ends: what strangers' labels and files may contain, and no name
 * does.
 */
const STEERING = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/u;

/** The character that a reader of UTF-8 puts where bytes are none. */
const REPLACED = '\uFFFD';

/** Some of vPIC's notes on elements have more than a thousand. */
const LONGEST = 10_000;
const SHOWN = 40;

/** Collects the catalog's strings, each once. Number 0 is the empty string. */
export class StringTable {
  readonly #ids: Map<string, number>;

  /** @param texts What another table collected, in its order; default: none. */
  constructor(texts: readonly string[] = ['']) {
    this.#ids = new Map(texts.map((text, id) => [text, id]));
  }

  /** Returns all texts so far, by number. */
  texts(): string[] {
    return [...this.#ids.keys()];
  }

  /**
   * Returns the number of a text, given at first use.
   *
   * @throws Error when it would steer a terminal or turn the writing direction, holds the mark of bytes that are not
   *   UTF-8, or is longer than any text that people read.
   */
  id(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    if (STEERING.test(text)) throw new Error(`${escaped(text)} has a control character. Remove it, and compile again.`);
    if (text.includes(REPLACED))
      throw new Error(`${escaped(text)} is not in UTF-8. Save its file in UTF-8, and compile again.`);
    if (text.length > LONGEST) {
      throw new Error(
        `${escaped(text.slice(0, SHOWN))}... has ${text.length} characters. A text has ${LONGEST} at most.`,
      );
    }
    const id = this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }

  /** Lengths of one byte; 255 is followed by the rest of a longer one. */
  sections(): Map<string, Uint8Array> {
    const encoder = new TextEncoder();
    const parts = this.texts().map((text) => encoder.encode(text));
    const lengths: number[] = [];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      let { length } = part;
      for (; length >= LONG; length -= LONG) lengths.push(LONG);
      lengths.push(length);
      bytes.set(part, at);
      at += part.length;
    }
    return new Map([
      ['strings.lengths', Uint8Array.from(lengths)],
      ['strings.bytes', bytes],
    ]);
  }
}

/** Returns a text as JSON writes it, with all that is not ASCII as escapes. */
function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
