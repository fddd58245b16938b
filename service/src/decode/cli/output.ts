import { csvLine } from '../../kernel/csv/csv.ts';

/** Rows as UTF-8. */
export interface OutputRows {
  bytes: Uint8Array<ArrayBuffer>;
  /** The end of each row in the bytes; a row that they do not have ends where the one before it does. */
  ends: Uint32Array<ArrayBuffer>;
}

/** Bytes of output that most blocks have: those of a table's rows and of their columns. */
const OUTPUT_BYTES = 262_144;

/** Output that grows as it is written; its memory serves block after block. */
export class Output {
  #bytes = Buffer.allocUnsafeSlow(OUTPUT_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(2 * length);
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  /** Returns a copy that can be handed over, and begins anew. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    if (this.#bytes.length > 4 * OUTPUT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(OUTPUT_BYTES);
    return bytes;
  }
}

/** Joins parts of the same rows, row by row. */
export function joinedRows(parts: readonly OutputRows[]): Uint8Array<ArrayBuffer> {
  const sources = parts.map(({ bytes, ends }) => ({
    source: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    ends,
    from: 0,
  }));
  const joined = Buffer.allocUnsafeSlow(parts.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (let row = 0; row < (parts[0]?.ends.length ?? 0); row++) {
    for (const part of sources) {
      const end = part.ends[row] ?? part.from;
      if (end > part.from) at += part.source.copy(joined, at, part.from, end);
      part.from = end;
    }
  }
  return joined;
}

/**
 * Returns a row's own cells as the beginning of its line, padded: a short one would shift the added columns into the
 * file's own.
 */
export function rowStart(row: readonly string[], width: number, delimiter: string): string {
  const cells = row.length >= width ? row : Array.from({ length: width }, (_, index) => row[index] ?? '');
  return csvLine(cells, delimiter, delimiter);
}
