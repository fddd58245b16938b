import { expect, test } from 'vitest';

import type { ResolveName } from '../kernel/egress/index.ts';
import { startNameServer } from '../kernel/egress/testing/name-server.ts';
import { startReceiver } from './testing/receiver.ts';
import { Sender } from './delivery/send.ts';
import { readUrl } from './url.ts';

/** Addresses that must never be reached, as people write them who try. */
const PRIVATE = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://１２７.０.０.１/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.1:8443/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://[2002:7f00:1::]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://app.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://database/',
];

const NO_URL = [
  '',
  'example.com/hook',
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'http://example.com/',
  'https://',
  'https://user@example.com/',
  'https://:secret@example.com/',
  'https://example.com:22/',
  'https://example.com:80/',
  'https://example.com:0/',
  'https://example.com:99999/',
  'https://[fe80::1%25eth0]/',
  `https://example.com/${'x'.repeat(2_000)}`,
  `https://${'a.'.repeat(126)}co/`,
  `https://${'a'.repeat(64)}.com/`,
  `https://${'ü'.repeat(63)}.com/`,
  'https://example..com/',
  'https://.example.com/',
  'https://example.com../',
  'https://*.example.com/',
  "https://a'b.example.com/",
];

const GOOD = [
  'https://example.com/hook?key=1',
  'https://example.com:443/',
  'https://example.com:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://xn--bcher-kva.example/',
  'https://bücher.example./',
  'https://my_hook.example.com/',
  `https://${'a.'.repeat(125)}com/`,
  `https://${'a'.repeat(63)}.com./`,
];

test.each([...PRIVATE, ...NO_URL])('%s is not an address for webhooks', (text) => {
  expect(readUrl(text, false)).toMatchObject({ kind: 'faulty', fault: expect.stringMatching(/\w/) });
});

test.each(GOOD)('%s is an address for webhooks', (text) => {
  expect(readUrl(text, false)).toMatchObject({ kind: 'url' });
});

test('http and this machine may be used if an operator allows it, and nothing more', () => {
  expect(readUrl('http://127.0.0.1:9000/hook', true)).toMatchObject({ kind: 'url' });
  expect(readUrl('http://user:secret@127.0.0.1:9000/', true)).toMatchObject({ kind: 'faulty' });
  expect(readUrl('gopher://127.0.0.1:9000/', true)).toMatchObject({ kind: 'faulty' });
});

const never = new AbortController().signal;

async function postTo(
  url: string,
  addresses: readonly string[][],
  allowPrivate = false,
): Promise<{ attempt: unknown; asked: number }> {
  let asked = 0;
  const resolve: ResolveName = (_name, _options, done) => {
    const found = addresses[Math.min(asked++, addresses.length - 1)] ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const sender = new Sender({ allowPrivate, timeoutMs: 5_000, concurrent: 1, resolve });
  try {
    return { attempt: await sender.post(url, {}, '{}', never), asked };
  } finally {
    await sender.close();
  }
}

test.each([
  [63, { kind: 'delivered', status: 204 }],
  [64, { kind: 'unanswered', fault: 'too many addresses' }],
])('a receiver behind %i addresses where nothing listens: a name may have 64', async (others, expected) => {
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const dead = Array.from({ length: others }, (_, number) => `127.0.1.${number}`);
  const { attempt } = await postTo(`http://hook.example.com:${port}/`, [[...dead, '127.0.0.1']], true);
  expect(attempt).toEqual(expected);
});

test.each([
  ['a private address', 'address not allowed', ['10.1.2.3']],
  ['65 addresses', 'too many addresses', Array.from({ length: 65 }, (_, number) => `93.184.215.${number}`)],
  ['no address', 'name not found', undefined],
])(
  'a receiver whose name has %s is looked up by name servers, once for all that is sent at once',
  async (_, fault, addresses) => {
    await using server = await startNameServer(addresses && { 'hooks.example.com': addresses });
    const sender = new Sender({ allowPrivate: false, timeoutMs: 5_000, concurrent: 8, nameServers: [server.address] });
    try {
      const posts = Array.from({ length: 8 }, () => sender.post('https://hooks.example.com/', {}, '{}', never));
      expect(await Promise.all(posts)).toEqual(posts.map(() => ({ kind: 'unanswered', fault })));
      expect(server.asked).toEqual(['hooks.example.com']);
    } finally {
      await sender.close();
    }
  },
);

test('a receiver is not found where no name server answers', async () => {
  const server = await startNameServer();
  await server[Symbol.asyncDispose]();
  const sender = new Sender({ allowPrivate: false, timeoutMs: 5_000, concurrent: 1, nameServers: [server.address] });
  try {
    const attempt = await sender.post('https://hooks.example.com/', {}, '{}', never);
    expect(attempt).toEqual({ kind: 'unanswered', fault: 'name not found' });
  } finally {
    await sender.close();
  }
});

test.each(PRIVATE)('a sender that is given %s all the same connects to nothing', async (url) => {
  const { attempt } = await postTo(url, [['127.0.0.1']]);
  expect(attempt).toEqual({ kind: 'unanswered', fault: 'address not allowed' });
});

test.each([
  ['127.0.0.1'],
  ['::1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['::ffff:127.0.0.1'],
  ['fd00:ec2::254'],
  ['100.100.100.200'],
])('a name that leads to %s is not followed, whatever other addresses it has', async (address) => {
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  for (const addresses of [[address], ['8.8.8.8', address], [address, '2606:4700::1111']]) {
    const { attempt, asked } = await postTo(`https://hook.example.com:${port}/`, [addresses]);
    expect({ attempt, asked }).toEqual({ attempt: { kind: 'unanswered', fault: 'address not allowed' }, asked: 1 });
  }
  expect(receiver.got).toEqual([]);
});
