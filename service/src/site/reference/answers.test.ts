import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type TestService, testService } from '../../testing/service.ts';
import { callOf } from './examples.ts';
import { type Endpoint, endpointsByTag, type OpenApi } from './openapi.ts';
import { sectionsOf } from './sections.ts';

let service: TestService;
let api: OpenApi;
let key: string;

beforeAll(async () => {
  service = await testService({ PUBLIC_MONTHLY_LIMIT: '50' });
  await service.app.ready();
  api = JSON.parse(JSON.stringify(service.app.swagger()));
  key = await service.keyFor('business');
});

afterAll(() => service[Symbol.asyncDispose]());

/** Returns the answers that the reference prints for an operation, by whose they are. */
async function printed({ anchor }: Endpoint): Promise<Map<string, unknown>> {
  const section = sectionsOf(api).find(({ endpoints }) => endpoints.some((known) => known.anchor === anchor));
  const { body } = await service.app.inject(section?.path ?? '');
  const own =
    body.slice(body.indexOf(`<div id="${anchor}" class="stack"`)).split('<details class="operation"')[0] ?? '';
  const answers = own.matchAll(
    /aria-label="Answer of [^":]+(?::([^"]*))?"[^>]*>(?:<code[^>]*>)?(.*?)<\/(?:code|pre)>/gs,
  );
  return new Map([...answers].map(([, whose = '', json = '']) => [whose.trim(), JSON.parse(textOf(json)) as unknown]));
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

async function answered(endpoint: Endpoint, headers: Record<string, string>): Promise<unknown> {
  const { method, url, body } = callOf(api, endpoint, '');
  const type = body === undefined ? {} : { 'content-type': body.type };
  const response = await service.app.inject({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers: { ...headers, ...type },
    ...(body === undefined ? {} : { payload: body.text }),
  });
  expect(response.statusCode).toBeLessThan(300);
  return response.json();
}

/** Returns an answer without what differs each time: ids, moments, and how much is left of the month. */
function lasting(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')
      .replaceAll(/"remaining":\d+/g, '"remaining":0'),
  );
}

const endpointOf = (operation: string): Endpoint => {
  const found = endpointsByTag(api)
    .flatMap(({ endpoints }) => endpoints)
    .find(({ method, path }) => `${method} ${path}` === operation);
  if (found === undefined) throw new Error(`There is no ${operation}.`);
  return found;
};

describe('the reference prints what the service answers', () => {
  test.each(['POST /api/decode', 'POST /api/decode/batch', 'POST /api/report-decode-issue'])(
    'to %s, without a key and with a plan',
    async (operation) => {
      const endpoint = endpointOf(operation);
      const answers = await printed(endpoint);
      expect([...answers.keys()]).toEqual(['without a key', 'with a plan']);
      expect(lasting(answers.get('without a key'))).toEqual(lasting(await answered(endpoint, {})));
      expect(lasting(answers.get('with a plan'))).toEqual(lasting(await answered(endpoint, { 'x-api-key': key })));
    },
  );

  test.each([
    'POST /api/decode/candidates',
    'POST /api/jobs',
    'GET /api/vin/{vin}',
    'GET /api/catalog',
    'GET /healthz',
    'GET /readyz',
  ])('to %s', async (operation) => {
    const endpoint = endpointOf(operation);
    const [answer] = (await printed(endpoint)).values();
    expect(lasting(answer)).toEqual(lasting(await answered(endpoint, { 'x-api-key': key })));
  });

  test.each(['GET /api/usage', 'GET /api/reports'])('to %s, in its form', async (operation) => {
    const endpoint = endpointOf(operation);
    await answered(endpointOf('POST /api/report-decode-issue'), { 'x-api-key': key });
    const [answer] = (await printed(endpoint)).values();
    expect(formOf(answer)).toEqual(formOf(await answered(endpoint, { 'x-api-key': key })));
  });
});

/** Returns the fields of an answer, with the kinds of their values. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, within]) => [name, formOf(within)]));
}
