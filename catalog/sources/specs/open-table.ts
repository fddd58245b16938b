import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';

import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** Called with the share of a file that was read, from 0 to 1. */
export type OnShare = (share: number) => void;

/** Receivers of what is read of a table, while it is read. */
export interface Watch {
  onShare?: OnShare | undefined;
  /** Takes the bytes of the table, unpacked. */
  hash?: Hash | undefined;
}

/** A file cannot be used: the message gives the fault and the remedy. */
export class TableError extends Error {
  override name = 'TableError';
}

const ENCRYPTED = 1;
const HEAD_BYTES = 4;
/** Stored and deflated. */
const READ_METHODS: ReadonlySet<number> = new Set([0, 8]);

/**
 * Streams the bytes of a table of any size: of the plain file, gzipped, or of the largest table in a zip archive. Its
 * first bytes decide how it is packed, not its name.
 *
 * @throws TableError when it is damaged.
 */
export async function* openTable(
  file: string,
  { onShare = () => undefined, hash }: Watch = {},
): AsyncGenerator<Buffer> {
  const head = await headOf(file);
  const isZip = head.toString('latin1', 0, 2) === 'PK' || /\.zip$/i.test(file);
  const table = isZip ? unzipped(file, onShare) : streamed(file, head[0] === 0x1f && head[1] === 0x8b, onShare);
  for await (const bytes of table) {
    hash?.update(bytes);
    yield bytes;
  }
}

async function* streamed(file: string, gzipped: boolean, onShare: OnShare): AsyncGenerator<Buffer> {
  const { size } = await stat(file);
  let read = 0;
  const source = createReadStream(file);
  source.on('data', (bytes) => onShare((read += bytes.length) / size));
  if (gzipped) yield* unpacked(file, pipeline(source, createGunzip(), () => undefined) as AsyncIterable<Buffer>);
  else yield* source as AsyncIterable<Buffer>;
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

async function* unzipped(file: string, onShare: OnShare): AsyncGenerator<Buffer> {
  const zip = await openZip(file);
  try {
    const entry = await sound(file, tableIn(zip, file));
    let read = 0;
    let checksum = 0;
    for await (const bytes of unpacked(file, await sound(file, zip.openReadStreamPromise(entry)))) {
      checksum = crc32(bytes, checksum);
      onShare((read += bytes.length) / entry.uncompressedSize);
      yield bytes;
    }
    if (checksum !== entry.crc32) throw new TableError(`${file} is damaged: its checksum differs. Download it again.`);
  } finally {
    zip.close();
  }
}

/**
 * Waits for a step of reading an archive.
 *
 * @throws TableError when a member of it is wrong, which yauzl says in its own words.
 */
async function sound<T>(file: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof TableError || (error instanceof Error && 'syscall' in error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new TableError(`${file} has a member that cannot be read (${why}). Download it again.`);
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch {
    throw new TableError(`${file} is no zip file, or is cut short. Download it again.`);
  }
}

/** Returns the largest table: publishers put descriptions of its columns beside it. */
async function tableIn(zip: ZipFile, file: string): Promise<Entry> {
  let largest: Entry | undefined;
  for await (const entry of zip.eachEntry()) {
    if (!/\.(?:csv|txt|tsv|json|xml)$/i.test(entry.fileName)) continue;
    if (largest === undefined || entry.uncompressedSize > largest.uncompressedSize) largest = entry;
  }
  if (largest === undefined) throw new TableError(`${file} holds no table: no member ends in .csv, .txt or .xml.`);
  if ((largest.generalPurposeBitFlag & ENCRYPTED) !== 0) throw new TableError(`${file} is encrypted.`);
  if (!READ_METHODS.has(largest.compressionMethod)) {
    throw new TableError(
      `${file} is compressed by method ${largest.compressionMethod}, which is not read. Unpack it, and import ${largest.fileName}.`,
    );
  }
  return largest;
}

/** Unpacks a file. zlib and yauzl report in their own words that it is damaged. */
async function* unpacked(file: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unpackedBytes = 0;
  try {
    for await (const bytes of source) {
      unpackedBytes += bytes.length;
      yield bytes;
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new TableError(
      `${file} is damaged or cut short behind byte ${unpackedBytes} of what it holds (${why}). Download it again.`,
    );
  }
}
