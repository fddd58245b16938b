import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type TestService, testService } from '../../testing/service.ts';

let service: TestService;
let origin: string;
let key: string;

beforeAll(async () => {
  service = await testService();
  key = await service.keyFor('business');
  // On a machine that stalls, a client may need longer than a real one may.
  service.app.server.requestTimeout = 0;
  origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => service[Symbol.asyncDispose]());

/** Python's own client, which writes the whole body before it reads an answer. */
const PYTHON = `
import json, sys, urllib.error, urllib.request
url, key, media, size = sys.argv[1:]
body = b'vin\\n' + b'1HGCM82633A004352\\n' * (int(size) // 18)
request = urllib.request.Request(url, body, {'content-type': media, 'x-api-key': key})
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as refusal:
    answer = refusal
print(json.dumps([answer.status, answer.read().decode()]))
`;

type Send = (url: string, media: string, size: number) => Promise<[status: number, body: string]>;

const CLIENTS: readonly (readonly [name: string, send: Send])[] = [
  [
    'fetch of Node',
    async (url, media, size) => {
      const body = `vin\n${'1HGCM82633A004352\n'.repeat(Math.floor(size / 18))}`;
      const headers = { 'content-type': media, 'x-api-key': key };
      const answer = await fetch(url, { method: 'POST', body, headers });
      return [answer.status, await answer.text()];
    },
  ],
  [
    'urllib of Python',
    async (url, media, size) => {
      const words = ['-c', PYTHON, url, key, media, String(size)];
      return JSON.parse((await promisify(execFile)('python3', words)).stdout);
    },
  ],
];

describe.each(CLIENTS)('a client that is still sending gets its refusal: %s', (_, send) => {
  test.each([
    ['/api/jobs', 'text/csv', 12_000_000, 413],
    ['/api/jobs', 'text/csv', 19_000_000, 413],
    ['/api/jobs', 'multipart/form-data; boundary=x', 3_900_000, 415],
    ['/api/decode', 'application/json', 19_000_000, 413],
  ])('%s as %s with %i bytes: %i', async (path, media, size, status) => {
    const [answered, body] = await send(`${origin}${path}`, media, size);
    expect(answered).toBe(status);
    expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\.$/) });
  });
});
