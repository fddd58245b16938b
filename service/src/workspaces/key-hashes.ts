import { hashOf, isWellFormedKey } from './key.ts';

/** A key stays in memory for so long at most, and no longer than it takes to meet so many others. */
const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

/**
 * The hashes of keys that came just now: clients send one key again and again, and to hash it takes longer than all else
 * about it. Known and unknown keys are kept alike, so that the time tells nothing.
 */
export class KeyHashes {
  /** By the key, which V8 finds by a secret hash of the whole text: the time does not tell how much of a key is right. */
  #hashes = new Map<string, string>();
  #sinceMs = 0;

  /** The hash of a key; undefined for text that is not a key. */
  of(key: string, nowMs: number): string | undefined {
    if (nowMs - this.#sinceMs >= KEPT_MS || nowMs < this.#sinceMs || this.#hashes.size >= MOST_KEPT) {
      this.#hashes.clear();
      this.#sinceMs = nowMs;
    }
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    if (!isWellFormedKey(key)) return undefined;
    const hash = hashOf(key);
    this.#hashes.set(key, hash);
    return hash;
  }
}
