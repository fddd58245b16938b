import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

describe('/openapi.json', () => {
  interface Described {
    openapi: string;
    paths: Record<string, Record<string, { responses: Record<string, { headers?: object; description: string }> }>>;
    components: { schemas: Record<string, { properties: object }> };
  }

  test('is OpenAPI 3.1 and describes every route, status and header of the decode', async () => {
    const description = (await service.app.inject('/openapi.json')).json<Described>();
    expect(description.openapi).toBe('3.1.0');
    expect(Object.keys(description.paths)).toEqual(
      expect.arrayContaining(['/api/decode', '/api/vin/{vin}', '/healthz', '/readyz']),
    );
    const responses = description.paths['/api/decode']?.['post']?.responses ?? {};
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '409', '413', '415', '422', '429', '500', '503']),
    );
    for (const status of ['200', '429']) {
      expect(Object.keys(responses[status]?.headers ?? {})).toEqual(
        expect.arrayContaining(['X-Service-Auth', 'X-Service-Client', 'X-RateLimit-Limit', 'X-RateLimit-Reset']),
      );
    }
    expect(Object.keys(description.components.schemas)).toEqual(
      expect.arrayContaining([
        'DecodeRequest',
        'DecodeResponse',
        'ErrorResponse',
        'RateLimitErrorResponse',
        'UsageInfo',
        'VehicleReport',
        'VinCheck',
      ]),
    );
  });

  test('every reference in it leads somewhere', async () => {
    const response = await service.app.inject('/openapi.json');
    const { components } = response.json<Described>();
    const references = [...response.body.matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(5);
    for (const reference of references) {
      expect(Object.keys(components.schemas)).toContain(reference.replace('#/components/schemas/', ''));
    }
  });
});
