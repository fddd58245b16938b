import { expect, test } from 'vitest';

import { hashOf, mintKey, systemRandom } from './key.ts';
import { KeyHashes } from './key-hashes.ts';

test('the hash of a key is the same whether it came before or not, for as many keys as come', () => {
  const hashes = new KeyHashes();
  const keys = Array.from({ length: 3_000 }, () => mintKey(systemRandom));
  for (const atMs of [0, 1, 9_999, 10_000, 5_000]) {
    for (const { key, hash } of keys) expect(hashes.of(key, atMs)).toBe(hash);
  }
});

test('a text that is no key has no hash, however often it comes', () => {
  const hashes = new KeyHashes();
  const { key } = mintKey(systemRandom);
  for (const text of ['', 'mq_live_', `${key.slice(0, -1)}_`, key.toUpperCase()]) {
    expect([hashes.of(text, 0), hashes.of(text, 0)]).toEqual([undefined, undefined]);
  }
  expect(hashes.of(key, 0)).toBe(hashOf(key));
});
