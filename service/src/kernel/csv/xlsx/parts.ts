import { TableError } from '@marque/catalog/tables';
import { type Entry, type Options, type ZipFile, fromBuffer, open } from 'yauzl';

import { tooLarge } from '../unpacked.ts';

/** The parts of a workbook, which are read as often as needed, and only as far as needed. */
export interface Parts {
  names: ReadonlySet<string>;
  /** The text of a part in pieces; it is decompressed as it is read, into no more than it declares. */
  textOf: (name: string) => AsyncIterable<string>;
  close: () => void;
}

/** Limits on what a workbook may declare, bytes; undefined: none. */
export interface PartBounds {
  bytes: number | undefined;
}

const XML = /\.(?:xml|rels)$/i;

const OPTIONS = { lazyEntries: true, autoClose: false } as const satisfies Options;

/**
 * Opens the zip of a workbook: its path, or its bytes.
 *
 * @throws TableError when its parts of XML are together too large; Error when it is damaged.
 */
export async function openParts(source: string | Uint8Array, { bytes: most }: PartBounds): Promise<Parts> {
  const zip = await zipOf(source);
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of entriesOf(zip)) {
      entries.set(entry.fileName, entry);
      if (!XML.test(entry.fileName)) continue;
      bytes += entry.uncompressedSize;
      if (most !== undefined && bytes > most) throw tooLarge();
    }
  } catch (error) {
    zip.close();
    throw error;
  }
  async function* textOf(name: string): AsyncGenerator<string> {
    const entry = entries.get(name);
    if (entry === undefined)
      throw new TableError(`The workbook lacks its part ${name}. Save it again as .xlsx or CSV.`);
    const decoder = new TextDecoder();
    const stream = await streamOf(zip, entry);
    for await (const chunk of stream) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  }
  return { names: new Set(entries.keys()), textOf, close: () => zip.close() };
}

function zipOf(source: string | Uint8Array): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
  const done = (error: Error | null, zip: ZipFile): void => (error === null ? resolve(zip) : reject(error));
  if (typeof source === 'string') open(source, OPTIONS, done);
  else fromBuffer(Buffer.from(source.buffer, source.byteOffset, source.byteLength), OPTIONS, done);
  return promise;
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (let left = zip.entryCount; left > 0; left--) {
    const { promise, resolve, reject } = Promise.withResolvers<Entry>();
    zip.once('entry', resolve);
    zip.once('error', reject);
    zip.readEntry();
    yield await promise;
    zip.removeAllListeners('error');
  }
}

function streamOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<AsyncIterable<Buffer>>();
  zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
  return promise;
}
