import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { claimOn } from '../corrections/testing/corrections.ts';
import { LIST_BOUNDS } from '../files/json-table.ts';
import { decoder } from '../testing/decoder.ts';
import { type TestService, testService } from '../testing/service.ts';

/** Characters of a body of a job that are below its limit. */
const LARGE = 3_900_000;

const TYPES = ['application/json', 'text/csv', 'application/x-ndjson', 'text/plain', 'application/vnd.api+json'];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await testService();
  key = await service.keyFor('business');
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => service[Symbol.asyncDispose]());

/** Repeats a part until it is as long as this. */
const filled = (part: string, length: number): string => part.repeat(Math.floor(length / part.length));

/** Texts that take long to parse for their length. */
const bombs = (length: number) =>
  fc.oneof(
    fc.constantFrom('{},', '[],', '{"a":{}},', '[[]],', '{"a":[]},').map((part) => `[${filled(part, length)}1]`),
    fc.constantFrom('[', '{"a":', '[{"a":').map((part) => filled(part, length)),
    fc.nat({ max: 1_000 }).map((first) => {
      const names = Array.from({ length: Math.floor(length / 14) }, (_, index) => `"n${first + index}":1`);
      return `{${names.join(',')}}`;
    }),
  );

/** The same, dressed as a job's body. */
const bodies = bombs(LARGE).chain((bomb) =>
  fc.constantFrom(bomb, `{"vins":${bomb}}`, `{"vins":[1],"x":${bomb}}`, `"1HGCM82633A004352"\n${bomb}\n`),
);

test("no job's body with more parts than are cheap to parse is parsed, whatever its media type", async () => {
  const parse = vi.spyOn(JSON, 'parse');
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom(...TYPES), async (payload, type) => {
      parse.mockClear();
      const headers = { 'x-api-key': key, 'content-type': type };
      const { statusCode } = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
      // If CSV is meant, a text with lines is taken as a table; too many files at once are refused before.
      expect([202, 400, 429]).toContain(statusCode);
      for (const [parsed] of parse.mock.calls) {
        // A cell of a table is a string, whatever its text.
        const text = parsed.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
        expect(text.match(/[[{]/g)?.length ?? 0).toBeLessThanOrEqual(LIST_BOUNDS.containers);
        expect(text.match(/:/g)?.length ?? 0).toBeLessThanOrEqual(LIST_BOUNDS.names);
      }
    }),
    { numRuns: 25, examples: [[`{"vins":[1],"x":[${filled('{},', LARGE)}1]}`, 'text/plain']] },
  );
});

/** Sends a body to a route as a caller with a key. */
const send = (url: string, payload: string) =>
  service.app.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    payload,
  });

/** As many names as this, each with a number. */
const namesOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"n${index}":1`).join(',')}}`;

const message = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;

const initialize = (capabilities: string, client: string): string =>
  message('initialize', `{"protocolVersion":"1","capabilities":${capabilities},"clientInfo":{"name":"a",${client}}}`);

test.each([
  ['/api/decode', `{"vin":[${filled('1,', 5_000)}1]}`, '2,000 values'],
  ['/api/decode/batch', `{"vins":[${filled('1,', 130_000)}1]}`, '2,000 values'],
  ['/api/decode/candidates', `{"vin":"WVWZZZ1KZCW000001","hints":${namesOf(1_100)}}`, '1,000 names'],
  ['/api/report-decode-issue', `{"expectedFields":${namesOf(9_000)}}`, '1,000 names'],
  ['/mcp', initialize('{}', `"version":"1","icons":[${filled('1,', 64_000)}1]`), '500 values'],
  ['/mcp', initialize(`{"experimental":${namesOf(5_000)}}`, '"version":"1"'), '300 names'],
  ['/mcp', message('tools/call', `{"name":"decode_vins","arguments":{"vins":[${filled('"",', 64_000)}""]}}`), '500 v'],
  ['/mcp', message('tools/list', namesOf(5_000)), '300 names'],
])('a body for %s with more parts than are cheap to check is not parsed', async (url, payload, says) => {
  const parse = vi.spyOn(JSON, 'parse');
  const answer = await send(url, payload);
  expect(parse.mock.calls.map(([text]) => text)).not.toContain(payload);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toEqual({ error: expect.stringContaining(`The body has more than ${says}`) });
});

test.each([
  ['/api/decode/batch', `{"vins":[${filled('1,', 3_990)}1]}`, 'vins has more than 1,000 entries. vins.0 must be text.'],
  ['/api/report-decode-issue', `{"expectedFields":${namesOf(990).replaceAll(':1', ':true')}}`, 'vin is missing.'],
  ['/mcp', initialize('{}', `"icons":[${filled('1,', 980)}1]`), 'params.clientInfo.icons.0 must be an object.'],
  ['/mcp', initialize(`{"experimental":${namesOf(290)}}`, '"version":"1"'), 'experimental.n0: Invalid input.'],
])('a body for %s with a fault in each of its parts is answered with the first', async (url, payload, first) => {
  const answer = await send(url, payload);
  expect(answer.body).toContain(first);
  expect(answer.body.length).toBeLessThan(url === '/mcp' ? 500 : 5_000);
});

test('a hundred VINs, ten reports of wrong decodes, and the first message of a client are few parts', async () => {
  const vins = JSON.stringify({ vins: Array.from({ length: 100 }, () => 'no VIN') });
  const hundred = await send('/mcp', message('tools/call', `{"name":"decode_vins","arguments":${vins}}`));
  expect(hundred.json()).toMatchObject({
    result: { structuredContent: { results: Array.from({ length: 100 }, () => ({})) } },
  });
  const claim = {
    ...claimOn('1HGCM82633A004352'),
    expectedFields: { 'specs.fuelType': 'Diesel', 'specs.powerKw': 103 },
  };
  const params = { name: 'report_wrong_decode', arguments: claim };
  const calls = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  expect((await send('/mcp', JSON.stringify(calls))).json()).toHaveLength(10);
  const icon = { src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48', '96x96'], theme: 'dark' };
  const told = `"title":"A","version":"1","websiteUrl":"https://example.com","icons":${JSON.stringify(Array.from({ length: 10 }, () => icon))}`;
  const capabilities = '{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}';
  expect((await send('/mcp', initialize(capabilities, told))).json()).toMatchObject({ result: { serverInfo: {} } });
});

test('a report with the evidence for each field is few parts', async () => {
  const actualReport = decoder.explain('1HGCM82633A004352');
  const claim = { ...claimOn('1HGCM82633A004352'), actualReport };
  expect((await send('/api/report-decode-issue', JSON.stringify(claim))).json()).toMatchObject({ saved: true });
});
