/** Collects the catalog's strings, each once. Number 0 is the empty string. */
export class StringTable {
  readonly #ids = new Map<string, number>([['', 0]]);

  /** The number of a text, given at first use. */
  id(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }

  sections(): Map<string, Uint8Array | Uint32Array> {
    const encoder = new TextEncoder();
    const parts = [...this.#ids.keys()].map((text) => encoder.encode(text));
    const offsets = new Uint32Array(parts.length + 1);
    for (const [index, part] of parts.entries()) offsets[index + 1] = (offsets[index] ?? 0) + part.length;
    const bytes = new Uint8Array(offsets.at(-1) ?? 0);
    for (const [index, part] of parts.entries()) bytes.set(part, offsets[index]);
    return new Map<string, Uint8Array | Uint32Array>([
      ['strings.offsets', offsets],
      ['strings.bytes', bytes],
    ]);
  }
}
