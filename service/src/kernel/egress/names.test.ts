import { createHook } from 'node:async_hooks';
import type { LookupAddress } from 'node:dns';
import { promisify } from 'node:util';

import { expect, test, vi } from 'vitest';

import { publicNames } from './names.ts';
import { startNameServer } from './testing/name-server.ts';

/** Returns a function that finds a name's addresses by a name server. */
function finderAt(server: string): (name: string) => Promise<string[]> {
  const find = promisify(publicNames([server]));
  return async (name) => (await find(name, { all: true })).map(({ address }: LookupAddress) => address);
}

test('a name is looked up on another thread, and of more than 64 addresses 65 are given', async () => {
  const many = Array.from({ length: 70 }, (_, number) => `93.184.215.${number}`);
  await using server = await startNameServer({ 'many.example.com': many });
  const begun: string[] = [];
  const hook = createHook({ init: (_id, type) => void begun.push(type) }).enable();
  expect(await finderAt(server.address)('many.example.com')).toEqual(many.slice(0, 65));
  hook.disable();
  expect(begun).toContain('WORKER');
  expect(begun).not.toContain('QUERYWRAP');
});

test('those who want a name share a look-up for half a minute, and then learn of its new address', async () => {
  await using server = await startNameServer({ 'a.example.com': ['93.184.215.14'], 'b.example.com': ['93.184.215.1'] });
  const find = finderAt(server.address);
  const names = ['a.example.com', 'a.example.com', 'b.example.com', 'a.example.com'];
  const found = await Promise.all(names.map((name) => find(name)));
  expect(found.flat()).toEqual(['93.184.215.14', '93.184.215.14', '93.184.215.1', '93.184.215.14']);
  server.names.set('a.example.com', ['93.184.215.15']);
  expect(await find('a.example.com')).toEqual(['93.184.215.14']);
  expect(server.asked.toSorted()).toEqual(['a.example.com', 'b.example.com']);
  const now = performance.now.bind(performance);
  const ahead = vi.spyOn(performance, 'now').mockImplementation(() => now() + 30_000);
  try {
    await expect.poll(() => find('a.example.com')).toEqual(['93.184.215.15']);
  } finally {
    ahead.mockRestore();
  }
});

test('a name that is not found is looked up anew', async () => {
  await using server = await startNameServer();
  const find = finderAt(server.address);
  await expect(find('new.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND', syscall: 'query' });
  server.names.set('new.example.com', ['93.184.215.14']);
  expect(await find('new.example.com')).toEqual(['93.184.215.14']);
});

test('a name whose server is silent delays no other name', async () => {
  await using server = await startNameServer({ 'slow.example.com': ['93.184.215.14'], 'next.example.com': [] });
  const isNextAsked = Promise.withResolvers<undefined>();
  server.delay = async (name) => (name === 'slow.example.com' ? isNextAsked.promise : isNextAsked.resolve(undefined));
  const find = finderAt(server.address);
  const slow = find('slow.example.com');
  await expect(find('next.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  expect(await slow).toEqual(['93.184.215.14']);
});

/** Of the thread, or of what ended it. */
const LOST = /ended before|Invalid IP address/;

test('a thread that ends fails its look-ups, and the next one has another', async () => {
  const find = finderAt('no address');
  await expect(Promise.all([find('a.example.com'), find('b.example.com')])).rejects.toThrow(LOST);
  await expect(find('a.example.com')).rejects.toThrow(LOST);
});
