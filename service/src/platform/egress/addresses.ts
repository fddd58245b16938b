import { BlockList, isIP } from 'node:net';

/**
 * Networks that are not the public internet, from IANA's special-purpose address registries (RFC 6890 and its
 * successors), and those that carry an IPv4 address inside an IPv6 one.
 */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
] as const;

const notPublic = new BlockList();
for (const network of NOT_PUBLIC) {
  const [address = '', prefix] = network.split('/');
  notPublic.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** All that IANA has given out for the public internet of IPv6 lies in here. */
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one of the public internet, rather than of this machine, its network or its cloud. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, 'ipv4');
  return family === 6 && global6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}
