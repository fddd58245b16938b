import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { signUp } from '../people/testing/people.ts';
import type { Reader } from '../testing/reader.ts';
import { type TestService, testService } from '../testing/service.ts';
import { until } from '../testing/until.ts';
import { sendFile } from './testing/send-file.ts';

const VIN = '1HGCM82633A004352';

let service: TestService;
let owner: Reader;

beforeAll(async () => {
  service = await testService();
  owner = await signUp(service, 'ada@example.com', 'ada-motors');
});

afterAll(() => service[Symbol.asyncDispose]());

const send = (name: string, bytes: Buffer) => sendFile(service, owner, { workspace: 'ada-motors', name, bytes });

const filesKept = async () => (await service.database.kysely.selectFrom('vin_files').select('id').execute()).length;

const CSV = /Save it as \.xlsx or CSV/;
const TABLE = /Send CSV, \.xlsx, or Parquet/;

test.each([
  ['a bomb of gzip', 'vins.csv', gzipSync(Buffer.alloc(50_000_000, 0x20)), /Unpack it/],
  ['a broken zip under the name of a CSV', 'vins.csv', Buffer.from('PK\u0003\u0004rest'), /save it as \.xlsx or CSV/],
  ['a broken workbook', 'vins.xlsx', Buffer.from('PK\u0003\u0004rest'), /damaged/],
  ['broken Parquet', 'vins.parquet', Buffer.from('PAR1rest'), /damaged/],
  ['an old workbook', 'vins.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]), CSV],
  ['a PDF', 'vins.pdf', Buffer.from('%PDF-1.7'), /Save the table as CSV or \.xlsx/],
  ['a program', 'vins.exe', Buffer.from('MZ\u0090\u0000'), TABLE],
  ['text without VINs', 'vins.ods', Buffer.from('text'), /No column contains VINs/],
  ['a page', 'vins.html', Buffer.from('<script>alert(1)</script>'), /save it as \.xlsx or CSV/],
  ['bytes that are not text', 'vins.csv', Buffer.from(`vin\n${VIN}\u0000\n`), TABLE],
])('%s is refused with what to do, and not kept', async (_what, name, bytes, says) => {
  const before = await filesKept();
  const answer = await send(name, bytes);
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toMatch(says);
  expect(await filesKept()).toBe(before);
});

test.each([
  ['UTF-8', 'vins.csv', Buffer.from(`vin\n${VIN}\n`)],
  ['no ending', 'vins', Buffer.from(`${VIN}\n`)],
  ['text under another name', 'cars.dat', Buffer.from(`No;VIN\n1;${VIN}\n`)],
  ['text under the name of a workbook', 'cars.xls', Buffer.from(`No\tVIN\n1\t${VIN}\n`)],
  [
    'UTF-16, as spreadsheets write "Unicode text"',
    'vins.txt',
    Buffer.from(`\ufeffvin\tGerät\r\n${VIN}\tx\r\n`, 'utf16le'),
  ],
])('a list in %s is taken and decoded', async (_what, name, bytes) => {
  const answer = await send(name, bytes);
  expect(answer.statusCode).toBe(303);
  await owner.post(`${answer.headers.location}/resume`);
  const page = String(answer.headers['location']);
  await until(async () => (await owner.get(`${page}/result.csv`)).body.includes('Honda'));
});

test('a file above 4 MB is refused', async () => {
  expect((await send('vins.csv', Buffer.alloc(4_000_001, 0x41))).body).toContain('larger than 4 MB');
});

test('an upload that is refused keeps what was typed in its form', async () => {
  const file = { workspace: 'ada-motors', name: 'cars.csv', bytes: 'a,b\n1,2\n', column: 'Nr "1"' };
  const answer = await sendFile(service, owner, file);
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('There is no column');
  expect(answer.body).toContain('value="Nr &quot;1&quot;"');
});
