import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { restoreDatabase } from './database.ts';
import { backupDatabase } from './kernel/db/index.ts';
import { systemClock } from './kernel/clock.ts';
import { verifyUsage } from './metering/index.ts';
import { freshDatabase, type TestDatabase } from './testing/databases.ts';
import { runMarque } from './testing/run-marque.ts';
import { testService, type TestService } from './testing/service.ts';
import { TransactionPooler } from './testing/transaction-pooler.ts';
import { until } from './testing/until.ts';

const VIN = '1HGCM82633A004352';
const LIMIT = 60;

let fresh: TestDatabase;
let pooler: TransactionPooler;
let services: TestService[] = [];

beforeEach(async () => {
  fresh = await freshDatabase('postgres');
  pooler = await TransactionPooler.open(urlOf(fresh));
});

afterEach(async () => {
  for (const service of services.splice(0)) await service[Symbol.asyncDispose]();
  pooler.close();
  await fresh.remove();
});

function urlOf({ location: { databaseUrl = '' } }: TestDatabase): string {
  return databaseUrl;
}

async function startService(): Promise<TestService> {
  const service = await testService({ DATABASE_URL: pooler.url });
  services.push(service);
  return service;
}

async function decode({ app }: TestService, key: string): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url: '/api/decode', headers: { 'x-api-key': key }, payload: { vin: VIN } });
}

test('two instances behind a pooler in transaction mode charge exactly, and one is stopped and started under load', async () => {
  const [first, second] = [await startService(), await startService()];
  const key = await first.keyFor('business', { kind: 'fixed', limit: LIMIT });
  const load = Array.from({ length: LIMIT + 20 }, async (_, index) => decode(index % 2 === 0 ? first : second, key));
  const third = await startService();
  const seen = [...(await Promise.all(load)), await decode(third, key)];
  expect(seen.filter(({ statusCode }) => statusCode === 200)).toHaveLength(LIMIT);
  expect(seen.filter(({ statusCode }) => statusCode === 429)).toHaveLength(21);
  expect(await verifyUsage(first.database)).toMatchObject({ decodes: LIMIT, disagreements: [] });
});

test("a command's change reaches the other instance: a correction its decodes, a revoked key its refusals", async () => {
  const [first, second] = [await startService(), await startService()];
  const key = await first.keyFor('business');
  expect((await decode(second, key)).json()).toMatchObject({ report: { model: 'Accord' } });
  const claimed = { expectedManufacturer: 'Honda', expectedModel: 'Inspire', expectedBodyStyle: 'Sedan' };
  const payload = { vin: VIN, ...claimed, expectedModelYear: '2003', note: 'Seen in person.' };
  await first.app.inject({ method: 'POST', url: '/api/report-decode-issue', headers: { 'x-api-key': key }, payload });
  const [report]: { id: string }[] = JSON.parse(await marque('corrections', 'list', '--json'));
  await marque('corrections', 'accept', report?.id ?? '', '--anyway', '--reason', 'The brochure says so.');
  await until(async () => (await decode(second, key)).body.includes('"Inspire"'));
  const { id } = await first.database.kysely.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  await marque('key', 'revoke', id);
  await until(async () => (await decode(second, key)).statusCode === 401);
});

async function marque(...words: string[]): Promise<string> {
  const { status, out } = await runMarque(words, { DATABASE_URL: pooler.url });
  expect(status).toBe(0);
  return out;
}

test('a backup is written through the pooler', async () => {
  const service = await startService();
  expect((await decode(service, await service.keyFor('business'))).statusCode).toBe(200);
  const target = await freshDatabase('sqlite');
  const file = join(target.location.dataDir, 'backup.gz');
  await backupDatabase(service.database, file, systemClock());
  await restoreDatabase({ dataDir: join(target.location.dataDir, 'restored'), databaseUrl: undefined }, file);
  rmSync(target.location.dataDir, { recursive: true });
});
