import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { CatalogFormatError } from './catalog/container.ts';
import { CatalogUnreachableError, fetchCatalog } from './fetch.ts';
import { openCatalog } from './open.ts';

const plain = readFileSync(new URL('../../catalog/build/marque.catalog', import.meta.url));
const compressed = gzipSync(plain, { level: 1 });
const changed = Uint8Array.from(plain);
const middle = Math.floor(plain.length / 2);
changed[middle] = (plain[middle] ?? 0) ^ 1;
const answers: Readonly<Record<string, { body: Uint8Array; encoding?: string }>> = {
  '/plain': { body: plain },
  '/compressed': { body: compressed },
  '/compressed-on-the-way': { body: compressed, encoding: 'gzip' },
  '/changed': { body: changed },
  '/changed-compressed': { body: gzipSync(changed, { level: 1 }) },
  '/cut': { body: compressed.subarray(0, compressed.length / 2) },
  '/page': { body: new TextEncoder().encode('<!doctype html>') },
};

const server = createServer((request, response) => {
  // A connection that stayed open would be closed just when the next request is sent, where decoding has taken seconds.
  response.setHeader('connection', 'close');
  const answer = answers[request.url ?? ''];
  if (answer === undefined) return response.writeHead(404).end();
  if (answer.encoding !== undefined) response.setHeader('content-encoding', answer.encoding);
  return response.end(answer.body);
});

let origin = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') origin = `http://127.0.0.1:${address.port}`;
});

afterAll(() => void server.close());

test.each(['/plain', '/compressed', '/compressed-on-the-way'])('a catalog is fetched: %s', async (path) => {
  const decoder = await fetchCatalog(`${origin}${path}`);
  expect(decoder.decode('1HGCM82633A004352').model).toBe('Accord');
});

test('no catalog, half of one, and a missing one each get their own error', async () => {
  await expect(fetchCatalog(`${origin}/page`)).rejects.toThrow(CatalogFormatError);
  await expect(fetchCatalog(`${origin}/cut`)).rejects.toThrow(CatalogFormatError);
  await expect(fetchCatalog(`${origin}/nothing`)).rejects.toThrow(CatalogUnreachableError);
});

test('compressed bytes open like plain ones', () => {
  expect(openCatalog(compressed).info.hash).toBe(openCatalog(plain).info.hash);
  expect(() => openCatalog(compressed.subarray(0, 100))).toThrow(CatalogFormatError);
});

test.each(['/changed', '/changed-compressed'])('a catalog with a changed byte is refused: %s', async (path) => {
  const refused = await fetchCatalog(`${origin}${path}`).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CatalogFormatError);
  expect(String(refused)).toContain('were changed');
});

test.each(['null', '{}', '{"sections":', '[]'])('a catalog with a damaged header is refused: %s', (header) => {
  const damaged = Uint8Array.from(plain);
  const length = new DataView(damaged.buffer).getUint32(8, true);
  damaged.set(new TextEncoder().encode(header.padEnd(length)), 12);
  expect(() => openCatalog(damaged, { verify: false })).toThrow(CatalogFormatError);
});
