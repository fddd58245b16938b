import { Readable } from 'node:stream';

import { type Fetch, Marque } from '@marque/client';
import { fetch as fetchOfUndici } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { badLineTo } from './bad-line.ts';
import { type RealService, startService } from './real-service.ts';

const VIN = '1HGCM82633A004352';
const LATER = '1HGCM82633A004353';

let service: RealService;
let apiKey: string;

beforeAll(async () => {
  service = await startService({});
  apiKey = await service.keyFor('acme', 1000);
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

/** A fetch as that of `node-fetch`: classes of its own, which take no `Request` of another, and a body of Node. */
const fetchOfNode: Fetch = async (url, init) => {
  const { ok, status, statusText, headers, body } = await fetch(new URL(url), init);
  return { ok, status, statusText, headers, body: body === null ? null : Readable.fromWeb(body) };
};

describe.each<[string, Fetch]>([
  ['undici', fetchOfUndici],
  ['a package whose bodies are of Node', fetchOfNode],
])('the fetch of %s', (_, fetch) => {
  test('decodes, retries with one Idempotency-Key, and is charged once', async () => {
    await using line = await badLineTo(service.url, ['answer lost', { status: 503, retryAfter: '0' }]);
    const marque = new Marque({ baseUrl: line.url, apiKey, fetch });
    const before = (await new Marque({ baseUrl: service.url, apiKey }).usage()).usage.remaining ?? 0;
    const { report, usage } = await marque.decode(VIN);
    expect(report.model).toBe('Accord');
    expect(usage.remaining).toBe(before - 1);
    expect(line.arrivals).toHaveLength(3);
    expect(new Set(line.idempotencyKeys).size).toBe(1);
  });

  test('streams the results of a job, which may be left early', async () => {
    const marque = new Marque({ baseUrl: service.url, apiKey, fetch });
    const { id } = await marque.createJob([VIN, LATER]);
    await marque.finishedJob(id);
    const vins: string[] = [];
    for await (const { vin } of marque.jobResults(id)) vins.push(vin);
    expect(vins).toEqual([VIN, LATER]);
    for await (const { vin } of marque.jobResults(id)) {
      expect(vin).toBe(VIN);
      break;
    }
  });

  test('refuses as the service does, and ends when the caller says so', async () => {
    const marque = new Marque({ baseUrl: service.url, apiKey, fetch });
    await expect(marque.decode('no VIN')).rejects.toMatchObject({ name: 'InvalidRequestError', status: 400 });
    await using line = await badLineTo(service.url, [{ status: 503, retryAfter: '20' }]);
    const stop = new AbortController();
    const call = new Marque({ baseUrl: line.url, apiKey, fetch }).decode(VIN, { signal: stop.signal });
    queueMicrotask(() => stop.abort(new Error('enough')));
    await expect(call).rejects.toThrow('enough');
  });
});
