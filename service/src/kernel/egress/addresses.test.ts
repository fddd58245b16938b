import { expect, test } from 'vitest';

import { isPublicAddress } from './index.ts';

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
  // Azure's WireServer is on a public address, and no other machine's.
  ['168.63.129.16', false],
  ['168.63.129.17', true],
  ['161.26.0.7', false],
  ['166.9.14.1', false],
  // Metadata of Alibaba, Oracle and Tencent; of AWS and Google by IPv6.
  ['100.100.100.200', false],
  ['192.0.0.192', false],
  ['169.254.0.23', false],
  ['fd00:ec2::254', false],
  ['fd20:ce::254', false],
  // The same ones inside IPv6: mapped, translated, compatible, NAT64, 6to4, Teredo, ISATAP.
  ['::ffff:a83f:8110', false],
  ['::ffff:0:a83f:8110', false],
  ['::a83f:8110', false],
  ['64:ff9b::a83f:8110', false],
  ['64:ff9b:1::a9fe:a9fe', false],
  ['2002:a83f:8110::1', false],
  ['2001:0:4136:e378:8000:63bf:57c0:7eef', false],
  ['2606:4700::5efe:a9fe:a9fe', false],
  ['2606:4700::200:5efe:a9fe:a9fe', false],
  ['239.255.255.250', false],
  ['240.0.0.1', false],
  ['198.18.0.1', false],
  ['fec0::1', false],
  ['5f00::1', false],
  ['4000::1', false],
  ['fe80::1%eth0', false],
  // Forms that a resolver never gives.
  ['0251.0376.0251.0376', false],
  ['0x7f000001', false],
  ['2130706433', false],
  ['', false],
  ['nonsense', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
