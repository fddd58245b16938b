import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { readRecords, type RecordFormat } from './records.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-'));

async function read(name: string, bytes: string | Uint8Array, format?: RecordFormat): Promise<object[]> {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const records: object[] = [];
  for await (const record of readRecords(file, format)) records.push(Object.fromEntries(record));
  return records;
}

/** A zip of one member, as APPNOTE.TXT 4.3 lays it out. */
function zip(name: string, text: string): Buffer {
  const data = deflateRawSync(text);
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04_03_4b_50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(text), 14);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(text.length, 22);
  local.writeUInt16LE(name.length, 26);
  local.write(name, 30, 'latin1');
  const entry = Buffer.alloc(46 + name.length);
  entry.writeUInt32LE(0x02_01_4b_50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(crc32(text), 16);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(text.length, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.write(name, 46, 'latin1');
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length + data.length, 16);
  return Buffer.concat([local, data, entry, end]);
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
    expect(await read('table.csv.zip', zip('table.csv', text))).toEqual(records);
  });

  test('may hold line breaks in quotes, a byte order mark and other separators', async () => {
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
