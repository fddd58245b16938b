import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { setPlan } from '../../workspaces/index.ts';
import { systemClock } from '../../kernel/clock.ts';
import { leastUuid7 } from '../../kernel/db/uuid7.ts';
import { signUp } from '../../people/testing/people.ts';
import type { Reader } from '../../testing/reader.ts';
import { runMarque } from '../../testing/run-marque.ts';
import { type TestService, testService } from '../../testing/service.ts';
import { until } from '../../testing/until.ts';

/** A Golf VI, which was built with many engines: its VIN does not say which. */
const GOLF = 'WVWZZZ1KZCW000001';
const FOCUS = 'WF0XXXGCDX1A12345';
const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
let owner: Reader;

beforeAll(async () => {
  service = await testService();
  owner = await signUp(service, 'ada@example.com', 'ada-motors');
});

afterAll(() => service[Symbol.asyncDispose]());

const setPlanTo = (plan: 'free' | 'business', limit?: number) =>
  setPlan(
    { database: service.database, clock: systemClock },
    'ada-motors',
    { plan, limit: limit === undefined ? { kind: 'plan' } : { kind: 'fixed', limit } },
    'cli:test',
  );

beforeEach(() => setPlanTo('business'));

/** A VIN tried as a script of the page does. */
const part = (vin: string) => owner.post('/portal/ada-motors/try', { vin }, { 'hx-request': 'true' });

const decode = async (vin = GOLF): Promise<string> =>
  String((await owner.post('/portal/ada-motors/try', { vin })).headers.location);

/** Returns the page of a VIN's last decode. */
async function pageOf(vin: string): Promise<string> {
  const decodes = service.database.kysely.selectFrom('decodes').select('id').where('vin', '=', vin);
  const { id } = await decodes.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  return `/portal/ada-motors/decodes/${id}`;
}

/** Makes every decode as old as a moment more than a day. */
async function age(): Promise<void> {
  const atMs = Date.now() - DAY_MS - 1000;
  const { kysely } = service.database;
  for (const { id } of await kysely.selectFrom('decodes').select('id').execute()) {
    const older = leastUuid7(atMs).slice(0, 13) + id.slice(13);
    await kysely.updateTable('decodes').set({ id: older, created_at: atMs }).where('id', '=', id).execute();
  }
}

test('a plan that does not see everything is asked nothing', async () => {
  await setPlanTo('free');
  const page = await decode();
  expect((await owner.get(page)).body).not.toContain('Do you know the');
});

test("the page asks for the VIN's open fields; answers in the address decide them, and charge nothing", async () => {
  const page = await decode();
  const before = await service.charged();
  const open = (await owner.get(page)).body;
  expect(open).toMatch(/\d details are open\. Do you know the engine\?/);
  expect(open).toContain('name="powerKw" value="77"');
  const { body } = await owner.get(`${page}?powerKw=77&fuelType=Diesel`);
  expect(body).toMatch(/name="powerKw" checked="?"? value="77"|name="powerKw" value="77" checked/);
  expect(body).toMatch(/<dt>Fuel<\/dt><dd>Diesel/);
  expect((await owner.get(`${page}/csv?powerKw=77`)).body).toMatch(/specs.powerKw.*\r\n.*,77,/);
  expect((await owner.get(`${page}?modelYear=1999`)).body).toContain('contradicts what the VIN settles');
  expect((await owner.get(`${page}?powerKw=many`)).body).toContain('powerKw takes a number');
  expect(await service.charged()).toBe(before);
});

test('the page of a mistyped VIN suggests the likely one, whenever it is opened', async () => {
  const page = await decode('1HGCM82643A004352');
  for (let visit = 0; visit < 2; visit++) {
    const { body } = await owner.get(page);
    expect(body).toContain('Did you mean');
    expect(body).toContain('/portal/ada-motors/try?vin=1HGCM82633A004352');
  }
  expect((await owner.get(await decode('1HGCM82633A004352'))).body).not.toContain('Did you mean');
});

/** Returns a text by which engines are sorted: fuel, size, power; unknown values last. */
const order = ([fuel = '', size = '', power = '']: string[]): string =>
  [fuel || '~', size.padStart(6, size === '' ? '~' : '0'), power.padStart(6, power === '' ? '~' : '0')].join();

test('an engine is chosen as a whole, stays chosen, and can be changed', async () => {
  const page = await decode();
  const open = (await owner.get(page)).body;
  expect(open).toContain('<details class="questions no-print" open');
  const keys = [...open.matchAll(/name="engine" value="([^"]+)"/g)].map(([, key = '']) => key.split('/'));
  expect(open).toContain(`${keys.length} engines are left.`);
  expect(keys.map(order)).toEqual(keys.map(order).toSorted());
  expect(open).toContain('1,598\u00a0cm³, 77\u00a0kW');
  expect((await owner.get(`${page}?fuelType=Diesel`)).body).not.toContain(`${keys.length} engines are left.`);
  const { body } = await owner.get(`${page}?engine=Diesel%2F1598%2F77`);
  expect(body).toMatch(/name="engine" checked value="Diesel\/1598\/77"|name="engine" value="Diesel\/1598\/77" checked/);
  expect(body).toContain(`Chosen from ${keys.length}.`);
  expect(body).toContain('value="Gasoline/');
  expect(body).toMatch(/<dt>Power<\/dt><dd>(<[^>]+>)?77/);
  expect(body).not.toContain('name="fuelType"');
  expect((await owner.get(`${page}?engine=many`)).statusCode).toBe(200);
});

test('narrowing down counts against the limit of candidates that the workspace has', async () => {
  const page = await decode();
  // No further question is allowed while the clock is stopped.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    let answer = await owner.get(`${page}?powerKw=77`);
    for (let visit = 0; visit < 60 && answer.statusCode === 200; visit++) answer = await owner.get(page);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '1']);
    expect(answer.body).toContain('Load this page again in one second.');
    expect(answer.body).toContain('<dt>Make</dt>');
    expect((await owner.get(`${page}/csv?powerKw=77`)).statusCode).toBe(429);
    vi.setSystemTime(Date.now() + 10_000);
    expect((await owner.get(page)).statusCode).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

test('any field is reported from its row, and a correction shows the earlier answer until it is reverted', async () => {
  const vin = '1HGCM82633A004399';
  const page = await decode(vin);
  const link = /href="([^"]*field=specs.fuelType)"/.exec((await owner.get(page)).body)?.[1] ?? '';
  const form = (await owner.get(link.replaceAll('&amp;', '&'))).body;
  expect(form).toMatch(/name="field:specs.fuelType"[^>]* value="Gasoline"[^>]* autofocus/);
  expect(form).toMatch(/name="field:technicalSpecs.lengthMm"[^>]* value="4770"/);
  const claim = { vin, expectedManufacturer: 'Honda', expectedModel: 'Accord', expectedBodyStyle: 'Coupe' };
  const report = (fields: Record<string, string>) =>
    owner.submit('/portal/ada-motors/reports', { ...claim, expectedModelYear: '2003', note: 'Seen.', ...fields });
  expect((await report({ 'field:specs.fuelType': 'Gasoline' })).body).toContain('This is what Marque answered.');
  expect((await report({ 'field:specs.powerKw': 'strong' })).body).toContain('Power (kW) must be a number.');
  const sent = await report({ 'field:specs.fuelType': 'Diesel', 'field:technicalSpecs.lengthMm': '4770' });
  expect(sent.body).toContain('Fuel: Diesel');
  expect(sent.body).not.toContain('Length (mm): 4770');

  const { id } = await service.database.kysely
    .selectFrom('correction_reports')
    .select('id')
    .where('vin', '=', vin)
    .executeTakeFirstOrThrow();
  const settle = async (...words: string[]) => {
    const command = ['corrections', ...words, id, '--reason', 'Looked it up.'];
    expect(await runMarque(command, service.env)).toMatchObject({ status: 0 });
  };
  await settle('accept');
  await until(async () => (await owner.get(page)).body.includes('Corrected on'));
  const corrected = (await owner.get(page)).body;
  expect(corrected).toMatch(/<dt>Fuel<\/dt><dd>Diesel/);
  expect(corrected).toContain('(was Gasoline)');
  expect(corrected).toMatch(
    /The answer that you got[^]*&quot;fuelType&quot;: &quot;Gasoline&quot;|The answer that you got[^]*"fuelType": "Gasoline"/,
  );
  await settle('revert');
  await until(async () => !(await owner.get(page)).body.includes('Corrected on'));
  expect((await owner.get(page)).body).toMatch(/<dt>Fuel<\/dt><dd>Gasoline/);
});

test("a decoded VIN's open fields are asked at once, on the page of its decode", async () => {
  const { body } = await part(GOLF);
  const page = await pageOf(GOLF);
  expect(body).toContain('Do you know the engine?');
  expect(body).toContain(`hx-get="${page}"`);
  expect(body).toContain('hx-target="#content"');
  await setPlanTo('free');
  expect((await part(GOLF)).body).not.toContain('Do you know the');
});

test('after a day the page names the price of asking, charges it once, and asks for free again', async () => {
  await age();
  const before = await service.charged();
  const page = await pageOf(GOLF);
  const { body } = await owner.get(`${page}?powerKw=77`);
  expect(body).toContain('Asking now charges one decode');
  expect(body).not.toContain('name="powerKw"');
  expect(await service.charged()).toBe(before);
  const fresh = String((await owner.post(`${page}/narrow`)).headers.location);
  expect(fresh).not.toBe(page);
  expect((await owner.get(fresh)).body).toContain('name="powerKw"');
  expect((await owner.post(`${page}/narrow`)).headers.location).toBe(fresh);
  expect(await service.charged()).toBe(before + 1);
});

test('at the limit nothing is charged, and the page gives the reason', async () => {
  await decode(FOCUS);
  await age();
  await setPlanTo('business', 1);
  const before = await service.charged();
  const { body } = await owner.submit(`${await pageOf(FOCUS)}/narrow`);
  expect(body).toContain('The monthly limit of 1 decodes is reached.');
  expect(await service.charged()).toBe(before);
});
