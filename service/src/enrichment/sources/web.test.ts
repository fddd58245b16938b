import type { ServerResponse } from 'node:http';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { ResolveName } from '../../kernel/egress/index.ts';
import { type Behavior, FIESTA, answers, type Provider, startProvider } from '../testing/provider.ts';
import type { Source } from '../source.ts';
import { vpicSource, type VpicOptions } from './vpic.ts';

const VIN = '3FADP4EJ5EM100000';
const rateLimit = { perMinute: 600, concurrent: 2 };

let provider: Provider;
let source: Source | undefined;

beforeEach(async () => {
  provider = await startProvider();
});

afterEach(async () => {
  await source?.close();
  await provider[Symbol.asyncDispose]();
});

async function ask(behavior: Behavior, more: Partial<VpicOptions> = {}, timeoutMs = 20_000) {
  provider.treat(behavior);
  source = vpicSource({ name: 'vpic', url: provider.url, rateLimit, privateAddresses: false, timeoutMs, ...more });
  return source.lookUp(VIN, AbortSignal.timeout(timeoutMs));
}

test('a normal answer is found, asked for as vPIC documents it', async () => {
  let path = '';
  const found = await ask((response, request) => {
    path = request.url ?? '';
    answers(FIESTA)(response, request);
  });
  expect(found).toMatchObject({ kind: 'found', answer: { make: 'FORD' } });
  expect(path).toBe(`/api/vehicles/DecodeVinValuesExtended/${VIN}?format=json`);
});

describe('a provider that', () => {
  const html = '<!DOCTYPE html><html><body>Service Unavailable</body></html>';
  test.each<[string, Behavior, object]>([
    [
      'is busy and says for how long',
      (response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
      { reason: 'busy', retryAfterMs: 7_000 },
    ],
    [
      'asks for a year of rest',
      (response) => void response.writeHead(503, { 'retry-after': '31536000' }).end(),
      { reason: 'server error', retryAfterMs: 3_600_000 },
    ],
    ['fails', (response) => void response.writeHead(500).end(html), { reason: 'server error' }],
    ['knows us not', (response) => void response.writeHead(403).end(html), { reason: 'refused' }],
    ['is not there', (response) => void response.writeHead(404).end(html), { reason: 'refused' }],
    ['resets the connection', (response) => response.socket?.resetAndDestroy(), { reason: 'connection broke' }],
    [
      'stops half way',
      (response) => {
        response.writeHead(200, { 'content-length': '500' }).write('{"Results":');
        setImmediate(() => response.socket?.end());
      },
      { reason: 'connection broke' },
    ],
    ['answers HTML with 200', (response) => void response.end(html), { reason: 'not JSON' }],
    [
      'redirects to another host',
      (response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
      { reason: 'redirected' },
    ],
    ['answers for another VIN', answers(FIESTA, '3FADP4EJ5EM100001'), { reason: 'another VIN' }],
  ])('%s', async (_, behavior, failed) => {
    expect(await ask(behavior)).toEqual({ kind: 'failed', ...failed });
    expect(provider.asked).toEqual([VIN]);
  });

  test('answers 50 MiB is cut off after one', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(65_536, ' ');
    const result = await ask((response) => {
      const send = (): void => {
        while (sent < 50 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', send);
        }
        response.end();
      };
      send();
    });
    expect(result).toEqual({ kind: 'failed', reason: 'too large' });
    expect(sent).toBeLessThan(25 * 1024 * 1024);
  });

  test('never answers is left when its time is up', async () => {
    expect(await ask(() => {}, {}, 100)).toEqual({ kind: 'failed', reason: 'too slow' });
  });

  test('drips its answer is left when its time is up', async () => {
    expect(await ask(drip, {}, 200)).toEqual({ kind: 'failed', reason: 'too slow' });
  });
});

function drip(response: ServerResponse): void {
  response.write('{');
  const drops = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(drops));
}

/** Returns a provider known by a name that leads to these addresses. */
function named(...addresses: string[]): Partial<VpicOptions> {
  const resolve: ResolveName = (_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  return { url: provider.url.replace('127.0.0.1', 'vpic.example'), resolve };
}

describe('a name that leads to', () => {
  test('this machine is not followed', async () => {
    expect(await ask(answers(FIESTA), named('127.0.0.1'))).toEqual({ kind: 'failed', reason: 'address not allowed' });
    expect(provider.asked).toEqual([]);
  });

  test('a public address and a private one is not followed', async () => {
    const result = await ask(answers(FIESTA), named('8.8.8.8', '10.0.0.1'));
    expect(result).toEqual({ kind: 'failed', reason: 'address not allowed' });
  });

  test('more than 64 addresses is not followed', async () => {
    const many = Array.from({ length: 65 }, (_, number) => `93.184.215.${number}`);
    expect(await ask(answers(FIESTA), named(...many))).toEqual({ kind: 'failed', reason: 'too many addresses' });
  });

  test('this machine is followed where the configuration allows it', async () => {
    const result = await ask(answers(FIESTA), { ...named('127.0.0.1'), privateAddresses: true });
    expect(result).toMatchObject({ kind: 'found' });
  });
});
