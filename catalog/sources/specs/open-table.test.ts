import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { afterAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';

import { openTable, TableError } from './open-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'marque-archive-'));
const file = join(folder, 'register.zip');

afterAll(() => rmSync(folder, { recursive: true }));

async function archive(): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('make;model\nSkoda;Octavia\n'), 'aa/x.csv');
  zip.end();
  return buffer(zip.outputStream);
}

async function read(bytes: Buffer): Promise<string> {
  writeFileSync(file, bytes);
  const parts: Buffer[] = [];
  for await (const part of openTable(file)) parts.push(part);
  return Buffer.concat(parts).toString();
}

test('the table in an archive is read', async () => {
  expect(await read(await archive())).toBe('make;model\nSkoda;Octavia\n');
});

test.each([
  ['whose name leaves the archive', (bytes: Buffer) => bytes.write('../x.csv', bytes.lastIndexOf('aa/x.csv'))],
  ['whose own header is wrong', (bytes: Buffer) => bytes.writeUInt8(0, 2)],
  [
    'that lies outside of the archive',
    (bytes: Buffer) => bytes.writeUInt32LE(9_999, bytes.indexOf('PK\u0001\u0002') + 42),
  ],
])('a member %s is refused with a sentence', async (_, change) => {
  const bytes = await archive();
  change(bytes);
  const refusal = read(bytes);
  await expect(refusal).rejects.toBeInstanceOf(TableError);
  await expect(refusal).rejects.toThrow(/register\.zip has a member that cannot be read \(.*\)\. Download it again\.$/);
});
