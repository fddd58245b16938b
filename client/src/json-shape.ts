const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** Is set in the bytes of `{` and `}`, and not in those of `[` and `]`. */
const CURLY = 0x20;
/** The bytes of `{` and `}`. */
const [OPEN, CLOSE] = [0x7b, 0x7d];

/** The most that a text of JSON may contain. */
interface JsonBounds {
  levels: number;
  /** Members of objects and items of lists. */
  values: number;
}

/** Counts how deeply a text nests and how much it contains, if it is JSON, while its bytes arrive. */
export class JsonShape {
  #levels = 0;
  #values = 0;
  #isText = false;
  #isEscaped = false;

  /** Reads on. @returns false once there is more. */
  isWithin(most: JsonBounds, bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText && byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isText = !this.#isText;
      else if (!this.#isText) this.#count(byte);
      if (this.#levels > most.levels || this.#values > most.values) return false;
    }
    return true;
  }

  #count(byte: number): void {
    const plain = byte | CURLY;
    if (plain === OPEN) this.#levels += 1;
    else if (plain === CLOSE) this.#levels -= 1;
    // A list or an object has one more than it has commas, unless it is empty: then this counts one too many.
    if (plain === OPEN || byte === COMMA) this.#values += 1;
  }
}
