import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Database } from '../../kernel/db/index.ts';
import { ENGINES, freshDatabase, type TestDatabase } from '../../testing/databases.ts';
import { bareReport, enrichmentOn } from '../testing/enrichment.ts';
import { answers, FIESTA, type Provider, startProvider } from '../testing/provider.ts';
import { until } from '../../testing/until.ts';
import { unknownVin } from '../../testing/vins.ts';
import { endpointAt, workspaceNamed } from '../../webhooks/testing/webhooks.ts';
import { DEFAULT_BOUNDS } from '../bounds.ts';
import type { Enrichment } from '../enrichment.ts';
import { endOverdue } from './ask.ts';
import { waitFor } from './pending.ts';

const VIN = unknownVin(1);

function notification(to: string, outcome: string) {
  return { to, type: 'enrichment.finished', vin: VIN, data: JSON.stringify({ vin: VIN, outcome }) };
}

describe.each(ENGINES)('on %s', (engine) => {
  let provider: Provider;
  let data: TestDatabase;
  let database: Database;
  let enrichment: Enrichment;
  let ada: string;
  let bob: string;

  beforeEach(async () => {
    provider = await startProvider();
    data = await freshDatabase(engine);
    database = await data.open();
    enrichment = enrichmentOn(database, { url: provider.url });
    ada = await workspaceNamed(database, 'ada');
    bob = await workspaceNamed(database, 'bob');
    await endpointAt(database, ada, 'https://ada.example.com/hook');
    await endpointAt(database, bob, 'https://bob.example.com/hook');
  });

  afterEach(async () => {
    await enrichment.close();
    await provider[Symbol.asyncDispose]();
    await data.remove();
  });

  const ask = (subject: string, vin = VIN) =>
    enrichment.complete(bareReport(vin), {
      subject,
      isPublic: subject.startsWith('public:'),
      usage: { limit: null, remaining: null, resetAtMs: 0 },
    });

  async function notifications() {
    const rows = await database.kysely
      .selectFrom('webhook_deliveries')
      .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'endpoint_id')
      .select(['workspace_id', 'type', 'vin', 'data'])
      .execute();
    return rows
      .map(({ workspace_id: id, type, vin, data }) => ({ to: id === ada ? 'ada' : 'bob', type, vin, data }))
      .toSorted((a, b) => a.to.localeCompare(b.to));
  }

  const jobs = () => database.kysely.selectFrom('enrichment_jobs').selectAll().execute();

  test('every workspace that waits for a VIN is notified once when it is found, however often it asked', async () => {
    provider.treat(answers(FIESTA));
    for (const subject of [`workspace:${ada}`, `workspace:${bob}`, `workspace:${ada}`, 'public:x']) {
      expect((await ask(subject)).kind).toBe('pending');
    }
    enrichment.start();
    await until(async () => (await jobs()).length === 0);
    expect(await notifications()).toEqual([notification('ada', 'found'), notification('bob', 'found')]);
    expect((await ask(`workspace:${ada}`)).kind).toBe('settled');
    expect(await notifications()).toHaveLength(2);
    expect(await database.kysely.selectFrom('enrichment_pending').selectAll().execute()).toEqual([]);
  });

  test('a workspace is notified when no source knows its VIN, or none answers in time', async () => {
    await ask(`workspace:${ada}`);
    enrichment.start();
    await until(async () => (await jobs()).length === 0);
    expect(await notifications()).toEqual([notification('ada', 'nothing')]);
    await enrichment.close();

    enrichment = enrichmentOn(database, { url: provider.url });
    const late = unknownVin(2);
    await ask(`workspace:${bob}`, late);
    await endOverdue(database, Date.now() + DEFAULT_BOUNDS.deadlineMs + 1, DEFAULT_BOUNDS);
    expect((await notifications())[1]).toMatchObject({ to: 'bob', vin: late });
  });

  test('no one waits for a VIN that has its result', async () => {
    expect(await waitFor(database, VIN, ada)).toBe(false);
  });

  test('a caller who comes while the result is stored is notified, or finds it', async () => {
    provider.treat(answers(FIESTA));
    enrichment.start();
    const vins = Array.from({ length: 40 }, (_, serial) => unknownVin(serial));
    const kinds = await Promise.all(
      vins.map(async (vin) => {
        await ask(`workspace:${ada}`, vin);
        let pending = 0;
        // Asks again until there is a result: from the first "pending" on it must be notified.
        for (;;) {
          if ((await ask(`workspace:${bob}`, vin)).kind === 'settled') return pending;
          pending += 1;
          await nextTurn();
        }
      }),
    );
    const bobs = (await notifications()).filter(({ to }) => to === 'bob');
    expect(new Set(bobs.map(({ vin }) => vin))).toEqual(new Set(vins.filter((_, index) => kinds[index] !== 0)));
    expect(new Set(bobs.map(({ vin }) => vin)).size).toBe(bobs.length);
    expect((await notifications()).filter(({ to }) => to === 'ada')).toHaveLength(40);
  });
});
