import type { Decoder } from '@marque/decoder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type Collector, type ReceivedSpan, startCollector } from '../../testing/collector.ts';
import { talkativeDecoder } from '../../testing/decoder.ts';
import { testService, type TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { unknownVin } from '../../testing/vins.ts';
import { openProvider } from './provider.ts';

const VIN = '1HGCM82633A004352';
const UNKNOWN = 'ZZZZZZZZZZZ123456';
const SERVER = 2;
const CLIENT = 3;

let collector: Collector;
let service: TestService | undefined;

beforeEach(async () => {
  collector = await startCollector();
});

afterEach(async () => {
  await stop();
  await collector[Symbol.asyncDispose]();
});

async function start(env: NodeJS.ProcessEnv = {}, decodeWith?: Decoder): Promise<TestService> {
  service = await testService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env }, decodeWith);
  return service;
}

/** Ends the service, which sends the remaining spans. */
async function stop(): Promise<void> {
  await service?.[Symbol.asyncDispose]();
  service = undefined;
}

const decode = ({ app }: TestService, vin = VIN, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin } });

/** Spans as `name < name of the parent`, in alphabetical order. */
function tree(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans.map(({ name, parentSpanId }) => `${name} < ${names.get(parentSpanId) ?? 'outside'}`).toSorted();
}

const DECODE_TREE = [
  'POST /api/decode < outside',
  'access < POST /api/decode',
  'decode < POST /api/decode',
  'report < POST /api/decode',
  'usage.charge < POST /api/decode',
  'usage.commit < usage.charge',
  'usage.wait < usage.charge',
];

describe('a traced request', () => {
  test('is a tree of who asks, the decode, the charge with its wait, and the report', async () => {
    const running = await start({ OTEL_SERVICE_NAME: 'vins' });
    const key = await running.keyFor('business');
    expect((await decode(running, VIN, { 'x-api-key': key })).statusCode).toBe(200);
    // Probes leave no trace.
    for (const url of ['/healthz', '/readyz']) expect((await running.app.inject({ url })).statusCode).toBe(200);
    await stop();
    expect(tree(collector.spans)).toEqual(DECODE_TREE);
    expect(collector.received).toContain('"key":"service.version","value":{"stringValue":"0.1.0"}');
    const of = (name: string) => collector.spans.find((span) => span.name === name);
    expect(of('POST /api/decode')).toMatchObject({
      kind: SERVER,
      parentSpanId: '',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/decode',
        'http.response.status_code': 200,
        'marque.plan': 'business',
        'marque.decodes': 1,
      },
    });
    expect(of('decode')?.attributes).toEqual({ 'marque.wmi': '1HG' });
    expect(of('usage.charge')?.attributes).toMatchObject({
      'marque.charge.outcome': 'granted',
      'marque.charge.decodes': 1,
    });
    expect(collector.received).toContain('"stringValue":"vins"');
  });

  test('belongs to the span that its caller names, whether the caller samples it or not', async () => {
    const running = await start();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    for (const flags of ['00', '01']) {
      await decode(running, VIN, { traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` });
    }
    await decode(running, VIN, { traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01' });
    await stop();
    const servers = collector.spans.filter(({ kind }) => kind === SERVER);
    expect(servers.map((span) => [span.traceId, span.parentSpanId])).toEqual([
      [traceId, '00f067aa0ba902b7'],
      [traceId, '00f067aa0ba902b7'],
      [expect.not.stringMatching(/^0+$/), ''],
    ]);
  });

  test('is chosen by the service alone: none at a share of 0, though its caller wants it', async () => {
    const running = await start({ OTEL_TRACES_SAMPLER_ARG: '0' });
    await decode(running, VIN, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
    await stop();
    expect(collector.requests).toBe(0);
  });

  test('is named in the log', async () => {
    const running = await start();
    const answer = await decode(running, VIN, { 'x-api-key': 'mq_live_none' });
    expect(answer.statusCode).toBe(401);
    const lines = running
      .logged()
      .trimEnd()
      .split('\n')
      .map((line): Record<string, string> => JSON.parse(line));
    await stop();
    const span = collector.spans.find(({ kind }) => kind === SERVER);
    for (const message of ['key refused', 'answered']) {
      expect(lines.find(({ msg }) => msg === message)).toMatchObject({
        trace_id: span?.traceId,
        span_id: expect.any(String),
      });
    }
  });

  test('that fails is marked, and one that is refused is not', async () => {
    const broken: Decoder = {
      ...talkativeDecoder,
      shared() {
        throw new Error('broken');
      },
    };
    const running = await start({}, broken);
    await decode(running, 'no VIN');
    expect((await decode(running)).statusCode).toBe(500);
    await stop();
    const servers = collector.spans.filter(({ kind }) => kind === SERVER);
    expect(servers.map(({ isError, attributes }) => [isError, attributes['http.response.status_code']])).toEqual([
      [false, 400],
      [true, 500],
    ]);
    expect(collector.received).not.toContain('broken');
  });

  test('of a thousand VINs has spans for some, and the total number', async () => {
    const running = await start();
    const key = await running.keyFor('enterprise');
    const vins = Array.from({ length: 1_000 }, (_, index) => `1HGCM82633A${String(index).padStart(6, '0')}`);
    const url = '/api/decode/batch';
    await running.app.inject({ method: 'POST', url, headers: { 'x-api-key': key }, payload: { vins } });
    await stop();
    const server = collector.spans.find(({ kind }) => kind === SERVER);
    expect(server?.attributes['marque.decodes']).toBe(1_000);
    expect(collector.spans.filter(({ name }) => name === 'decode')).toHaveLength(16);
    const charge = collector.spans.find(({ name }) => name === 'usage.charge');
    expect(charge?.attributes).toMatchObject({ 'marque.charge.decodes': 1_000, 'marque.charge.granted': 1_000 });
  });

  test('over a socket is the same tree', async () => {
    const running = await start();
    const origin = await running.app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api/decode`, { method: 'POST', headers, body: JSON.stringify({ vin: VIN }) });
    expect(answer.status).toBe(200);
    await answer.text();
    await stop();
    expect(tree(collector.spans)).toEqual(DECODE_TREE);
  });
});

test('a look-up outside is a trace of its own', async () => {
  const running = await start({ ENRICHMENT_VPIC_URL: `${collector.url}/api` });
  const vin = unknownVin(1);
  expect((await decode(running, vin)).statusCode).toBe(202);
  await until(async () => running.logged().includes('enrichment look-up failed'));
  await stop();
  const look = collector.spans.find(({ name }) => name === 'enrichment.lookup');
  expect(look).toMatchObject({
    kind: CLIENT,
    parentSpanId: '',
    isError: true,
    attributes: { 'marque.source': 'vpic', 'marque.wmi': vin.slice(0, 3), 'marque.lookup.outcome': 'server error' },
  });
});

test('spans contain no key, no address and no more of a VIN than its maker', async () => {
  const running = await start({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20c2VjcmV0' });
  const key = await running.keyFor('business');
  const headers = { 'x-api-key': key, 'user-agent': 'secret agent', 'x-forwarded-for': '203.0.113.9' };
  for (const vin of [VIN, UNKNOWN, `${VIN} `, 'broken VIN']) await decode(running, vin, headers);
  for (const url of [
    `/api/vin/${VIN}`,
    `/api/vehicles/DecodeVin/${VIN}?format=json&modelyear=2003`,
    `/nothing/${VIN}?key=${key}`,
    `/?vin=${VIN}`,
  ]) {
    await running.app.inject({ method: 'GET', url, headers });
  }
  await stop();
  expect(collector.headers.authorization).toBe('Basic c2VjcmV0');
  expect(collector.spans.filter(({ kind }) => kind === SERVER)).toHaveLength(8);
  for (const secret of [
    key,
    'mq_live',
    VIN.slice(0, 6),
    UNKNOWN.slice(0, 6),
    '203.0.113',
    '127.0.0.1',
    'agent',
    'broken',
  ]) {
    expect(collector.received).not.toContain(secret);
  }
});

describe('a collector that is away', () => {
  test('does no harm: requests are answered, and the service stops', async () => {
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    for (let count = 0; count < 20; count++) expect((await decode(running)).statusCode).toBe(200);
    const logged = () => running.logged();
    await stop();
    expect(logged()).toMatch(/"level":"warn".*traces not delivered/);
  });

  test('or hangs is not waited for', async () => {
    collector.hangs = true;
    const running = await start();
    for (let count = 0; count < 20; count++) expect((await decode(running)).statusCode).toBe(200);
    await stop();
    expect(collector.spans.length).toBeGreaterThan(0);
  });

  test('gets no more than a bound of the spans that waited for it', async () => {
    const config = { endpoint: collector.url, headers: {}, serviceName: 'marque', ratio: 1 };
    const provider = openProvider(config, { warn: () => undefined });
    // In one turn of the event loop nothing can be sent meanwhile.
    for (let count = 0; count < 20_000; count++) provider.tracer.startSpan('one').end();
    await provider.close();
    expect(collector.spans.length).toBeGreaterThan(0);
    expect(collector.spans.length).toBeLessThan(10_000);
  });
});

test('without a collector nothing is traced, and the log does not mention traces', async () => {
  const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  await decode(running);
  expect(running.logged()).not.toContain('trace_id');
  await stop();
  expect(collector.requests).toBe(0);
});
