import { describe, expect, test } from 'vitest';

import { listAudit } from '../../kernel/audit/index.ts';
import { startCollector } from '../../testing/collector.ts';
import { testService } from '../../testing/service.ts';

const ACCORD = '1HGCM82633A004352';
const PATH = `/api/vehicles/DecodeVinValues/${ACCORD}?format=json`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const basic = (credentials: string) => ({ authorization: `Basic ${Buffer.from(credentials).toString('base64')}` });

describe('a key of a client that cannot set x-api-key', () => {
  test('is read from Basic credentials and from the query, but on no other route', async () => {
    await using service = await testService({ PUBLIC_MONTHLY_LIMIT: '50' });
    const key = await service.keyFor('starter');
    const auth = async (url: string, headers: Record<string, string> = {}) => {
      const answer = await service.app.inject({ method: 'GET', url, headers });
      return [answer.statusCode, answer.headers['x-service-auth']];
    };
    for (const credentials of [`:${key}`, `anybody:${key}`, `${key}:`, key, `${key}:x`]) {
      expect(await auth(PATH, basic(credentials))).toEqual([200, 'subscriber']);
    }
    for (const name of ['api_key', 'API_KEY', 'Api_Key']) {
      expect(await auth(`${PATH}&${name}=${key}`)).toEqual([200, 'subscriber']);
    }
    const batch = await service.app.inject({
      method: 'POST',
      url: `/api/vehicles/DecodeVINValuesBatch/?format=json&api_key=${key}`,
      headers: FORM,
      payload: `data=${ACCORD}`,
    });
    expect([batch.statusCode, batch.headers['x-service-auth']]).toEqual([200, 'subscriber']);
    expect(await auth(PATH)).toEqual([200, 'public']);

    const decode = (url: string, headers: Record<string, string>) =>
      service.app.inject({ method: 'POST', url, headers, payload: { vin: ACCORD } });
    expect((await decode('/api/decode', basic(`:${key}`))).statusCode).toBe(401);
    expect((await decode(`/api/decode?api_key=${key}`, {})).headers['x-service-auth']).toBe('public');
  });

  test('is refused in the words of every key where it is wrong, and gives way to a header', async () => {
    await using service = await testService();
    const key = await service.keyFor('starter');
    const statusOf = async (url: string, headers: Record<string, string>) =>
      (await service.app.inject({ method: 'GET', url, headers })).statusCode;
    expect(await statusOf(`${PATH}&api_key=mq_live_x`, {})).toBe(401);
    expect(await statusOf(`${PATH}&api_key=`, {})).toBe(401);
    expect(await statusOf(`${PATH}&api_key=${key}`, { 'x-api-key': '' })).toBe(401);
    expect(await statusOf(PATH, basic('anybody:secret'))).toBe(401);
    expect(await statusOf(PATH, basic(':'))).toBe(401);
    expect(await statusOf(PATH, { authorization: 'Basic ???' })).toBe(401);
    expect(await statusOf(`${PATH}&api_key=${key}`, { 'x-api-key': 'mq_live_x' })).toBe(401);
    expect(await statusOf(`${PATH}&api_key=${key}`, { authorization: 'Bearer mq_live_x' })).toBe(401);
    expect(await service.charged()).toBe(0);
  });

  test('is in no log, trace, metric, audit entry or answer', async () => {
    await using collector = await startCollector();
    const service = await testService({
      LOG_LEVEL: 'trace',
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    const key = await service.keyFor('starter');
    const answers: string[] = [];
    for (const [url, headers] of [
      [`${PATH}&api_key=${key}`, {}],
      [PATH, basic(`anybody:${key}`)],
      [`${PATH}&api_key=${key}x`, {}],
      [`/api/vehicles/DecodeVinValues/${ACCORD}?api_key=${key}&format=yaml`, {}],
      [`/api/vehicles/GetAllMakes?format=json&api_key=${key}`, {}],
      [`/api/vehicles/GetNothing?api_key=${key}`, {}],
    ] as const) {
      const answer = await service.app.inject({ method: 'GET', url, headers });
      answers.push(JSON.stringify(answer.headers), answer.body);
    }
    const audit = JSON.stringify(await listAudit(service.database, {}));
    const metrics = (await service.metrics?.metrics()) ?? '';
    await service[Symbol.asyncDispose]();
    expect(collector.received.length).toBeGreaterThan(100);
    expect(metrics.length).toBeGreaterThan(100);
    const encoded = Buffer.from(`anybody:${key}`).toString('base64');
    for (const text of [service.logged(), collector.received, metrics, audit, ...answers]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(encoded);
    }
  });
});
