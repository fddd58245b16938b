const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Is set in the bytes of `{` and `}`, and not in those of `[` and `]`. */
const CURLY = 0x20;
/** The bytes of `{` and `}`. */
const [OPEN, CLOSE] = [0x7b, 0x7d];

/** Counts how deeply a text nests, if it is JSON, while its bytes arrive. */
export class Nesting {
  #levels = 0;
  #isText = false;
  #isEscaped = false;

  /** Reads on. @returns false once there are more levels. */
  isBelow(most: number, bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText && byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isText = !this.#isText;
      else if (!this.#isText && (byte | CURLY) === OPEN) this.#levels += 1;
      else if (!this.#isText && (byte | CURLY) === CLOSE) this.#levels -= 1;
      if (this.#levels > most) return false;
    }
    return true;
  }
}
