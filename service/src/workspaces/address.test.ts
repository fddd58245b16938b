import { assert, integer, ipV4, property, string, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { clientAddress, networkOf, trustedProxies } from './address.ts';

const ours = trustedProxies(['10.0.0.0/8', '2001:db8:aaaa::/48', 'loopback']);

describe('the client behind our proxies', () => {
  test.each([
    { from: 'a direct connection', socket: '192.0.2.1', forwarded: undefined, client: '192.0.2.1' },
    {
      from: 'a stranger who claims to be a proxy',
      socket: '192.0.2.1',
      forwarded: '198.51.100.7',
      client: '192.0.2.1',
    },
    { from: 'one proxy', socket: '10.0.0.1', forwarded: '192.0.2.1', client: '192.0.2.1' },
    { from: 'two proxies', socket: '10.0.0.1', forwarded: '192.0.2.1, 10.0.0.2', client: '192.0.2.1' },
    {
      from: 'a client that forges a hop',
      socket: '10.0.0.1',
      forwarded: '198.51.100.7, 192.0.2.1',
      client: '192.0.2.1',
    },
    {
      from: 'a client that forges one of ours',
      socket: '10.0.0.1',
      forwarded: '10.9.9.9, 192.0.2.1',
      client: '192.0.2.1',
    },
    { from: 'a proxy that learned nothing useful', socket: '10.0.0.1', forwarded: 'unknown', client: '10.0.0.1' },
    { from: 'a proxy that names no client', socket: '10.0.0.1', forwarded: '', client: '10.0.0.1' },
    { from: 'only our own', socket: '127.0.0.1', forwarded: '10.0.0.2', client: '10.0.0.2' },
    { from: 'a proxy that adds ports', socket: '10.0.0.1', forwarded: '192.0.2.1:4711', client: '192.0.2.1' },
    { from: 'IPv6 with a port', socket: '::1', forwarded: '[2001:db8::1]:4711', client: '2001:db8::1' },
    { from: 'IPv4 inside IPv6', socket: '::ffff:10.0.0.1', forwarded: '::ffff:192.0.2.1', client: '192.0.2.1' },
    { from: 'IPv4 inside IPv6, in hex', socket: '::ffff:c000:0201', forwarded: undefined, client: '192.0.2.1' },
    { from: 'a link-local address with its zone', socket: 'fe80::1%eth0', forwarded: undefined, client: 'fe80::1' },
    { from: 'a connection without an address', socket: undefined, forwarded: '192.0.2.1', client: 'unknown' },
  ])('$from: $client', ({ socket, forwarded, client }) => {
    expect(clientAddress(socket, forwarded, ours)).toBe(client);
  });

  test('a client is known by the address that our proxy saw, not by the header that it wrote', () => {
    assert(
      property(
        string(),
        ipV4().filter((address) => !ours(address)),
        (forged, real) => {
          expect(clientAddress('10.0.0.1', `${forged}, ${real}`, ours)).toBe(real);
        },
      ),
    );
  });

  test('a client that is not one of our proxies is known by its connection alone', () => {
    assert(
      property(
        string(),
        ipV4().filter((address) => !ours(address)),
        (forwarded, socket) => {
          expect(clientAddress(socket, forwarded, ours)).toBe(socket);
        },
      ),
    );
  });
});

describe('the network of an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002'],
    ['2001:db8:1:2::', '2001:0db8:0001:0002'],
    ['2001:db8::1', '2001:0db8:0000:0000'],
    ['::1', '0000:0000:0000:0000'],
    ['1:2:3:4:5:6:192.0.2.1', '0001:0002:0003:0004'],
    ['64:ff9b::192.0.2.1', '0064:ff9b:0000:0000'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('all addresses of an IPv6 /64 are one network, however they are written', () => {
    const group = integer({ min: 0, max: 0xffff });
    assert(
      property(tuple(group, group, group, group), tuple(group, group, group, group), (high, low) => {
        expect(networkOf(text([...high, ...low]))).toBe(networkOf(`${text(high)}::`));
      }),
    );
  });
});

function text(parts: readonly number[]): string {
  return parts.map((part) => part.toString(16)).join(':');
}
