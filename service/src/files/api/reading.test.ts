import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { testService, type TestService } from '../../testing/service.ts';
import { type Job, type JobClient, jobsOf } from '../testing/jobs.ts';
import { textCell, workbookFile } from '../testing/workbook.ts';
import { CSV, NDJSON, PARQUET, XLSX } from './body.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;
let send: JobClient['send'];
let get: JobClient['get'];
let ended: JobClient['ended'];

beforeEach(async () => {
  service = await testService({ PLAN_LIMIT_STARTER: '2' });
  await service.app.ready();
  ({ send, get, ended } = jobsOf(service));
});

afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

test('a table in a form, or without its line breaks, is refused with how curl sends it', async () => {
  const key = await service.keyFor('business');
  const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nvin\n${VIN}\r\n--x--\r\n`;
  const form = await send(key, part, { 'content-type': 'multipart/form-data; boundary=x' });
  expect([form.statusCode, form.json()]).toEqual([
    415,
    { error: expect.stringContaining('(with curl: --data-binary @FILE)') },
  ]);
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const joined = await send(key, `id;vin1;${VIN}2;5YJSA1E26HF000337`, type);
  expect([joined.statusCode, joined.json()]).toEqual([400, { error: expect.stringContaining('-d removes them') }]);
  expect((await send(key, `id;vin\n1;${VIN}\n`, type)).statusCode).toBe(202);
  expect((await send(key, `{"vins":["${VIN}"]}`, type)).statusCode).toBe(202);
  expect((await send(key, VIN, type)).statusCode).toBe(202);
});

test('the lines of a job from a table have its other columns, each value of its type', async () => {
  const key = await service.keyFor('business');
  const lines = [
    `{"id":1,"paid":true,"vin":"${VIN}","note":null,"tags":["a"],"order":9007199254740993}`,
    `{"id":2.5,"paid":false,"vin":"no VIN","extra":"ü"}`,
  ];
  const sent = await send(key, lines.join('\n'), { 'content-type': 'application/x-ndjson' });
  const job = await ended(key, sent.json<Job>().id);
  const results = (await get(key, job.results)).body.trim().split('\n');
  expect(results.map((line): unknown => JSON.parse(line))).toMatchObject([
    { status: 'decoded', row: { id: 1, paid: true, vin: VIN, note: null, tags: '["a"]', order: '9007199254740993' } },
    { status: 'invalid', row: { id: 2.5, paid: false, vin: 'no VIN', note: null, extra: 'ü' } },
  ]);
  const list = (await send(key, { vins: [VIN] })).json<Job>();
  await ended(key, list.id);
  expect(JSON.parse((await get(key, list.results)).body)).not.toHaveProperty('row');
});

const dryRun = (key: string, payload: string | Buffer, type: string, more = '') =>
  service.app.inject({
    method: 'POST',
    url: `/api/jobs?dryRun=1${more}`,
    headers: { 'x-api-key': key, 'content-type': type },
    payload,
  });

describe('a dry run', () => {
  test('says what would be decoded, from which column and in which encoding', async () => {
    const key = await service.keyFor('business');
    const table = Buffer.from(`Fleet\n\nHalter;Fahrgestellnummer\nGr\u00f6\u00dfe;${VIN}\nx;1.0E+14\n`, 'latin1');
    const answer = await dryRun(key, table, 'text/csv');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      vins: 2,
      valid: 1,
      form: 'CSV',
      column: 'Fahrgestellnummer',
      encoding: 'windows-1252',
      columns: ['Halter', 'Fahrgestellnummer'],
      problems: [{ line: 5, text: '1.0E+14', problem: expect.stringContaining('took the VIN for a number') }],
      sample: [
        ['Größe', VIN],
        ['x', '1.0E+14'],
      ],
    });
  });

  test('stores nothing and charges nothing, and takes the column and the encoding that are named', async () => {
    const key = await service.keyFor('business');
    const table = Buffer.from(`a,b,c\n${VIN},WVWZZZ1KZCW000001,\u0416\n`, 'utf16le');
    const answer = await dryRun(key, table, 'text/csv', '&column=b&encoding=utf-16le');
    expect(answer.json()).toMatchObject({ valid: 1, column: 'b', encoding: 'utf-16le' });
    expect(await service.database.kysely.selectFrom('vin_files').selectAll().execute()).toEqual([]);
    expect(await service.charged()).toBe(0);
  });

  test.each([
    ['a column that is not there', `vin\n${VIN}\n`, '&column=fin', /There is no column "fin". The columns are: vin\./],
    ['a table without VINs', 'a,b\n1,2\n', '', /No column contains VINs/],
    ['an encoding that is not one', `vin\n${VIN}\u00e4\n`, '&encoding=klingon', /is not the name of an encoding/],
  ])('refuses %s as the job would', async (_, table, more, says) => {
    const key = await service.keyFor('business');
    const answer = await dryRun(key, Buffer.from(table, 'latin1'), 'text/csv', more);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toMatch(says);
  });

  test.each([
    ['free', 400, 'takes more than 12 MB'],
    ['business', 200, ''],
  ] as const)('of the plan %s takes a table that takes no more than may be kept', async (plan, statusCode, says) => {
    // Six bytes of JSON each: the pages of a small text take much memory.
    const table = `vin,note\n${`${VIN},${'\u0001'.repeat(9_000)}\n`.repeat(250)}`;
    const answer = await dryRun(await service.keyFor(plan), table, 'text/csv');
    expect(answer.statusCode).toBe(statusCode);
    expect(answer.body).toContain(says);
  });

  test('needs a key, as a job does', async () => {
    const answer = await dryRun('mq_live_no', `vin\n${VIN}\n`, 'text/csv');
    expect(answer.statusCode).toBe(401);
  });
});

test('the contents of a table decide how it is read, not its media type', async () => {
  const key = await service.keyFor('business');
  const workbook = Buffer.from(await workbookFile([[textCell('A1', 'VIN')], [textCell('A2', VIN)]]));
  for (const type of [CSV, NDJSON, PARQUET]) {
    expect((await send(key, workbook, { 'content-type': type })).json()).toMatchObject({
      form: 'Excel workbook',
      vins: 1,
    });
  }
  const csv = await send(key, `No;VIN\n1;${VIN}\n`, { 'content-type': XLSX });
  expect(csv.json()).toMatchObject({ form: 'CSV', column: 'VIN', vins: 1 });
});

test('JSON that is no list of VINs is refused with what to send instead', async () => {
  const key = await service.keyFor('business');
  const json = { 'content-type': 'application/json' };
  for (const [body, says] of [
    [`[{"vin":"${VIN}"}]`, 'on each line as application/x-ndjson'],
    [`vin\n${VIN}\n`, 'with its own media type'],
  ] as const) {
    const refused = await send(key, body, json);
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining(says)]);
  }
});

const withNote = (length: number): string => `{"vin":"${VIN}","note":"${'x'.repeat(length)}"}`;

test.each(['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded'])(
  'lines of JSON whose first one is long are lines under the label %s',
  async (type) => {
    const key = await service.keyFor('business');
    const names = Array.from({ length: 10 }, (_, index) => `"note ${index}":"${String.raw`\u0041`.repeat(1_800)}"`);
    for (const [text, says] of [
      [`{"vin":"${VIN}",${names.join()}}`, '"form":"JSON Lines",'],
      // Its end is the last of the bytes that are looked at first.
      [withNote(65_495), 'Row 1 has 65495 characters in column 2'],
      [withNote(70_000), 'Row 1 has 70000 characters in column 2'],
      [withNote(600_000), 'Line 1 has more than 524288 characters'],
    ] as const) {
      for (const [end, encoding] of [
        ['\n', 'utf8'],
        ['\r\n', 'utf16le'],
      ] as const) {
        const body = Buffer.from(`\uFEFF${text}${end}{"vin":"${VIN}"}${end}`, encoding);
        const answer = await dryRun(key, body, type);
        expect(answer.body).toContain(says);
      }
    }
    const list = JSON.stringify({ name: 'x', vins: Array.from({ length: 5_000 }, () => VIN) });
    expect((await dryRun(key, `${list}\n`, type)).json()).toMatchObject({ form: 'list', vins: 5_000 });
    const spread = list.replace('],', '],\n');
    expect((await dryRun(key, spread, type)).json()).toMatchObject({ form: 'list', vins: 5_000 });
  },
);

test('a list is a list under any label', async () => {
  const key = await service.keyFor('business');
  for (const type of ['text/plain', 'text/csv', 'application/x-ndjson']) {
    const made = await send(key, JSON.stringify({ vins: [VIN, 'x'] }), { 'content-type': type });
    expect([made.statusCode, made.json<Job>().vins]).toEqual([202, 2]);
    await ended(key, made.json<Job>().id);
  }
});

test('a list that is parsed in a thread is read as a short one is, under any label', async () => {
  const key = await service.keyFor('business');
  const vins = Array.from({ length: 20_000 }, (_, index) => `1HGCM82633A${100_000 + index}`);
  const dryRun = (body: string, type: string) =>
    service.app.inject({
      method: 'POST',
      url: '/api/jobs?dryRun',
      headers: { 'x-api-key': key, 'content-type': type },
      payload: body,
    });
  for (const type of ['application/json', 'text/plain', 'text/csv', 'application/x-ndjson']) {
    const answer = await dryRun(JSON.stringify({ vins }), type);
    expect(answer.json()).toMatchObject({
      form: 'list',
      vins: 20_000,
      valid: 20_000,
      sample: [[vins[0]], [vins[1]], {}, {}, {}],
    });
    const empty = await dryRun(JSON.stringify({ vins: [...vins, ' '] }), type);
    expect([empty.statusCode, empty.body]).toEqual([400, expect.stringContaining('VIN number 20001 is empty')]);
  }
  const cut = await dryRun(JSON.stringify({ vins }).slice(0, -1), 'application/json');
  expect([cut.statusCode, cut.body]).toEqual([400, expect.stringContaining('The body is not valid JSON.')]);
  const other = await dryRun(JSON.stringify({ vin: vins }), 'application/json');
  expect([other.statusCode, other.body]).toEqual([400, expect.stringContaining('vins is missing.')]);
});
