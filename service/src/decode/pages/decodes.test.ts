import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { DAY_MS, systemClock } from '../../kernel/clock.ts';
import { newUuid7 } from '../../kernel/db/uuid7.ts';
import { dayOf } from '../../kernel/db/month.ts';
import { signUp } from '../../people/testing/people.ts';
import { ENGINES } from '../../testing/databases.ts';
import type { Reader } from '../../testing/reader.ts';
import { serviceOn, type TestService } from '../../testing/service.ts';
import { createKey, findWorkspace, setPlan, systemRandom } from '../../workspaces/index.ts';

const LIST = '/portal/ada-motors/decodes';
/** Noon, so that a day back is a day back in UTC. */
const NOON = dayOf(Date.now()) + DAY_MS / 2;

/** Rows of which one search reads the texts. */
const MOST_READ = 1_000;

const CARS = [
  { vin: '1HGCM82633A004352', manufacturer: 'Honda', model: 'Accord', modelYear: '2003' },
  { vin: 'WVWZZZ1KZAW000001', manufacturer: 'Volkswagen', model: 'Golf', modelYear: '2010' },
  { vin: 'WVWZZZ3CZHE000002', manufacturer: 'Volkswagen', model: 'Passat', modelYear: '2017' },
];
const OUTCOMES = ['identified', 'partial', 'segments'];

const day = (ago: number) => new Date(NOON - ago * DAY_MS).toISOString().slice(0, 10);

describe.each(ENGINES)('on %s', (engine) => {
  let service: TestService;
  let owner: Reader;
  let keyId: string;
  let subject: string;

  beforeEach(async () => {
    // Decodes are stored a day apart, for years: retention, which runs soon after the start, must leave them.
    service = await serviceOn(engine, { DECODE_LOG_RETENTION_DAYS: '36500' });
    owner = await signUp(service, 'ada@example.com', 'ada-motors');
    const { database } = service;
    const workspaceId = (await findWorkspace(database, 'ada-motors'))?.id ?? '';
    subject = `workspace:${workspaceId}`;
    const deps = { database, clock: systemClock, random: systemRandom };
    await setPlan(deps, 'ada-motors', { plan: 'business' }, 'cli:test');
    keyId = (await createKey(deps, { workspaceId, name: '=website' }, 'cli:test')).id;
  });

  afterEach(async () => {
    await service[Symbol.asyncDispose]();
  });

  /** Stores decodes, a day apart: every second one was made with the key, the others in the portal. */
  async function store(many: number): Promise<{ id: string; vin: string }[]> {
    const rows = Array.from({ length: many }, (_, place) => {
      const car = CARS[place % CARS.length] ?? { vin: '' };
      const atMs = NOON - place * DAY_MS;
      return {
        id: newUuid7(atMs),
        subject,
        key_id: place % 2 === 0 ? keyId : null,
        vin: car.vin,
        outcome: OUTCOMES[place % OUTCOMES.length] ?? '',
        report: JSON.stringify({ validFormat: true, ...car, specs: { powerKw: 77 } }),
        charged: 1,
        created_at: atMs,
      };
    });
    for (let from = 0; from < rows.length; from += 500) {
      await service.database.kysely
        .insertInto('decodes')
        .values(rows.slice(from, from + 500))
        .execute();
    }
    return rows;
  }

  /** Returns the places of the decodes that the list shows. */
  async function shown(rows: readonly { id: string }[], query: string): Promise<number[]> {
    const { body } = await owner.get(`${LIST}?${query}`);
    return rows.flatMap(({ id }, place) => (body.includes(`${LIST}/${id}"`) ? [place] : []));
  }

  test('the list is narrowed by day, key, make and outcome, and finds a VIN or an id', async () => {
    const rows = await store(6);
    expect(await shown(rows, 'search=&make=&key=')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await shown(rows, `key=${keyId}`)).toEqual([0, 2, 4]);
    expect(await shown(rows, 'key=portal')).toEqual([1, 3, 5]);
    expect(await shown(rows, 'make=volks')).toEqual([1, 2, 4, 5]);
    expect(await shown(rows, 'outcome=partial')).toEqual([1, 4]);
    expect(await shown(rows, `from=${day(3)}&until=${day(2)}`)).toEqual([2, 3]);
    expect(await shown(rows, `make=volks&key=portal&until=${day(2)}`)).toEqual([5]);
    expect(await shown(rows, `search=${rows[3]?.id.toUpperCase()}`)).toEqual([3]);
    expect(await shown(rows, 'search=wvwzzz1kzaw000001')).toEqual([1, 4]);
    expect(await shown(rows, 'search=passat+2017')).toEqual([2, 5]);
    expect((await owner.get(`${LIST}?search=nothing`)).body).toContain('No decode matches.');
  });

  test('all that match are downloaded as CSV, cut to the plan, and no cell runs as a formula', async () => {
    await store(1_203);
    const csv = await owner.get(`${LIST}.csv?key=${keyId}&make=honda`);
    expect(csv.headers['content-disposition']).toBe('attachment; filename="ada-motors-decodes.csv"');
    const [head = '', ...lines] = csv.body.trim().split('\r\n');
    expect(head).toMatch(/^\uFEFF?id,decodedAt,key,outcome,vin,manufacturer,.*specs\.powerKw/);
    expect(lines).toHaveLength(201);
    expect(lines[0]).toMatch(
      /^[0-9a-f-]{36},\d{4}-\d\d-\d\dT12:00:00\.000Z,'=website,identified,1HGCM82633A004352,Honda,/,
    );
    expect(lines[0]).toContain(',77,');
    await setPlan({ database: service.database, clock: systemClock }, 'ada-motors', { plan: 'free' }, 'cli:test');
    const basic = (await owner.get(`${LIST}.csv`)).body;
    expect(basic).not.toContain('specs.powerKw');
    expect(basic.trim().split('\r\n')).toHaveLength(1_204);
    const stranger = await signUp(service, 'bob@example.com', 'bob-motors');
    expect((await stranger.get(`${LIST}.csv`)).statusCode).toBe(404);
  });

  test('a search that reaches its limit of rows says where to continue', async () => {
    const rows = await store(MOST_READ + 1);
    const oldest = rows.at(-1);
    await service.database.kysely
      .updateTable('decodes')
      .set({ report: '{"manufacturer":"Räre"}' })
      .where('id', '=', oldest?.id ?? '')
      .execute();
    const { body } = await owner.get(`${LIST}?make=r%C3%A4re`);
    expect(body).toContain('None of the latest decodes matches.');
    const [, next = ''] = /href="([^"]+)">Search older ones/.exec(body) ?? [];
    expect((await owner.get(next.replaceAll('&amp;', '&'))).body).toContain(`${LIST}/${oldest?.id}"`);
    expect(await shown(rows, `search=${oldest?.id}`)).toEqual([MOST_READ]);
  });

  test('the page of a decode shows the time, the key and the id', async () => {
    const [first, second] = await store(2);
    const { body } = await owner.get(`${LIST}/${first?.id}`);
    expect(body).toContain(`${new Date(NOON).toISOString().slice(0, 10)} 12:00 UTC`);
    expect(body).toContain('with the key =website');
    expect(body).toContain(`<code>${first?.id}</code>`);
    expect((await owner.get(`${LIST}/${second?.id}`)).body).toContain('in the portal');
  });

  test('a decode with a key that was revoked before hundreds of others has its name, and is found by it', async () => {
    const [decode] = await store(1);
    const { kysely } = service.database;
    const [key] = await kysely.selectFrom('api_keys').selectAll().execute();
    if (key === undefined) throw new Error('no key');
    await kysely.updateTable('api_keys').set({ revoked_at: 1 }).execute();
    const later = Array.from({ length: 300 }, (_, place) => ({
      ...key,
      id: `k${place}`,
      hash: `h${place}`,
      name: 'later',
      created_at: key.created_at + 1,
      revoked_at: 2,
    }));
    await kysely.insertInto('api_keys').values(later).execute();
    const list = (await owner.get(LIST)).body;
    expect(list).toContain('data-label="Key">=website');
    expect(list.match(/<option value="k\d+"/g)).toHaveLength(200);
    const found = (await owner.get(`${LIST}?key=${keyId}`)).body;
    expect(found).toMatch(new RegExp(`<option value="${keyId}" selected[^>]*>=website`));
    expect(found).toContain(decode?.id);
    expect((await owner.get(`${LIST}/${decode?.id}`)).body).toContain('with the key =website');
    expect((await owner.get(`${LIST}.csv`)).body).toContain('=website');
  });
});
