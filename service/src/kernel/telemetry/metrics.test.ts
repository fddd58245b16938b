import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { readFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { signUp } from '../../people/testing/people.ts';
import { startReceiver } from '../../webhooks/testing/receiver.ts';
import { testService, type TestService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';
import { endpointAt, emitEvent, workspaceNamed } from '../../webhooks/testing/webhooks.ts';
import { serveMetrics } from './server.ts';

const ACCORD = '1HGCM82633A004352';

describe.each(ENGINES)('on %s', (engine) => {
  let database: TestDatabase;
  let service: TestService;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    const url = database.location.databaseUrl;
    service = await testService({
      METRICS_PORT: '0',
      PUBLIC_MONTHLY_LIMIT: '3',
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    });
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
    await database.remove();
  });

  const scrape = async (): Promise<string> => (await service.metrics?.metrics()) ?? '';

  test('every VIN is counted once by what became of it, whichever route it came by', async () => {
    const send = (url: string, payload: object) => service.app.inject({ method: 'POST', url, payload });
    await send('/api/decode', { vin: ACCORD });
    await send('/api/decode', { vin: 'x' });
    await send('/api/decode/batch', { vins: [ACCORD, ACCORD, ACCORD, 'x'] });
    await service.app.inject(`/api/vehicles/DecodeVin/${ACCORD}`);
    const text = await scrape();
    expect(text).toContain('marque_decodes_total{outcome="identified"} 3');
    expect(text).toContain('marque_decodes_total{outcome="limit_reached"} 2');
    expect(await service.charged()).toBe(3);
    expect(text).toMatch(/_count\{method="POST",route="\/api\/decode",status="400"\} 1/);
    expect(text).toMatch(/route="\/api\/vehicles\/DecodeVin\/:vin",status="429"/);
    expect(text).not.toContain(ACCORD);
  });

  test('a counter that differs from its ledger is seen', async () => {
    const headers = { 'x-api-key': await service.keyFor('business') };
    await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: ACCORD } });
    await service.database.kysely.updateTable('usage_counters').set({ used: 2 }).execute();
    const text = await scrape();
    expect(text).toContain('marque_ledger_mismatches 1');
    expect(text).toContain('marque_database_up 1');
    expect(text).toContain('marque_jobs_pending{queue="enrichment"} 0');
  });

  test('an event that is overdue is seen', async () => {
    const workspaceId = await workspaceNamed(service.database, 'acme');
    await endpointAt(service.database, workspaceId, 'https://example.com/hook');
    // The service's own worker leaves the endpoint alone: while it has the lease, nothing there is overdue.
    await service.database.kysely.updateTable('webhook_endpoints').set({ run_at: Number.MAX_SAFE_INTEGER }).execute();
    // Not so old that the removal of old events, which runs as the service starts, takes it.
    await emitEvent(service.database, workspaceId, 1, Date.now() - 3_600_000);
    const text = await scrape();
    expect(text).toContain('marque_jobs_pending{queue="webhooks"} 1');
    expect(text).toMatch(/marque_jobs_overdue_seconds\{queue="webhooks"\} 36\d\d/);
  });

  test('counters that agree with their ledger do not count as a mismatch', async () => {
    await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: ACCORD } });
    expect(await scrape()).toContain('marque_ledger_mismatches 0');
  });
});

test('a database that does not answer is reported, and the other figures still are', async () => {
  await using service = await testService({ METRICS_PORT: '0' });
  await service.database.kysely.schema.dropTable('enrichment_jobs').execute();
  const text = (await service.metrics?.metrics()) ?? '';
  expect(text).toContain('marque_database_up 0');
  expect(text).toContain('marque_ledger_mismatches Nan');
  expect(text).toContain('marque_charge_queue_decodes 0');
  expect(service.logged()).toContain('metrics not read from the database');
});

test('attempts to deliver events are counted by their outcome', async () => {
  await using service = await testService({ METRICS_PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'yes' });
  await using receiver = await startReceiver();
  const reader = await signUp(service, 'ada@example.com', 'ada-motors');
  const page = '/portal/ada-motors/webhooks';
  const { body } = await reader.submit(page, { url: receiver.url, event: 'report.decided' });
  const path = new RegExp(`${page}/[0-9a-f-]{36}`).exec(body)?.[0] ?? '';
  const text = async (): Promise<string> => (await service.metrics?.metrics()) ?? '';
  await reader.post(`${path}/test`);
  await until(async () => (await text()).includes('marque_jobs_total{queue="webhooks",outcome="completed"} 1'));
  receiver.treat((response) => void response.writeHead(500).end());
  await reader.post(`${path}/test`);
  await until(async () => (await text()).includes('marque_jobs_total{queue="webhooks",outcome="failed"} 1'));
  expect(await text()).toContain('marque_jobs_total{queue="webhooks",outcome="completed"} 1');
});

test('made-up requests add no series for each method', async () => {
  await using service = await testService({ METRICS_PORT: '0' });
  const origin = await service.app.listen({ port: 0 });
  for (const method of ['PROPFIND', 'M-SEARCH', 'LOCK'] as const) {
    await service.app.inject('/nowhere');
    await sent(origin, method);
  }
  const methods = new Set((await service.metrics?.metrics())?.match(/(?<=method=")[^"]+/g));
  expect(methods).toEqual(new Set(['POST', 'GET', 'other']));
});

test('metrics are served on a port of their own, and nothing else there', async () => {
  await using service = await testService({ METRICS_PORT: '0' });
  if (service.metrics === undefined) throw new Error('METRICS_PORT was set.');
  const server = await serveMetrics(service.metrics, '127.0.0.1', 0);
  try {
    const origin = `http://127.0.0.1:${server.port}`;
    const answer = await fetch(`${origin}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('marque_catalog_info{');
    expect((await fetch(`${origin}/api/usage`)).status).toBe(404);
    expect((await service.app.inject('/metrics')).statusCode).toBe(404);
  } finally {
    await server.close();
  }
});

test('without METRICS_PORT nothing is counted', async () => {
  await using service = await testService();
  expect(service.metrics).toBeUndefined();
});

test('the dashboard and the alerts name only metrics that there are', async () => {
  await using service = await testService({ METRICS_PORT: '0' });
  await service.app.inject('/healthz');
  const text = (await service.metrics?.metrics()) ?? '';
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  for (const file of ['alerts.yaml', 'dashboard.json']) {
    const content = readFileSync(new URL(`../../../../deploy/monitoring/${file}`, import.meta.url), 'utf8');
    // Both are YAML: JSON is part of it.
    expect(() => parse(content)).not.toThrow();
    const named = [...content.matchAll(/\b(?:marque|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);
    const missing = named.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')));
    expect(missing).toEqual([]);
  }
});

/** Sends a request of any method, and waits for its answer. */
async function sent(origin: string, method: string): Promise<void> {
  const answered = once(request(`${origin}/nowhere`, { method }).end(), 'response');
  const [answer]: IncomingMessage[] = await answered;
  answer?.resume();
  if (answer !== undefined) await once(answer, 'end');
}
