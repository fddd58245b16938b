import { VIN_CHARACTERS } from '@marque/decoder';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { testService, type TestService } from '../testing/service.ts';
import { anyCharacter } from '../testing/any-character.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '1000000' });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const vinCharacter = fc.constantFrom(...VIN_CHARACTERS);
const vin = fc.string({ unit: vinCharacter, minLength: 17, maxLength: 17 });
const text = fc.oneof(
  vin,
  fc.string({ unit: anyCharacter, maxLength: 80 }),
  fc.string({ unit: vinCharacter, maxLength: 20 }),
);
const body = fc.oneof(
  fc.record({ vin: text }).map((value) => JSON.stringify(value)),
  fc.record({ vin: fc.jsonValue() }).map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string({ unit: anyCharacter, maxLength: 100 }),
  fc.constantFrom(
    '{"vin":"\\u0000"}',
    '{"__proto__":{"vin":"x"}}',
    '{"vin":{"toString":1}}',
    '[[[[[[[[[[',
    '{"vin":1e400}',
  ),
);
const type = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'nonsense',
);
const key = fc.oneof(
  fc.constant(undefined),
  fc.stringMatching(/^[!-~]{0,60}$/),
  fc.constant(`mq_live_${'a'.repeat(38)}`),
);

interface Answer {
  error?: unknown;
  report?: { vin?: string };
}

test('for any input, the answer is a report that was charged, or a refusal in one sentence that was not', async () => {
  let charged = 0;
  await fc.assert(
    fc.asyncProperty(body, type, key, async (payload, contentType, apiKey) => {
      const headers = { 'content-type': contentType, ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) };
      const response = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload });
      const { error, report }: Answer = response.json();
      const isReport = response.statusCode === 200;
      charged += isReport ? 1 : 0;
      expect([200, 400, 401, 415]).toContain(response.statusCode);
      expect(typeof error).toBe(isReport ? 'undefined' : 'string');
      expect(String(error).length).toBeLessThan(300);
      expect(report?.vin === undefined || /^[A-HJ-NPR-Z0-9]{17}$/.test(report.vin)).toBe(true);
      expect(await service.charged()).toBe(charged);
    }),
    // Chance alone would now and then make no VIN at all that comes as it should.
    { numRuns: 200, examples: [['{"vin":"1HGCM82633A004352"}', 'application/json', undefined]] },
  );
  expect(charged).toBeGreaterThan(0);
});
