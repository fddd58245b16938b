import { expect, test } from 'vitest';

import { isPublicAddress } from './addresses.ts';

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.8.8.8', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a00:1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['2001:db8::1', false],
  ['2002:a00:1::1', false],
  ['ff02::1', false],
  ['nonsense', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
