import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';

/** How a source writes its table. */
export interface RecordFormat {
  separator?: ',' | ';' | '\t';
  encoding?: 'utf-8' | 'windows-1252';
  /** Lines before the header. */
  skip?: number;
  /** False where a quotation mark is a character like any other. */
  quotes?: boolean;
}

/**
 * Streams the records of a table with a header line, whatever its size: .csv or .txt, .gz, or the first member of a .zip.
 * A record with fewer fields than the header lacks the last ones; more are left out.
 */
export async function* readRecords(
  file: string,
  format: RecordFormat = {},
): AsyncGenerator<ReadonlyMap<string, string>> {
  let header: string[] | undefined;
  let skip = format.skip ?? 0;
  for await (const fields of lines(await openText(file), format)) {
    if (skip > 0) skip--;
    else if (header === undefined) header = fields.map((name) => name.trim());
    else yield new Map(header.map((name, index) => [name, fields[index]?.trim() ?? '']));
  }
}

async function openText(file: string): Promise<Readable> {
  if (file.endsWith('.gz')) return createReadStream(file).pipe(createGunzip());
  if (!file.endsWith('.zip')) return createReadStream(file);
  const { start, end, deflated } = await firstMember(file);
  const raw = createReadStream(file, { start, end });
  return deflated ? raw.pipe(createInflateRaw()) : raw;
}

/** Where the first member of a zip stands (APPNOTE 4.3.7 and 4.3.12: the central directory knows the sizes). */
async function firstMember(file: string): Promise<{ start: number; end: number; deflated: boolean }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, 66_000));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const directoryEnd = tail.lastIndexOf('PK\u0005\u0006', tail.length, 'latin1');
    if (directoryEnd < 0) throw new Error(`${file} is no zip file, or is cut short.`);
    const entry = Buffer.alloc(46);
    await handle.read(entry, 0, 46, tail.readUInt32LE(directoryEnd + 16));
    const local = Buffer.alloc(30);
    const at = entry.readUInt32LE(42);
    await handle.read(local, 0, 30, at);
    const start = at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    return { start, end: start + entry.readUInt32LE(20) - 1, deflated: entry.readUInt16LE(10) === 8 };
  } finally {
    await handle.close();
  }
}

async function* lines(stream: Readable, format: RecordFormat): AsyncGenerator<string[]> {
  const { separator = ',', quotes = true } = format;
  const decoder = new TextDecoder(format.encoding ?? 'utf-8');
  let rest = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = endOfRecord(rest, start, quotes); end >= 0; end = endOfRecord(rest, start, quotes)) {
      const line = rest.slice(start, end).replace(/\r$/, '');
      if (line !== '') yield splitLine(line, separator, quotes);
      start = end + 1;
    }
    rest = rest.slice(start);
  }
  if (rest.trim() !== '') yield splitLine(rest.replace(/\r?\n?$/, ''), separator, quotes);
}

/** The line break that ends a record: not one within quotation marks. */
function endOfRecord(text: string, start: number, quotes: boolean): number {
  for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (!quotes || (text.slice(start, end).split('"').length - 1) % 2 === 0) return end;
  }
  return -1;
}

function splitLine(line: string, separator: string, quotes: boolean): string[] {
  const plain = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  if (!quotes || !plain.includes('"')) return plain.split(separator);
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < plain.length; at++) {
    const character = plain.charAt(at);
    if (character === '"') {
      if (quoted && plain[at + 1] === '"') field += plain.charAt(++at);
      else quoted = !quoted;
    } else if (character === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
}
