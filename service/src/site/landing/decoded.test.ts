import { afterAll, beforeAll, expect, test } from 'vitest';

import { leastUuid7 } from '../../kernel/db/uuid7.ts';
import { runMarque } from '../../testing/run-marque.ts';
import { authSecret } from '../../people/index.ts';
import { until } from '../../testing/until.ts';
import { type TestService, testService } from '../../testing/service.ts';
import { decodedPath } from './visitor-address.ts';

const VIN = '1HGCM82633A004352';
const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

afterAll(() => service[Symbol.asyncDispose]());

const post = (url: string, fields: Record<string, string>) =>
  service.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: new URLSearchParams(fields).toString(),
  });

const get = (url: string) => service.app.inject(url);

/** Decodes as a visitor; gives the address of the decode. */
async function decoded(): Promise<string> {
  const { body } = await post('/decode', { vin: VIN });
  return /\/decoded\/[0-9a-f-]{36}\.[\w-]{22}/.exec(body)?.[0] ?? 'no address';
}

test("a visitor's decode has an address that opens it again, charges nothing, and is not indexed", async () => {
  const address = await decoded();
  const before = await service.charged();
  const { statusCode, body, headers } = await get(address);
  expect(statusCode).toBe(200);
  expect(body).toContain('2003 Honda Accord');
  expect(body).not.toContain('V6');
  expect(headers['x-robots-tag']).toBe('noindex');
  expect(headers['cache-control']).toBe('no-store');
  expect(await service.charged()).toBe(before);
});

test('it is saved as CSV and as JSON, with the fields that a visitor sees', async () => {
  const address = await decoded();
  expect((await get(`${address}/csv`)).body).toMatch(/^vin,manufacturer,model,.*\r\n1HGCM82633A004352,Honda,Accord,/);
  const json = await get(`${address}/json`);
  expect(json.headers['content-disposition']).toContain(`${VIN}.json`);
  expect(json.json()).toMatchObject({ report: { vin: VIN, model: 'Accord' } });
  expect(json.json<{ report: object }>().report).not.toHaveProperty('specs');
});

test('it is reported as wrong in place: missing fields are named, and the report is stored', async () => {
  const address = await decoded();
  const claim = {
    expectedManufacturer: 'Honda',
    expectedModel: 'Accord Coupe',
    expectedBodyStyle: 'Coupe',
    expectedModelYear: '2003',
  };
  const missing = await post(`${address}/report`, claim);
  expect(missing.statusCode).toBe(422);
  expect(missing.body).toContain('Fill this in.');
  const sent = await post(`${address}/report`, { ...claim, note: 'It is on the badge.' });
  expect(sent.headers.location).toBe(`${address}#content`);
  const cookie = String(sent.headers['set-cookie']).split(';')[0] ?? '';
  const shown = await service.app.inject({ url: address, headers: { cookie } });
  expect(shown.body).toContain('Your report is saved.');
  const stored = await service.database.kysely.selectFrom('correction_reports').select(['vin', 'source']).execute();
  expect(stored).toEqual([{ vin: VIN, source: 'public' }]);
});

test('a correction since shows in the page and the files, with the earlier answer', async () => {
  const vin = '1HGCM82633A004390';
  const { body } = await post('/decode', { vin });
  const address = /\/decoded\/[0-9a-f-]{36}\.[\w-]{22}/.exec(body)?.[0] ?? 'no address';
  const claim = { expectedManufacturer: 'Honda', expectedBodyStyle: 'Coupe', expectedModelYear: '2003', note: 'Seen.' };
  await post(`${address}/report`, { ...claim, expectedModel: 'Accord Coupe' });
  const { id } = await service.database.kysely
    .selectFrom('correction_reports')
    .select('id')
    .where('vin', '=', vin)
    .executeTakeFirstOrThrow();
  const settle = async (word: string) => {
    const command = ['corrections', word, id, '--reason', 'Looked it up.'];
    expect(await runMarque(command, service.env)).toMatchObject({ status: 0 });
  };
  await settle('accept');
  await until(async () => (await get(address)).body.includes('Corrected on'));
  const corrected = (await get(address)).body;
  expect(corrected).toContain('<h1>2003 Honda Accord Coupe</h1>');
  expect(corrected).toMatch(/<dt>Model<\/dt><dd>Accord Coupe.*?Corrected on .*?\(was Accord\)/s);
  expect(corrected).toContain('The answer that you got');
  expect(corrected, 'the form begins with what is shown').toMatch(/name="expectedModel"[^>]* value="Accord Coupe"/);
  expect((await get(`${address}/json`)).json()).toMatchObject({ report: { model: 'Accord Coupe' } });
  await settle('revert');
  await until(async () => !(await get(address)).body.includes('Corrected on'));
  expect((await get(address)).body).toContain('<h1>2003 Honda Accord</h1>');
});

test('a decode of a part of a VIN, and one that was erased, are shown, and cannot be reported', async () => {
  const part = await get('/api/vehicles/DecodeVinValues/1HGCM82633A?format=json');
  const erased = await decoded();
  const kysely = service.database.kysely.updateTable('decodes');
  const vin = '1HGCM82633A******';
  const id = erased.slice('/decoded/'.length).split('.')[0] ?? '';
  await kysely
    .set({ vin, report: JSON.stringify({ vin }) })
    .where('id', '=', id)
    .execute();
  const secret = await authSecret(service.database);
  for (const address of [decodedPath(secret, String(part.headers['x-request-id'])), erased]) {
    const { statusCode, body } = await get(address);
    expect(statusCode).toBe(200);
    expect(body).not.toContain('Report this decode as wrong');
    for (const form of ['csv', 'json']) expect((await get(`${address}/${form}`)).statusCode).toBe(200);
    expect((await post(`${address}/report`, {})).statusCode).toBe(422);
  }
});

test('an address that is made up, older than seven days, or of a workspace, shows nothing', async () => {
  const secret = await authSecret(service.database);
  const pathOf = (id: string) => decodedPath(secret, id);
  expect((await get(pathOf('0198c0de-0000-7000-8000-000000000000'))).statusCode).toBe(404);
  const headers = { 'x-api-key': await service.keyFor('business') };
  const paid = await service.app.inject({ method: 'POST', url: '/api/decode', headers, payload: { vin: VIN } });
  expect((await get(pathOf(String(paid.headers['x-request-id'])))).statusCode).toBe(404);
  const address = await decoded();
  const id = address.slice('/decoded/'.length).split('.')[0] ?? '';
  const atMs = Date.now() - 8 * DAY_MS;
  const older = leastUuid7(atMs).slice(0, 13) + id.slice(13);
  const decodes = service.database.kysely.updateTable('decodes').set({ id: older, created_at: atMs });
  await decodes.where('id', '=', id).execute();
  expect((await get(pathOf(older))).statusCode).toBe(404);
});

test('the id of a decode, which logs and answers name, opens nothing without the signature of its address', async () => {
  const address = await decoded();
  const id = /[0-9a-f-]{36}/.exec(address)?.[0] ?? 'no id';
  expect((await get(address)).statusCode).toBe(200);
  const open = await service.app.inject({ method: 'POST', url: '/api/decode', payload: { vin: VIN } });
  const other = (await decoded()).split('.')[1] ?? '';
  const ids = [id, String(open.headers['x-request-id'])].flatMap((one) => [one, `${one}.`, `${one}.${other}`]);
  for (const one of ids)
    for (const rest of ['', '/csv', '/json']) expect((await get(`/decoded/${one}${rest}`)).statusCode).toBe(404);
});

test('a VIN that was sent on shows its free check, and no other car', async () => {
  const { body } = await get('/?vin=WVWZZZ1KZ6W000001');
  expect(body).toContain('Volkswagen, Europe.');
  expect(body).toContain('Model year 2006.');
  expect(body).toContain('Decode this VIN');
  expect(body).not.toContain('An example');
  expect((await get('/?vin=hello')).body).toContain('A VIN has 17 characters');
});

test('pages of decodes take turns, and those of one network beyond the turns that may wait are refused', async () => {
  const address = await decoded();
  const asked = await Promise.all(Array.from({ length: 40 }, () => get(address)));
  const refused = asked.filter(({ statusCode }) => statusCode === 503);
  expect(asked.filter(({ statusCode }) => statusCode === 200).length + refused.length).toBe(asked.length);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(headers['retry-after']).toMatch(/^\d+$/);
  expect((await get(address)).statusCode).toBe(200);
});
