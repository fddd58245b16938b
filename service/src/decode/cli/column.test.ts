import { Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { tableOf } from '../../testing/table.ts';
import { catalog } from '../../testing/decoder.ts';
import { ioWith } from '../../testing/io.ts';
import { runCli } from '../../cli/program.ts';
import { blocksOfTable } from './column.ts';
import type { PlacedTable } from './place.ts';
import { runDecode } from './run.ts';

const VIN = '1HGCM82633A004352';

async function decoded(text: string, column = 'vin') {
  const io = ioWith(text);
  const count = await runDecode(catalog, { vins: [], file: '-', column, explain: false }, io);
  const [header = [], ...rows] = await tableOf(io.stdout.text);
  const records = rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]])));
  return { count, header, records, text: io.stdout.text };
}

test('rows stay as they are and in their order, with columns added', async () => {
  const { count, header, records } = await decoded(
    `\uFEFFId,VIN,Note\r\n7,1hg-cm826-33a004352,"a ""b"",\nc"\r\n8,no VIN,=1+1\r\n9\r\n\r\n`,
  );
  expect(count).toEqual({ decoded: 1, refused: 2 });
  expect(header.slice(0, 6)).toEqual(['Id', 'VIN', 'Note', 'error', 'manufacturer', 'model']);
  expect(records).toMatchObject([
    {
      Id: '7',
      VIN: '1hg-cm826-33a004352',
      Note: 'a "b",\nc',
      error: '',
      model: 'Accord',
      'specs.fuelType': 'Gasoline',
    },
    { Id: '8', VIN: 'no VIN', Note: '=1+1', error: expect.stringContaining('"O"'), model: '' },
    { Id: '9', VIN: '', Note: '', error: expect.any(String), model: '' },
  ]);
});

test('the delimiter is the one of the file, and duplicate names are kept apart', async () => {
  const { header, records, text } = await decoded(`model;vin\r\nmine;${VIN}\r\n`);
  expect(header).toContain('decoded.model');
  expect(records).toMatchObject([{ model: 'mine', 'decoded.model': 'Accord', plant: 'Marysville, United States' }]);
  expect(text).toContain('mine;1HG');
});

test("Excel's line of the delimiter is not a title, also behind a byte order mark", async () => {
  const io = ioWith(`\uFEFFsep=;\nVIN;note\n${VIN};"a;b"\n`);
  await runDecode(catalog, { vins: [], file: '-', explain: false }, io);
  expect(io.stderr.text).toBe('The file is CSV; VINs are read from the column "VIN".\n');
  expect(io.stdout.text).toMatch(/^VIN;note;error;/);
  expect(io.stdout.text).toContain(`${VIN};"a;b";;Honda;`);
});

test('a long file comes through whole', async () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => `${index},${VIN}`);
  const { count, records } = await decoded(`id,vin\n${rows.join('\n')}`);
  expect(count.decoded).toBe(5_000);
  expect(records.map(({ id }) => Number(id))).toEqual(rows.map((_, index) => index));
});

test.each([
  ['id,VIM\n1,x', /no column "vin"\. The columns are: id, VIM/],
  ['', /empty/],
  [`vin\n"${VIN}`, /not valid CSV/],
])('a file without such a column, or that is none, is refused: %j', async (text, message) => {
  await expect(decoded(text)).rejects.toThrow(message);
});

test.each([1, 2])(
  'the rows before a quote that is not closed are written, then its line is named: %d threads',
  async (most) => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `${index},${VIN}`);
    const io = ioWith(`id,vin\n${rows.join('\n')}\n3000,"${VIN}\n3001,${VIN}\n`);
    const job = { vins: [], file: '-', explain: false, threads: { most, fromBytes: 0 } };
    await expect(runDecode(catalog, job, io)).rejects.toThrow('the row at line 3002 has a quote that is not closed');
    const [, ...written] = await tableOf(io.stdout.text);
    expect(written.map(([id]) => Number(id))).toEqual([...rows.keys()]);
  },
);

test('a column of VINs is found by its name, and that is reported', async () => {
  for (const header of ['id,VIN', 'id;vin', '\uFEFFid,"Vin Number"', 'id\tFIN']) {
    const io = ioWith(`${header}\n7${/[;\t]/.exec(header)?.[0] ?? ','}${VIN}\n`);
    expect(await runCli(['decode'], io)).toBe(0);
    expect(io.stderr.text).toMatch(/^The file is CSV; VINs are read from the column "(VIN|vin|Vin Number|FIN)"\.\n$/);
    expect(io.stdout.text).toMatch(/^id.*\r\n7.*Accord/);
  }
});

test('a column of VINs is printed as any other list if a format asks for it', async () => {
  const io = ioWith(`id,vin\n1,${VIN}\n2,no\n`);
  expect(await runCli(['decode', '--format', 'jsonl', '--column', 'vin'], io)).toBe(0);
  const lines = io.stdout.text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { model: 'Accord' },
    { vin: 'no', error: expect.stringContaining('17') },
  ]);
});

test('lines of JSON are read by the field of their VINs, in order, however long they are', async () => {
  const rows = [{ id: 1, VIN }, { note: 'x'.repeat(200_000), VIN: VIN.toLowerCase() }, { id: 3 }, { id: 4, VIN: 'no' }];
  const lines = rows.map((row) => JSON.stringify(row)).join('\r\n');
  const io = ioWith(`\uFEFF${lines}\n\n{"id": 5\n`);
  expect(await runCli(['decode', '--format', 'jsonl'], io)).toBe(0);
  expect(io.stderr.text).toBe('The file is JSON Lines; VINs are read from the field "VIN".\n');
  const printed = io.stdout.text.trimEnd().split('\n');
  expect(printed.map((line) => JSON.parse(line))).toMatchObject([
    { id: 1, report: { model: 'Accord' } },
    { report: { model: 'Accord' } },
    { id: 3, error: expect.any(String) },
    { id: 4, VIN: 'no', error: expect.any(String) },
    { vin: '{"id": 5', error: expect.any(String) },
  ]);
});

test('lines of JSON keep their fields and the digits of their numbers, and a field of theirs named like ours', async () => {
  const line = `{"id":12345678901234567890,"nested":{"a":[1,null]},"report":"mine","error":1.50,"vin":"${VIN}"}`;
  const io = ioWith(`${line}\n{}\n"${VIN}"\n`);
  expect(await runCli(['decode'], io)).toBe(0);
  const [first = '', second = '', third = ''] = io.stdout.text.split('\n');
  expect(first.startsWith(`${line.slice(0, -1)},"decoded.report":{"vin":"${VIN}"`)).toBe(true);
  expect(JSON.parse(second)).toEqual({ error: expect.any(String) });
  expect(JSON.parse(third)).toMatchObject({ report: { vin: VIN } });
});

test('a field that only some lines of JSON have may be named like one of every object', async () => {
  const lines = `{"vin":"${VIN}"}\n{"vin":"${VIN}","constructor":"Honda"}\n`;
  const io = ioWith(lines);
  expect(await runCli(['decode', '--file', '-', '--format', 'jsonl'], io)).toBe(0);
  const fields = io.stdout.text
    .trimEnd()
    .split('\n')
    .map((line) => Object.keys(JSON.parse(line)));
  expect(fields).toEqual([
    ['vin', 'report'],
    ['vin', 'constructor', 'report'],
  ]);
});

test('a field of lines of JSON is found by its contents, or by its number, also where the first lines lack it', async () => {
  const lines = `{"id":1}\n{"id":2,"car":{"ref":"${VIN}"},"vin":"none"}\n`;
  for (const options of [[], ['--column', '2']]) {
    const io = ioWith(lines);
    expect(await runCli(['decode', ...options], io)).toBe(0);
    const printed = io.stdout.text.trimEnd().split('\n');
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, error: expect.any(String) },
      { id: 2, car: { ref: VIN }, vin: 'none', report: { vin: VIN } },
    ]);
  }
});

test('a format that has no place for the other fields of lines of JSON says so', async () => {
  for (const [line, format, isSaid] of [
    [`{"id":1,"vin":"${VIN}"}`, 'csv', true],
    [`{"id":1,"vin":"${VIN}"}`, 'parquet', true],
    [`{"id":1,"vin":"${VIN}"}`, 'jsonl', false],
    [`{"vin":"${VIN}"}`, 'csv', false],
  ] as const) {
    const io = ioWith(`${line}\n`);
    expect(await runCli(['decode', '--format', format], io)).toBe(0);
    expect(io.stderr.text.includes('The other fields are left out.')).toBe(isSaid);
  }
});

test('the note on what was read names columns apart from its own words', async () => {
  const unnamed = ioWith(`1;${VIN}\n2;${VIN}\n`);
  expect(await runCli(['decode'], unnamed)).toBe(0);
  expect(unnamed.stderr.text).toBe('The file is CSV; VINs are read from column 2.\n');
});

test('a first line that comes in pieces is read whole, of CSV and of JSON', async () => {
  for (const text of [`id,vin\n1,${VIN}\n`, `{"id":1,"vin":"${VIN}"}\n`]) {
    const io = ioWith(Readable.from(text.match(/[^]{1,5}/g) ?? []));
    expect(await runCli(['decode', '--format', 'jsonl'], io)).toBe(0);
    expect(io.stdout.text.match(/"model":"Accord"/g)).toHaveLength(1);
  }
});

test.each([70_000, 300_000, 1_500_000])('a first line of JSON of %d characters is read whole', async (length) => {
  const line = `{"note":"${'x'.repeat(length)}","list":[{}],"vin":"${VIN}"}`;
  for (const text of [`${line}\n{"vin":"${VIN}"}\n`, `\n\n${line}`]) {
    const io = ioWith(Readable.from(text.match(/[^]{1,10000}/g) ?? []));
    expect(await runCli(['decode', '--format', 'csv'], io)).toBe(0);
    expect(io.stdout.text.match(/Accord/g)).toHaveLength(text.trim().split('\n').length);
  }
});

test('a first line of JSON that does not end is refused as what it is', async () => {
  const piece = `"${'x'.repeat(99_990)}":[{}],`;
  const io = ioWith(Readable.from(['{', ...Array.from({ length: 100 }, () => piece)]));
  expect(await runCli(['decode'], io)).toBe(1);
  expect(io.stderr.text).toMatch(/its first line does not end within 3\d{6} characters/);
});

test.each([
  ['{"id":1,"car":"none"}', [], /no field has VINs \(id, car\)/],
  [`{"vin":"${VIN}"}`, ['--column', 'car'], /no field is named car \(vin\)/],
  [`{\n  "vin": "${VIN}"\n}`, [], /object over several lines.*jq -c/],
  [`{"vin": "${VIN}"`, [], /not a whole object/],
  [`[{"vin":"${VIN}"}]`, [], /JSON list.*one object/i],
])('JSON without VINs where they are looked for is refused: %j', async (text, options, message) => {
  const io = ioWith(text);
  expect(await runCli(['decode', ...options], io)).toBe(1);
  expect(io.stderr.text).toMatch(message);
});

test('--column goes with a file alone', async () => {
  expect(await runCli(['decode', VIN, '--column', 'vin'], ioWith())).toBe(2);
  const io = ioWith(`vin\n${VIN}\n`);
  expect(await runCli(['decode', '--file', '-', '--column', 'vin'], io)).toBe(0);
  expect(io.stdout.text).toContain('Accord');
});

test('long rows are passed on in smaller parts', async () => {
  const long = { cells: [VIN, 'a'.repeat(60_000)], line: 2 };
  async function* rows() {
    for (let at = 0; at < 10; at++) yield Array.from({ length: 20 }, () => long);
  }
  const placed: PlacedTable = {
    kind: 'table',
    form: 'Parquet',
    layout: { kind: 'found', column: 0, columnName: 'vin', names: ['vin', 'note'], firstRow: 1 },
    header: ['vin', 'note'],
    delimiter: ',',
    kinds: async () => ['text', 'text'],
    rows: rows(),
  };
  const sizes: number[] = [];
  for await (const { block } of blocksOfTable(placed, true, 10_000)) {
    if (block.kind === 'rows') sizes.push(JSON.parse(block.json).length);
  }
  expect(sizes).toEqual([67, 67, 66]);
});
