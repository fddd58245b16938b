import { afterAll, beforeAll, expect, test } from 'vitest';

import { type TestService, testService } from '../../testing/service.ts';
import { callOf } from '../../site/reference/examples.ts';
import { endpointsByTag, type OpenApi } from '../../site/reference/openapi.ts';
import { ANSWERS } from './describe.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(() => service[Symbol.asyncDispose]());

test('each method has an example answer, whose fields and criteria a real answer has', async () => {
  await service.app.ready();
  const api: OpenApi = JSON.parse(JSON.stringify(service.app.swagger()));
  const vpic = endpointsByTag(api).find(({ tag }) => tag === 'vpic')?.endpoints ?? [];
  expect(new Set(vpic.map(({ operation }) => operation.operationId))).toEqual(new Set(Object.keys(ANSWERS)));
  for (const endpoint of vpic) {
    const { method, url, body } = callOf(api, endpoint, '');
    const real = await service.app.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      ...(body === undefined ? {} : { payload: body.text, headers: { 'content-type': body.type } }),
    });
    const { SearchCriteria, Results } = real.json<{
      SearchCriteria: string | null;
      Results: Record<string, unknown>[];
    }>();
    const example = ANSWERS[endpoint.operation.operationId ?? ''];
    expect({ url, criteria: SearchCriteria }).toEqual({ url, criteria: example?.SearchCriteria });
    for (const result of example?.Results ?? []) {
      expect(Object.keys(Results[0] ?? {})).toEqual(expect.arrayContaining(Object.keys(result)));
    }
  }
});
