import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The purpose of a key: `test` keys decode for real, and their usage is counted apart. */
export type KeyMode = 'live' | 'test';

const PREFIXES: Readonly<Record<KeyMode, string>> = { live: 'mq_live_', test: 'mq_test_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Characters of the random part in `prefix`: enough to distinguish a workspace's keys, too few to help guess one. */
const SHOWN_LENGTH = 4;
const SHAPE = new RegExp(`^(?:${Object.values(PREFIXES).join('|')})[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A received key stays in memory for at most this long, and for at most this many other keys. */
const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

/** Returns `size` random bytes. */
export type Random = (size: number) => Uint8Array;

/** The operating system's random bytes. */
export const systemRandom: Random = (size) => randomBytes(size);

/** A new key: the key itself, which is shown once, and the parts that are stored. */
interface MintedKey {
  key: string;
  hash: string;
  prefix: string;
  last4: string;
}

/** Makes a key: `mq_live_` or `mq_test_`, 32 random characters (190 bits) and 6 of checksum. */
export function mintKey(random: Random, mode: KeyMode = 'live'): MintedKey {
  const body = PREFIXES[mode] + randomText(random, RANDOM_LENGTH);
  const key = body + checksumOf(body);
  return { key, hash: hashOf(key), prefix: key.slice(0, PREFIXES[mode].length + SHOWN_LENGTH), last4: key.slice(-4) };
}

/** Returns the mode of a key, by its prefix. */
export function modeOf(keyOrPrefix: string): KeyMode {
  return keyOrPrefix.startsWith(PREFIXES.test) ? 'test' : 'live';
}

/** Returns true if a text has the shape and the checksum of a key. Needs no look-up. */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns the hex SHA-256 of a key. The key has 190 random bits, so that no slow hash is needed. */
export function hashOf(key: string): string {
  return hash('sha256', key);
}

/**
 * Hashes of recently received keys: clients send the same key over and over, and hashing it takes longer than
 * everything else. Valid and invalid keys are cached alike, so that timing reveals nothing.
 */
export class KeyHashes {
  /**
   * Hashes by the key. V8 looks it up by a secret hash of the whole text: timing does not reveal how much of a key is
   * right.
   */
  #hashes = new Map<string, string>();
  #sinceMs = 0;

  /** Returns the hash of a key; undefined for text that is not a key. */
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

/** Compares two hex hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns the CRC-32 of a text as six base-62 characters, most significant first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    checksum = BASE62.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}

function randomText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 is the largest multiple of 62 below 256: dropping the rest keeps every character equally likely.
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
