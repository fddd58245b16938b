import { describe, expect, onTestFinished, test } from 'vitest';

import { ENGINES, freshDatabase } from '../testing/databases.ts';
import { testService } from '../testing/service.ts';
import { storeCatalog } from './catalog-history.ts';

const OLDER = {
  version: 'aaaaaaaaaaaa',
  date: '2026-01-31',
  counts: { wmis: 1, worldRows: 2 },
  sources: [{ id: 'astra', title: 'ASTRA', imported: '2026-01-30' }],
};

interface Catalog {
  version: string;
  counts: Record<string, number>;
  changes?: { isSame: boolean; since: string; counts: { name: string; before: number; after: number }[] };
}

describe.each(ENGINES)('GET /api/catalog on %s', (engine) => {
  test('lists the changes since an older catalog that the service has used', async () => {
    const database = await freshDatabase(engine);
    onTestFinished(() => database.remove());
    const { databaseUrl } = database.location;
    await using service = await testService(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl });
    await storeCatalog(service.database, OLDER, 0);
    const get = async (query: string) => service.app.inject(`/api/catalog${query}`);
    const now = (await get('')).json<Catalog>();
    expect(now).not.toHaveProperty('changes');
    const { changes } = (await get('?since=aaaaaaaaaaaa')).json<Catalog>();
    expect(changes).toMatchObject({
      since: 'aaaaaaaaaaaa',
      sinceDate: '2026-01-31',
      isSame: false,
      sources: { added: [expect.stringContaining('vPIC')], removed: ['astra: ASTRA, imported 2026-01-30'] },
    });
    expect(changes?.counts).toContainEqual({ name: 'wmis', before: 1, after: now.counts['wmis'] });
    const same = (await get(`?since=${now.version}`)).json<Catalog>();
    expect(same.changes).toMatchObject({ isSame: true, counts: [], sources: { added: [], removed: [] } });
  });
});

test('a request with an unknown catalog is answered with the known ones', async () => {
  await using service = await testService();
  const { version } = (await service.app.inject('/api/catalog')).json<Catalog>();
  const unknown = await service.app.inject('/api/catalog?since=bbbbbbbbbbbb');
  expect(unknown.statusCode).toBe(404);
  expect(unknown.json<{ error: string }>().error).toContain(`It knows ${version}.`);
  expect((await service.app.inject('/api/catalog?since=yesterday')).statusCode).toBe(400);
});

test('a decode names the catalog that /api/catalog describes', async () => {
  await using service = await testService();
  const { version } = (await service.app.inject('/api/catalog')).json<Catalog>();
  const payload = { vin: '1HGCM82633A004352' };
  const decoded = await service.app.inject({ method: 'POST', url: '/api/decode', payload });
  expect(decoded.headers['x-catalog-version']).toBe(version);
});
