import { Readable } from 'node:stream';

import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readSheet } from 'read-excel-file/universal';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { systemClock } from '../kernel/clock.ts';
import { signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { tableOf } from '../testing/table.ts';
import { until } from '../testing/until.ts';
import { createKey, findWorkspace, revokeKey, setPlan, systemRandom } from '../workspaces/index.ts';
import { ThreadPool } from '../kernel/threads/pool.ts';
import { sendFile } from './testing/send-file.ts';
import { TransferLimits } from './transfer-limits.ts';
import { textCell, workbookFile } from './testing/workbook.ts';
import type { PackedFile, Unpacked } from './unpack.ts';
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

const send = (name: string, bytes: Uint8Array | string) =>
  sendFile(service, owner, { workspace: 'ada-motors', name, bytes });

async function decoded(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = String((await send(name, bytes)).headers.location);
  await owner.post(`${path}/resume`);
  await until(async () => (await owner.get(path)).body.includes('<p>Done: '));
  return path;
}

/** Reads a result in any form as rows by name; empty cells are left out. */
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

test.each(RESULT_FORM_NAMES)('a job gives its results as %s if Accept asks for it', async (form) => {
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

test('the page of a file names its uploader, and the page of a job the key that sent it', async () => {
  const uploaded = await send('fleet.csv', `vin\n${VIN}\n`);
  expect((await owner.get(String(uploaded.headers.location))).body).toContain('Sent by ada@example.com');
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  const workspaceId = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
  const made = await createKey(deps, { workspaceId, name: 'Nightly' }, 'cli:test');
  const headers = { 'x-api-key': made.key };
  const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload: { vins: [VIN] } });
  const page = await owner.get(`/portal/ada-motors/files/${sent.json<{ id: string }>().id}`);
  expect(page.body).toContain('Sent with the key “Nightly”');
});

test('a job stops when its key is revoked, says so, and goes on for the member who resumes it', async () => {
  const deps = { database: service.database, clock: systemClock, random: systemRandom };
  const workspaceId = (await findWorkspace(service.database, 'ada-motors'))?.id ?? '';
  const leaked = await createKey(deps, { workspaceId, name: 'Leaked' }, 'cli:test');
  const other = await createKey(deps, { workspaceId, name: 'Other' }, 'cli:test');
  const payload = { vins: Array.from({ length: 20_000 }, (_, index) => `1HGCM82633A${100_000 + index}`) };
  const headers = { 'x-api-key': leaked.key };
  const sent = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
  const { id } = sent.json<{ id: string }>();
  const now = async () =>
    (await service.app.inject({ url: `/api/jobs/${id}`, headers: { 'x-api-key': other.key } })).json<{
      status: string;
      done: number;
    }>();
  await until(async () => (await now()).done > 0);
  await revokeKey(deps, leaked.id, 'cli:test');
  await until(async () => (await now()).status !== 'running');
  const { status, done } = await now();
  expect(status).toBe('stopped');
  const path = `/portal/ada-motors/files/${id}`;
  expect((await owner.get(path)).body).toContain('the key that sent it was revoked');
  await owner.post(`${path}/resume`);
  await until(async () => (await now()).done > done);
  expect((await owner.get(path)).body).toContain('Sent by ada@example.com');
  await owner.post(`${path}/remove`);
});

const row = { No: '1', VIN, Seen: '2024-05-01' };
/** The values of an own column in a result of the same form: numbers and times keep their types. */
const GIVEN_BACK = {
  xlsx: { No: 1, VIN, Seen: '2024-05-01' },
  parquet: { No: 1, VIN, Seen: new Date('2024-05-01') },
};
const workbook = await workbookFile(
  [],
  [
    [textCell('A1', 'No'), textCell('B1', 'VIN'), textCell('C1', 'Seen')],
    ['<c r="A2"><v>1</v></c>', textCell('B2', VIN), '<c r="C2" s="1"><v>45413</v></c>'],
  ],
);
const parquet = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: 'No', data: [1], type: 'INT32' },
      { name: 'VIN', data: [VIN], type: 'STRING' },
      { name: 'Seen', data: [new Date('2024-05-01')], type: 'TIMESTAMP' },
    ],
  }),
);
const SENT = [
  ['xlsx', workbook],
  ['parquet', parquet],
] as const;

test.each(SENT)('an uploaded .%s file is decoded, and given back with its own columns', async (form, bytes) => {
  const path = await decoded(`cars.${form}`, bytes);
  const answer = await owner.get(`${path}/result.${form}`);
  expect(answer.headers['content-disposition']).toContain(`"cars-decoded.${form}"`);
  expect((await owner.get(path)).body).toMatch(new RegExp(`class="button first" href="[^"]+result\\.${form}"`));
  expect(await rowsOf(form, answer.rawPayload)).toMatchObject([{ ...GIVEN_BACK[form], model: 'Accord' }]);
});

test.each(SENT)('a job may come as %s', async (form, bytes) => {
  const headers = { 'x-api-key': key, 'content-type': RESULT_FORMS[form].type, 'idempotency-key': form };
  const post = () =>
    service.app.inject({ method: 'POST', url: '/api/jobs?column=vin', headers, payload: Buffer.from(bytes) });
  const sent = await post();
  expect(sent.json()).toMatchObject({ vins: 1 });
  expect((await post()).json<{ id: string }>().id).toBe(sent.json<{ id: string }>().id);
  await until(async () => {
    const { results } = sent.json<{ results: string }>();
    const lines = await service.app.inject({ url: results, headers: { 'x-api-key': key } });
    return lines.body.includes('Accord');
  });
});

test.each(['xlsx', 'parquet'] as const)('a job whose body is not %s is refused with the remedy', async (form) => {
  const headers = { 'x-api-key': key, 'content-type': RESULT_FORMS[form].type };
  for (const payload of ['vin', 'PK\u0003\u0004', 'PAR1', '']) {
    const answer = await service.app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toMatch(/[Ss]ave it as|[Ss]end/);
  }
});

test('a file shows its first rows before it is decoded, the column of VINs among them', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `Field ${index}`);
  const rows = Array.from({ length: 9 }, (_, line) => [...names.map((_name, index) => `cell ${line}/${index}`), VIN]);
  const text = [[...names, 'Auto'], ...rows].map((cells) => cells.join(',')).join('\n');
  const path = String((await send('wide.csv', text)).headers.location);
  const page = (await owner.get(path)).body;
  expect(page).toMatch(/CSV in UTF-8.*First rows/s);
  for (const shown of ['Field 0', 'Field 3', 'Auto (VINs)', 'cell 0/0', 'cell 4/3', VIN, '5 more columns']) {
    expect(page).toContain(shown);
  }
  for (const hidden of ['Field 4', 'cell 5/0']) expect(page).not.toContain(hidden);
});

test('each of the first results leads to its decode', async () => {
  const path = await decoded('vins.csv', `vin\n${VIN}\nnone`);
  const links = [...(await owner.get(path)).body.matchAll(/href="([^"]+\/decodes\/[^"]+)"/g)].map(
    ([, link = '']) => link,
  );
  expect(links).toHaveLength(1);
  expect((await owner.get(links[0] ?? '')).body).toContain(VIN);
});

test('rows without a VIN and rows that are still being looked up are two numbers', async () => {
  const path = await decoded('vins.csv', `vin\n${VIN}\n${VIN}\nnone\nnone\nnone`);
  const id = path.split('/').at(-1) ?? '';
  const { kysely } = service.database;
  // Like an outside source that has not answered for a row.
  await kysely
    .updateTable('vin_file_rows')
    .set({ decode_id: null })
    .where('file_id', '=', id)
    .where('row', '=', 1)
    .execute();
  await kysely.updateTable('vin_files').set({ delivered: 1 }).where('id', '=', id).execute();
  const page = (await owner.get(path)).body;
  expect(page).toMatch(/Without a valid VIN<\/dt><dd>3</);
  expect(page).toMatch(/Still being looked up<\/dt><dd>1</);
});

test('the bundled scripts of the process and its thread unpack files', async () => {
  const pool = new ThreadPool<PackedFile, Unpacked>({
    script: new URL('../../bundle/files/unpack-process.js', import.meta.url),
    areProcesses: true,
    workerData: undefined,
    threads: 1,
    requestsAThread: 1,
  });
  const answer = await pool.run({
    form: 'workbook',
    bytes: new Uint8Array(workbook),
    column: '',
    mostRows: 9,
    mostBytes: 50_000_000,
  });
  expect(answer).toMatchObject({
    kind: 'read',
    layout: { names: Object.keys(row) },
    pages: [{ first_row: 0, rows: new TextEncoder().encode(JSON.stringify([Object.values(row)])) }],
    reading: { form: 'Excel workbook' },
  });
  await pool.close();
});

/** Sends a file, and does something before its last part arrives. */
async function whileArriving(reader: Reader, workspace: string, text: string, act: () => Promise<unknown>) {
  const receive = vi.spyOn(TransferLimits.prototype, 'receive');
  const bytes = new Readable({ read: () => {} });
  const sent = Promise.resolve(sendFile(service, reader, { workspace, name: 'a.csv', bytes }));
  await until(async () => receive.mock.calls.length > 0);
  receive.mockRestore();
  bytes.push(text);
  await act();
  bytes.push(null);
  return sent;
}

const personOf = (email: string) =>
  service.database.kysely.selectFrom('auth_users').select('id').where('email', '=', email);

test('a file is not stored for a person whose session ends while it arrives', async () => {
  const reader = await signUp(service, 'eve@example.com', 'eve-motors');
  const { kysely } = service.database;
  const sent = await whileArriving(reader, 'eve-motors', `vin\n${VIN}`, () =>
    kysely.deleteFrom('auth_sessions').where('user_id', 'in', personOf('eve@example.com')).execute(),
  );
  expect(sent.headers.location).toMatch(/^\/sign-in/);
  const workspace = await findWorkspace(service.database, 'eve-motors');
  const files = kysely
    .selectFrom('vin_files')
    .select('id')
    .where('workspace_id', '=', workspace?.id ?? '');
  expect(await files.execute()).toEqual([]);
});

test.each([
  ['auth_sessions', 303],
  ['workspace_members', 404],
] as const)(
  'a refused file shows no list of files to a person whose row of %s is removed while it arrives',
  async (table, status) => {
    const email = `${status}@example.com`;
    const slug = `motors-${status}`;
    const reader = await signUp(service, email, slug);
    const noVins = 'colour\nred\n';
    const { kysely } = service.database;
    const end = () => kysely.deleteFrom(table).where('user_id', 'in', personOf(email)).execute();
    expect((await whileArriving(reader, slug, noVins, async () => {})).statusCode).toBe(422);
    const sent = await whileArriving(reader, slug, noVins, end);
    expect([sent.statusCode, sent.body.includes('<h1>Files')]).toEqual([status, false]);
  },
);
