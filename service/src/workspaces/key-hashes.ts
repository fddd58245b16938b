import { hashOf, isWellFormedKey } from './key.ts';

/** A key stays in memory for at most this long, and for at most this many other keys. */
const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

/**
 * Hashes of recently received keys: clients send the same key over and over, and hashing it takes longer than everything
 * else. Valid and invalid keys are cached alike, so that timing reveals nothing.
 */
export class KeyHashes {
  /** By the key. V8 looks it up by a secret hash of the whole text: timing does not reveal how much of a key is right. */
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
