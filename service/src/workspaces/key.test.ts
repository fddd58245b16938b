import { assert, constantFrom, nat, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { hashOf, isWellFormedKey, KeyHashes, mintKey, sameHash, systemRandom } from './key.ts';
import { anyCharacter } from '../testing/any-character.ts';

test('a new key is well-formed, and the stored form does not give it away', () => {
  const { key, hash, prefix, last4 } = mintKey(systemRandom);
  expect(key).toMatch(/^mq_live_[0-9A-Za-z]{38}$/);
  expect(isWellFormedKey(key)).toBe(true);
  expect(hash).toBe(hashOf(key));
  expect(key.startsWith(prefix)).toBe(true);
  expect(key.endsWith(last4)).toBe(true);
  expect(prefix.length + last4.length).toBeLessThan(20);
});

test('a key with any one character changed is refused by its checksum', () => {
  const { key } = mintKey(systemRandom);
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  assert(
    property(nat({ max: key.length - 1 }), constantFrom(...alphabet), (place, letter) => {
      const changed = key.slice(0, place) + letter + key.slice(place + 1);
      expect(isWellFormedKey(changed)).toBe(changed === key);
    }),
  );
});

test('no hostile string is a well-formed key', () => {
  assert(
    property(string({ unit: anyCharacter }), (text) => {
      expect(isWellFormedKey(text)).toBe(false);
      expect(isWellFormedKey(`mq_live_${text}`)).toBe(false);
    }),
  );
});

test('every character of a key is equally likely, for any random bytes', () => {
  const counts = new Map<string, number>();
  for (let round = 0; round < 2000; round++) {
    for (const letter of mintKey(systemRandom).key.slice(8, 40)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  // 64,000 characters, about 1,032 of each of 62: seven standard deviations either way.
  expect(counts.size).toBe(62);
  expect(Math.min(...counts.values())).toBeGreaterThan(800);
  expect(Math.max(...counts.values())).toBeLessThan(1270);
});

test('hashes are the same only when every character is', () => {
  const hash = hashOf('a');
  expect(sameHash(hash, hash)).toBe(true);
  expect(sameHash(hash, hashOf('b'))).toBe(false);
  expect(sameHash(hash, hash.slice(2))).toBe(false);
});

test('the hash of a key is the same whether it came before or not, for as many keys as come', () => {
  const hashes = new KeyHashes();
  const keys = Array.from({ length: 3_000 }, () => mintKey(systemRandom));
  for (const atMs of [0, 1, 9_999, 10_000, 5_000]) {
    for (const { key, hash } of keys) expect(hashes.of(key, atMs)).toBe(hash);
  }
});

test('a text that is not a key has no hash, however often it comes', () => {
  const hashes = new KeyHashes();
  const { key } = mintKey(systemRandom);
  for (const text of ['', 'mq_live_', `${key.slice(0, -1)}_`, key.toUpperCase()]) {
    expect([hashes.of(text, 0), hashes.of(text, 0)]).toEqual([undefined, undefined]);
  }
  expect(hashes.of(key, 0)).toBe(hashOf(key));
});
