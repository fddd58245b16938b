import { parquetReadObjects } from 'hyparquet';
import { readSheet } from 'read-excel-file/universal';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { tableOf } from '../testing/table.ts';
import { until } from '../testing/until.ts';
import { setPlan } from '../workspaces/index.ts';
import { RESULT_FORM_NAMES, RESULT_FORMS, type ResultForm } from './export.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;
let owner: Reader;
let key: string;

beforeAll(async () => {
  service = await testService();
  owner = await signUp(service, 'ada@example.com', 'ada-motors');
  const deps = { database: service.database, clock: systemClock };
  await setPlan(deps, 'ada-motors', { plan: 'business', limit: { kind: 'none' } }, 'cli:test');
  key = await service.keyFor('business');
});

afterAll(() => service[Symbol.asyncDispose]());

/** Sends a file as a browser does. */
function send(name: string, bytes: Uint8Array | string) {
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return service.app.inject({
    method: 'POST',
    url: '/portal/ada-motors/files',
    headers: {
      cookie: owner.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=x',
    },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n--x--\r\n')]),
  });
}

async function decoded(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = String((await send(name, bytes)).headers.location);
  await owner.post(`${path}/resume`);
  await until(async () => (await owner.get(path)).body.includes('>completed<'));
  return path;
}

/** A result in any form as rows by name; what is empty is left out. */
async function rowsOf(form: ResultForm, bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = new Uint8Array(bytes).buffer;
  if (form === 'parquet') return (await parquetReadObjects({ file })).map((row) => filled(Object.entries(row)));
  const [names = [], ...rows]: unknown[][] =
    form === 'xlsx' ? await readSheet(file) : await tableOf(bytes.toString('utf8'));
  return rows.map((row) => filled(names.map((name, index) => [String(name), row[index]])));
}

function filled(entries: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ''));
}

test.each(RESULT_FORM_NAMES)('a result comes as %s with the same columns, and numbers as numbers', async (form) => {
  const path = await decoded('fleet.csv', `Nr;VIN;Rest\n00123;${VIN};=1+1\n2;keine;`);
  const answer = await owner.get(`${path}/result.${form}`);
  expect(answer.headers['content-type']).toContain(RESULT_FORMS[form].type);
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="fleet-decoded.${form}"`);
  const [good = {}, bad] = await rowsOf(form, answer.rawPayload);
  const [number, formula] = form === 'csv' ? ['string', "'=1+1"] : ['number', '=1+1'];
  expect(good).toMatchObject({ Nr: '00123', VIN, Rest: formula, manufacturer: 'Honda', model: 'Accord' });
  expect(typeof good['specs.displacementCc']).toBe(number);
  expect(bad).toEqual({ Nr: '2', VIN: 'keine', problem: expect.any(String) });
});

test.each(RESULT_FORM_NAMES)('a job gives its results as %s where Accept says so', async (form) => {
  const headers = { 'x-api-key': key };
  const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload: { vins: [VIN] } });
  const job = sent.json<{ id: string; results: string }>();
  await until(async () => {
    const now = await service.app.inject({ url: `/api/jobs/${job.id}`, headers });
    return now.json<{ status: string }>().status === 'completed';
  });
  const { type } = RESULT_FORMS[form];
  const answer = await service.app.inject({ url: job.results, headers: { ...headers, accept: type } });
  expect(answer.headers['content-type']).toContain(type);
  expect(await rowsOf(form, answer.rawPayload)).toMatchObject([{ vin: VIN, model: 'Accord' }]);
});
