import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';

import { type Entry, openPromise, type ZipFile } from 'yauzl';

import { cutShort, DumpError } from './dump-error.ts';
import { isCustomFormat, restoreSql } from './pg-restore.ts';

/** Reports the progress of reading: a share from 0 to 1. */
export type OnProgress = (share: number) => void;

const HEAD_BYTES = 16;
const ENCRYPTED = 1;

/** Files that are not wanted, by their first bytes, with advice. */
const FOREIGN: readonly [start: string, advice: string][] = [
  ['TAPE', 'This is a backup of SQL Server, which only SQL Server reads. NHTSA publishes the same data as …plain.zip.'],
  ['SQLite format 3', 'This is an SQLite database. Take the download whose name ends in .plain.zip.'],
];

/**
 * Passes the SQL of a dump to `take`, piece by piece: of the plain file or PostgreSQL's custom format, gzipped or the
 * only member of a zip archive. Its first bytes say how it is packed, not its name.
 *
 * @throws DumpError when it is damaged or something else.
 */
export async function readSql(file: string, take: (bytes: Buffer) => void, onProgress: OnProgress): Promise<void> {
  const head = await headOf(file);
  const text = head.toString('latin1');
  for (const [start, advice] of FOREIGN) if (text.startsWith(start)) throw new DumpError(advice);
  if (text.startsWith('PK')) return readZip(file, take, onProgress);
  const { size } = await stat(file);
  let read = 0;
  const source = createReadStream(file);
  source.on('data', (bytes) => onProgress((read += bytes.length) / size));
  if (head[0] !== 0x1f || head[1] !== 0x8b) return drain([source], take);
  return unpacked(drain([source, createGunzip()], take));
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function drain(streams: readonly [Readable, ...NodeJS.ReadWriteStream[]], take: (bytes: Buffer) => void) {
  await pipeline([
    ...streams,
    async (pieces: AsyncIterable<Buffer>) => {
      const contents = pieces[Symbol.asyncIterator]();
      const first = await contents.next();
      const rest = { [Symbol.asyncIterator]: () => contents };
      if (first.done === true) return;
      if (isCustomFormat(first.value)) return restoreSql(first.value, rest, take);
      take(first.value);
      for await (const piece of rest) take(piece);
    },
  ]);
}

/** Unpacks. zlib and yauzl report in their own words that a file is damaged. */
async function unpacked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof DumpError || isSystemError(error)) throw error;
    if (/unexpected end|end of central directory|less than expected|not enough bytes/i.test(error.message)) {
      throw cutShort('in the middle of its packed contents');
    }
    throw new DumpError(`The file cannot be unpacked (${error.message}). Download it again.`);
  }
}

/** Returns true if a file cannot be read at all: not found, not permitted. zlib's own errors have codes too. */
function isSystemError(error: Error): boolean {
  return 'syscall' in error;
}

async function readZip(file: string, take: (bytes: Buffer) => void, onProgress: OnProgress): Promise<void> {
  const zip = await unpacked(openPromise(file, { lazyEntries: true, autoClose: false }));
  try {
    const entry = await unpacked(onlyEntry(zip));
    let read = 0;
    let checksum = 0;
    const contents = await unpacked(zip.openReadStreamPromise(entry));
    contents.on('data', (bytes: Buffer) => {
      checksum = crc32(bytes, checksum);
      onProgress((read += bytes.length) / entry.uncompressedSize);
    });
    await unpacked(drain([contents], take));
    if (checksum !== entry.crc32)
      throw new DumpError('The archive is damaged: its checksum differs. Download it again.');
  } finally {
    zip.close();
  }
}

async function onlyEntry(zip: ZipFile): Promise<Entry> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) entries.push(entry);
    if (entries.length > 1) break;
  }
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0) {
    throw new DumpError('The archive holds other than one file. Take the download whose name ends in .plain.zip.');
  }
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) throw new DumpError('The archive is encrypted.');
  return entry;
}
