import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { JSON_BOUNDS } from '../kernel/http/json-shape.ts';
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
        expect(text.match(/[[{]/g)?.length ?? 0).toBeLessThanOrEqual(JSON_BOUNDS.containers);
        expect(text.match(/:/g)?.length ?? 0).toBeLessThanOrEqual(JSON_BOUNDS.names);
      }
    }),
    { numRuns: 25, examples: [[`{"vins":[1],"x":[${filled('{},', LARGE)}1]}`, 'text/plain']] },
  );
});

test('a body with a fault in each of its values is answered with some of them', async () => {
  const payload = `{"vins":[${filled('1,', 100_000)}1]}`;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await service.app.inject({ method: 'POST', url: '/api/decode/batch', headers, payload });
  expect(answer.statusCode).toBe(400);
  expect(answer.body.length).toBeLessThan(10_000);
});
