import { ConnectionFailedError, type Fetch, InvalidRequestError, Marque } from '@marque/client';
import { describe, expect, test } from 'vitest';

import { badLineTo } from './bad-line.ts';

const VIN = '1HGCM82633A004352';

test('a redirect is refused: it would take the key to another server', async () => {
  await using other = await badLineTo('http://127.0.0.1:9', []);
  const baseUrl = 'http://moved.invalid';
  const fetch: Fetch = async (_url, init) => {
    if (init.redirect !== 'manual') return globalThis.fetch(`${other.url}/api/usage`, init);
    return new Response(null, { status: 307, headers: { location: `${other.url}/api/usage` } });
  };
  const refusal = await new Marque({ baseUrl, apiKey: 'secret', fetch }).usage().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InvalidRequestError);
  expect(refusal).toMatchObject({ status: 307, message: expect.stringContaining('Set baseUrl') });
  expect(other.arrivals).toEqual([]);
});

test('a server that answers in HTML is no service', async () => {
  const page = new Response('<p>Sign in', { headers: { 'content-type': 'text/html' } });
  const failure = await new Marque({ baseUrl: 'http://cafe.invalid', fetch: async () => page })
    .usage()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionFailedError);
  expect(failure).toMatchObject({ message: expect.stringContaining('http://cafe.invalid did not answer in JSON') });
});

test('a server that asks to come back at once is asked once a second', async () => {
  let asked = 0;
  const fetch = async (): Promise<Response> => {
    asked += 1;
    return Response.json({ status: 'enrichment_pending', retryAfterSeconds: -5 }, { status: 202 });
  };
  const marque = new Marque({ baseUrl: 'http://broken.invalid', fetch });
  await expect(marque.decode(VIN, { waitSeconds: 0.5 })).rejects.toMatchObject({ retryAfterSeconds: 1 });
  expect(asked).toBe(1);
});

test('a server that asks to come back in a month is not asked again at once', async () => {
  let asked = 0;
  const end = new AbortController();
  const fetch = async (): Promise<Response> => {
    asked += 1;
    // Long enough for a timer that ends at once.
    setTimeout(() => end.abort(new Error('enough')), 50);
    return Response.json({ status: 'enrichment_pending', retryAfterSeconds: 3_000_000 }, { status: 202 });
  };
  const marque = new Marque({ baseUrl: 'http://broken.invalid', fetch });
  await expect(marque.decode(VIN, { waitSeconds: 1e7, signal: end.signal })).rejects.toThrow('enough');
  expect(asked).toBe(1);
});

/** A body that is cut off after a text. */
const cut = (text: string): ReadableStream<Uint8Array> => {
  let sent = false;
  return new ReadableStream({
    pull: (controller) => {
      if (sent) controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(text));
      sent = true;
    },
  });
};

/** A body without an end; `given` counts its pieces. */
const endless = () => {
  const piece = new Uint8Array(1024 * 1024).fill(0x20);
  const given = { pieces: 0 };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    given.pieces += 1;
    controller.enqueue(piece);
  };
  return { given, body: new ReadableStream<Uint8Array>({ pull }) };
};

describe('an answer that the service cannot have sent is a failed connection, never another error:', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const answering = (
    body: string | ReadableStream<Uint8Array>,
    headers: Record<string, string> = json,
    status = 200,
  ): Marque =>
    new Marque({
      baseUrl: 'http://broken.invalid',
      retries: 0,
      fetch: async () => new Response(body, { headers, status }),
    });

  test.each([
    ['null', () => 'null'],
    ['a text', () => '"decoded"'],
    ['JSON that ends early', () => '{"report":'],
    ['JSON that is nested deeply', () => '['.repeat(1_000_000)],
    ['nothing', () => ''],
    ['an answer that is cut off', () => cut('{"report":')],
  ])('%s', async (_, body) => {
    await expect(answering(body()).decode(VIN)).rejects.toThrow(ConnectionFailedError);
    await expect(answering(body()).usage()).rejects.toThrow(ConnectionFailedError);
    await expect(answering(body()).decodeMany([VIN]).next()).rejects.toThrow(ConnectionFailedError);
  });

  test.each(['null', '[]', `[${'{"status":"decoded"},'.repeat(2)}{}]`])(
    'a batch of two VINs with results %s',
    async (results) => {
      const batch = answering(`{"results":${results}}`).decodeMany([VIN, VIN]);
      await expect(batch.next()).rejects.toThrow(ConnectionFailedError);
    },
  );

  test('a job without a status', async () => {
    await expect(answering('{}').finishedJob('j')).rejects.toThrow(ConnectionFailedError);
  });

  test('a refusal that is cut off', async () => {
    const refused = answering(cut('<h1>Bad'), { 'content-type': 'text/html' }, 400);
    await expect(refused.decode(VIN)).rejects.toThrow(ConnectionFailedError);
  });

  test.each(['application/json', 'text/json', 'application/x-ndjson', 'application/vnd.x+json'])(
    'an answer of %s without an end',
    async (type) => {
      const { given, body } = endless();
      await expect(answering(body, { 'content-type': type }).decode(VIN)).rejects.toThrow(ConnectionFailedError);
      expect(given.pieces).toBeLessThan(80);
    },
  );

  test.each([
    ['are cut off in a line', () => cut('{"vin":"a"}\n{"vin":')],
    ['end in a line', () => '{"vin":"a"}\n{"vin":'],
    ['are no objects', () => '{"vin":"a"}\nnull\n'],
  ])('results that %s, after those before', async (_, body) => {
    const results = answering(body(), { 'content-type': 'application/x-ndjson' }).jobResults('j');
    expect((await results.next()).value).toMatchObject({ vin: 'a' });
    await expect(results.next()).rejects.toThrow(ConnectionFailedError);
  });

  test('a result without an end', async () => {
    const { given, body } = endless();
    const results = answering(body, { 'content-type': 'application/x-ndjson' }).jobResults('j');
    await expect(results.next()).rejects.toThrow(ConnectionFailedError);
    expect(given.pieces).toBeLessThan(8);
  });
});

test.each([
  ['nests deeper', '['.repeat(1_001)],
  ['has more values', `[${'{},'.repeat(1_000_000)}`],
])('an answer that %s than any answer of the service is refused before it is parsed', async (_, body) => {
  for (const status of [200, 400]) {
    const headers = { 'content-type': 'application/json' };
    const fetch: Fetch = async () => new Response(body, { status, headers });
    const client = new Marque({ baseUrl: 'http://deep.invalid', fetch, retries: 0 });
    await expect(client.decode(VIN)).rejects.toThrow('more deeply nested');
  }
});
