import { readFileSync, writeFileSync } from 'node:fs';

/** Slots at the beginning; doubled when they are half full. */
const SLOTS = 1 << 16;
const HALF = 2;
const HIGH_BITS = 21;
const WORD = 2 ** 32;

/**
 * The VINs that an import has seen, as hashes of 53 bits in eight bytes each: among twelve million, two that differ are
 * taken for one with a probability below one percent.
 */
export class SeenVins {
  #slots: Float64Array;
  #count = 0;

  private constructor(slots: Float64Array) {
    this.#slots = slots;
    for (const slot of slots) if (slot !== 0) this.#count++;
  }

  static empty(): SeenVins {
    return new SeenVins(new Float64Array(SLOTS));
  }

  /** Reads VINs that `write` stored. */
  static read(file: string): SeenVins {
    const bytes = readFileSync(file);
    return new SeenVins(new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
  }

  write(file: string): void {
    writeFileSync(file, new Uint8Array(this.#slots.buffer));
  }

  /** Returns true if the VIN was there already; adds it. */
  has(vin: string): boolean {
    const hash = hashOf(vin);
    const at = this.#place(hash);
    if (this.#slots[at] === hash) return true;
    this.#slots[at] = hash;
    if (++this.#count * HALF > this.#slots.length) this.#grow();
    return false;
  }

  #place(hash: number): number {
    const mask = this.#slots.length - 1;
    let at = (hash % this.#slots.length) & mask;
    while (this.#slots[at] !== 0 && this.#slots[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * HALF);
    for (const hash of before) if (hash !== 0) this.#slots[this.#place(hash)] = hash;
  }
}

/** Combines two hashes (FNV-1a and a variant) of a text in one number above 0. */
function hashOf(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + at), 0x85ebca6b);
  }
  low ^= low >>> 15;
  high ^= high >>> 13;
  return ((high >>> 0) % 2 ** HIGH_BITS) * WORD + (low >>> 0) + 1;
}
