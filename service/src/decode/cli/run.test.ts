import { execFileSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { catalog, decoder } from '../../testing/decoder.ts';
import { ioWith, type Sink } from '../../testing/io.ts';
import type { Output } from '../../kernel/cli/io.ts';
import { runCli } from '../../cli/program.ts';
import { runDecode } from './run.ts';

const VIN = '1HGCM82633A004352';

const job = { vins: [], file: undefined, format: 'jsonl', explain: false } as const;

test('jsonl gives one report a line in the order of the input, and marks texts that are not VINs', async () => {
  const io = ioWith(`${VIN}\n\n  wvwzzz1jz3w386752 \r\nnot a vin\r\n\uFEFF${VIN}`);
  const count = await runDecode(catalog, { ...job, file: '-' }, io);
  const lines = io.stdout.text.trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { vin: VIN, manufacturer: 'Honda', specs: { plantCity: 'Marysville' } },
    { vin: 'WVWZZZ1JZ3W386752' },
    { vin: 'not a vin', error: expect.stringContaining(`Positions 2 and 6 of the VIN are "O" and "I"`) },
    { vin: VIN },
  ]);
  expect(count).toEqual({ decoded: 3, refused: 1 });
});

test('json gives one object for one VIN, and a list for several or none', async () => {
  const one = ioWith();
  await runDecode(catalog, { ...job, vins: [VIN], format: 'json' }, one);
  expect(JSON.parse(one.stdout.text)).toMatchObject({ vin: VIN });
  const two = ioWith();
  await runDecode(catalog, { ...job, vins: [VIN, 'x'], format: 'json' }, two);
  expect(JSON.parse(two.stdout.text)).toMatchObject([{ vin: VIN }, { vin: 'x' }]);
  const none = ioWith('\n');
  await runDecode(catalog, { ...job, file: '-', format: 'json' }, none);
  expect(JSON.parse(none.stdout.text)).toEqual([]);
});

test('csv quotes what needs it, and no cell of it runs as a formula in a spreadsheet', async () => {
  const io = ioWith(`${VIN}\n=cmd|' /C calc'!A0\n@SUM(1)\n-1,2\n`);
  await runDecode(catalog, { ...job, file: '-', format: 'csv' }, io);
  const [header, report, ...errors] = io.stdout.text.trimEnd().split('\r\n');
  expect(header).toMatch(/^vin,error,manufacturer,model,modelYear,/);
  expect(report).toContain(`${VIN},,Honda,Accord,2003,`);
  expect(report).toContain(',"Marysville, United States",');
  expect(errors.map((line) => line.slice(0, 8))).toEqual([`'=cmd|' `, `'@SUM(1)`, `"-1,2","`]);
});

test('table shows one VIN as a sheet, many as rows, and lets no control character through', async () => {
  const one = ioWith();
  await runDecode(catalog, { ...job, vins: [VIN], format: 'table' }, one);
  expect(one.stdout.text).toContain('manufacturer           Honda\n');
  const many = ioWith();
  await runDecode(catalog, { ...job, vins: [VIN, '\u001B[2J'], format: 'table' }, many);
  expect(many.stdout.text).toContain(`${VIN}  Honda                 Accord                        2003`);
  expect(many.stdout.text).not.toContain('\u001B');
});

test('--explain gives the report with its evidence', async () => {
  const io = ioWith();
  await runDecode(catalog, { ...job, vins: [VIN], explain: true }, io);
  expect(JSON.parse(io.stdout.text)).toEqual(JSON.parse(JSON.stringify(decoder.explain(VIN))));
});

test('a slow reader holds the decoding back: memory stays bounded', async () => {
  const lines = 20_000;
  const io = ioWith(Readable.from(Array.from({ length: lines }, () => Buffer.from(`${VIN}\n`))));
  await runDecode(catalog, { ...job, file: '-' }, io);
  expect(io.stdout.text.split('\n')).toHaveLength(lines + 1);
  expect(io.stdout.most).toBeLessThan(1_000_000);
});

test('a line without an end does not fill the memory', async () => {
  const io = ioWith(Readable.from(Array.from({ length: 500 }, () => Buffer.alloc(10_000, 'A'))));
  await runDecode(catalog, { ...job, file: '-' }, io);
  expect(io.stdout.text.length).toBeLessThan(2_000);
  expect(JSON.parse(io.stdout.text)).toMatchObject({ error: expect.stringContaining('more than 256') });
});

test('a VIN that a chunk boundary cuts in two is read whole', async () => {
  const io = ioWith(
    Readable.from([Buffer.from(VIN.slice(0, 9)), Buffer.from(`${VIN.slice(9)}\r`), Buffer.from(`\n${VIN}`)]),
  );
  expect(await runDecode(catalog, { ...job, file: '-' }, io)).toEqual({ decoded: 2, refused: 0 });
});

test('a line that does not end is refused by its place, after the rows before it', async () => {
  function* endless(): Generator<Buffer> {
    yield Buffer.from(`${VIN}\n`);
    for (;;) yield Buffer.alloc(65_536, 'x');
  }
  const io = ioWith(Readable.from(endless()));
  await expect(runDecode(catalog, { ...job, file: '-' }, io)).rejects.toThrow(
    'The line after the first 18 bytes has no end within 16 MiB',
  );
  expect(io.stdout.text).toContain(VIN);
});

test('a person at a terminal is shown how many rows of a file were decoded', async () => {
  const io = ioWith(Readable.from([Buffer.from(`${VIN}\n`.repeat(1_200) + 'no\n')]));
  io.stderr.isTTY = true;
  await runDecode(catalog, { ...job, file: '-' }, io);
  expect(io.stderr.text).toBe('1,201 rows, 1,200 decoded. 1 without a valid VIN: see the column or field "error".\n');
});

test('a long file shows a bar on a terminal, and none when the results go there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marque-cli-'));
  const file = join(folder, 'vins.txt');
  await writeFile(file, `${VIN}\n`.repeat(20_000));
  const barOf = async (resultsOnTerminal: boolean): Promise<string> => {
    const io = ioWith();
    io.stderr.isTTY = true;
    io.stdout.isTTY = resultsOnTerminal;
    await runDecode(catalog, { ...job, file }, { ...io, stderr: asTerminal(io.stderr) });
    return io.stderr.text;
  };
  expect(await barOf(false)).toContain('Decoding');
  expect(await barOf(true)).toBe('');
});

test('a missing file is reported by its name', async () => {
  await expect(runDecode(catalog, { ...job, file: '/no/such/file' }, ioWith())).rejects.toThrow(
    'Cannot read the file /no/such/file.',
  );
});

/** Returns the cursor movements that a progress bar asks of a terminal's stream. */
function asTerminal(sink: Sink): Output {
  return Object.assign(sink, { cursorTo: () => true, clearLine: () => true, moveCursor: () => true, columns: 100 });
}

test('vpic prints the elements of each VIN, and reports letters that no VIN may have instead of refusing them', async () => {
  const io = ioWith();
  await runDecode(catalog, { ...job, vins: [VIN.toLowerCase(), '1HGCM82633AO04352', 'no VIN!'], format: 'vpic' }, io);
  const lines = io.stdout.text.trimEnd().split('\n');
  const [clean, illegal, refused] = lines.map((line): { vin: string; rows?: unknown[] } => JSON.parse(line));
  expect(clean).toMatchObject({ vin: VIN });
  expect(clean?.rows).toContainEqual([26, 'HONDA']);
  expect(illegal?.rows).toContainEqual([143, '1,400']);
  expect(refused).toMatchObject({ vin: 'no VIN!', error: expect.stringContaining('3 to 17 letters and digits') });
});

const statusOf = (...words: string[]): Promise<number> => runCli(['decode', ...words], ioWith());

test('--strict fails when any VIN was bad; otherwise it takes all of them to be', async () => {
  expect(await statusOf(VIN, 'bad')).toBe(0);
  expect(await statusOf(VIN, 'bad', '--strict')).toBe(1);
  expect(await statusOf('bad')).toBe(1);
  expect(await statusOf(VIN, '--strict')).toBe(0);
});

test('standard input is read when no VIN is given, but not from a terminal', async () => {
  const io = ioWith(`${VIN}\n`);
  expect(await runCli(['decode', '--json'], io)).toBe(0);
  expect(JSON.parse(io.stdout.text)).toMatchObject([{ vin: VIN }]);
  const terminal = ioWith(Object.assign(Readable.from([]), { isTTY: true }));
  expect(await runCli(['decode'], terminal)).toBe(2);
});

test('--explain prints the evidence of each of several VINs', async () => {
  const io = ioWith();
  expect(await runCli(['decode', VIN, '5YJSA1E26HF000337', '--explain'], io)).toBe(0);
  expect(io.stdout.text.match(/^Rule set: /gm)).toHaveLength(2);
});

test.each([60, 80, 100])('a table of many VINs fits a terminal of %i columns', async (columns) => {
  const io = ioWith();
  const stdout = Object.assign(io.stdout, { isTTY: true, columns });
  expect(await runCli(['decode', VIN, 'WDB9634031L738261', '--color', 'never'], { ...io, stdout })).toBe(0);
  expect(Math.max(...io.stdout.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
});

test.each([
  ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])],
  ['a compressed file', gzipSync('vin\n')],
  ['not a text file', Buffer.from('VIN\0\0')],
])('what is %s is reported so', async (what, bytes) => {
  const io = ioWith(Readable.from([bytes]));
  expect(await runCli(['decode', '--file', '-'], io)).toBe(1);
  expect(io.stderr.text).toMatch(new RegExp(`^Standard input is ${what}.*\\.\n$`));
});

test('a pipe that has a path is read once, as standard input is, and a device without text is refused', async () => {
  const pipe = join(await mkdtemp(join(tmpdir(), 'marque-pipe-')), 'vins');
  execFileSync('mkfifo', [pipe]);
  const io = ioWith();
  const [count] = await Promise.all([
    runDecode(catalog, { ...job, file: pipe }, io),
    writeFile(pipe, `${VIN}\n${VIN}\n`),
  ]);
  expect(count).toEqual({ decoded: 2, refused: 0 });
  await expect(runDecode(catalog, { ...job, file: '/dev/zero' }, ioWith())).rejects.toThrow('is not a text file');
});
