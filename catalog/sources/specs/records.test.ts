import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { zipOf } from '../../src/testing/zip.ts';
import { readLines, readRecords, type RecordFormat } from './records.ts';
import { readXmlRecords } from './xml-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-'));

async function read(name: string, bytes: string | Uint8Array, format?: RecordFormat): Promise<object[]> {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const records: object[] = [];
  for await (const record of readRecords(file, format)) records.push(Object.fromEntries(record));
  return records;
}

describe('a downloaded table', () => {
  const text = 'make,model,note\r\nFord,"F-150, ""new""",a\r\n\r\nKia,Soul\r\n';
  const records = [
    { make: 'Ford', model: 'F-150, "new"', note: 'a' },
    { make: 'Kia', model: 'Soul', note: '' },
  ];

  test('reads the same plain, gzipped and zipped', async () => {
    expect(await read('plain.csv', text)).toEqual(records);
    expect(await read('table.csv.gz', gzipSync(text))).toEqual(records);
    expect(await read('table.csv.zip', await zipOf({ 'table.csv': Buffer.from(text) }))).toEqual(records);
  });

  test('may have line breaks in quotes, a byte order mark and other separators', async () => {
    expect(await read('a.csv', '\uFEFFmake;note\nFord;"one\ntwo"\n', { separator: ';' })).toEqual([
      { make: 'Ford', note: 'one\ntwo' },
    ]);
    expect(await read('b.txt', 'make\tnote\nFord\t5" wide\n', { separator: '\t', quotes: false })).toEqual([
      { make: 'Ford', note: '5" wide' },
    ]);
  });

  test('may be in the letters of Windows and start below a title', async () => {
    const bytes = Buffer.from('title,,\nmake,model\nCITRO\xCBN,C4\n', 'latin1');
    expect(await read('c.csv', bytes, { encoding: 'windows-1252', skip: 1 })).toEqual([
      { make: 'CITROËN', model: 'C4' },
    ]);
  });

  test('is refused where a zip is none', async () => {
    await expect(read('broken.zip', 'no zip at all, but long enough to hold one')).rejects.toThrow(/is no zip file/);
  });
});

async function linesOf(name: string, text: string | Uint8Array): Promise<[line: number, ...fields: string[]][]> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const lines: [number, ...string[]][] = [];
  for await (const { line, fields } of readLines(file, { isExact: true })) lines.push([line, ...fields]);
  return lines;
}

describe('if all records have as many fields as the header, a quotation mark without its pair', () => {
  test('spoils its own line alone, and is read where it is a character', async () => {
    const text = 'make,note,cc\n"Ford,cut\nSeat,5" wide,999\nOpel,a,1\nFiat,"two\nlines, quoted",2\n"VW, AG",b,3\n';
    expect(await linesOf('odd.csv', text)).toEqual([
      [1, 'make', 'note', 'cc'],
      [2, '"Ford', 'cut'],
      [3, 'Seat', '5" wide', '999'],
      [4, 'Opel', 'a', '1'],
      [5, 'Fiat', 'two\nlines, quoted', '2'],
      [7, 'VW, AG', 'b', '3'],
    ]);
  });

  test('does so also where no other one follows, to the end of a long file', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `Opel,a,${index}`);
    const lines = await linesOf('last.csv', `make,note,cc\n"Ford,a\n${rows.join('\n')}\n"Fiat,b\nSeat,c,1`);
    expect(lines).toHaveLength(1 + 1 + rows.length + 2);
    expect(lines.at(-3)).toEqual([20_002, 'Opel', 'a', '19999']);
    expect(lines.at(-1)).toEqual([20_004, 'Seat', 'c', '1']);
  });
});

test('each line is read in its own letters: one with a letter that is cut spoils no other', async () => {
  const cut = Buffer.from('CITROËN').subarray(0, 6);
  const bytes = Buffer.concat([
    Buffer.from('\uFEFFznačka;typ\nŠKODA;Fabia\n'),
    cut,
    Buffer.from(';C4\nLANCIA;Ypsilon\n'),
    Buffer.from('CITRO\xCBN;C4\n', 'latin1'),
    Buffer.from('ŠKODA;Octavia'),
  ]);
  expect(await linesOf('mixed.csv', bytes)).toEqual([
    [1, 'značka', 'typ'],
    [2, 'ŠKODA', 'Fabia'],
    [3, 'CITROÃ', 'C4'],
    [4, 'LANCIA', 'Ypsilon'],
    [5, 'CITROËN', 'C4'],
    [6, 'ŠKODA', 'Octavia'],
  ]);
});

test('a document in one line is read in UTF-8, wherever its pieces end', async () => {
  const file = join(folder, 'line.xml');
  const cars = Array.from(
    { length: 60_000 },
    (_, index) => `<car><m>${'x'.repeat(index % 2)}${'Š'.repeat(40)}</m></car>`,
  );
  writeFileSync(file, `<list>${cars.join('')}</list>`);
  const makes = new Map<string, number>();
  for await (const { texts } of readXmlRecords(file, { record: 'car', elements: new Set(['m']) })) {
    const [make = ''] = texts.get('m') ?? [];
    makes.set(make, (makes.get(make) ?? 0) + 1);
  }
  expect(Object.fromEntries(makes)).toEqual({ ['Š'.repeat(40)]: 30_000, [`x${'Š'.repeat(40)}`]: 30_000 });
});
