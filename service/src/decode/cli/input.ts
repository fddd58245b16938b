import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import { encodingNamed, guess, kindOfFile, markedEncoding, type Row, unusualLines } from '@marque/catalog/tables';

import { CommandError, type Io } from '../../kernel/cli/io.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import { LONGEST_JSON_LINE } from './lines.ts';
import type { Progress } from './progress.ts';

/** A table whose form has rows of its own: Parquet, or a workbook. */
export interface InputTable {
  form: string;
  /** The names of its columns, where the form has them apart from the rows. */
  names?: readonly string[];
  /** Returns the kinds of its columns, for which a workbook is read to its end. */
  kinds: () => Promise<readonly ColumnKind[]>;
  rows: AsyncIterable<readonly Row[]>;
}

/** A file that is being read, and how far it is. */
export interface InputFile {
  /** Its text as UTF-8 or strings; empty where there is a table. */
  chunks: AsyncIterable<Uint8Array | string>;
  /** Its size; undefined if it has none, as standard input. */
  bytes: number | undefined;
  /** The beginning of its text: enough to recognize the kind of file. */
  beginning: string;
  /** True if this is all of it. */
  isWhole: boolean;
  /** The encoding of its text. */
  encoding: string;
  table?: InputTable;
  progress: Progress;
}

/** Bytes of the beginning from which the kind of file is recognized. */
const LOOKED_AT_BYTES = 65_536;

/** More of them are looked at where the first line is longer: as many as are kept of any line of JSON. */
const LONGEST_FIRST_LINE = 3 * LONGEST_JSON_LINE;

/**
 * The time that the rest of the beginning may take to come, in milliseconds: a program that sends line by line waits
 * for the answer to each.
 */
const WAITED_MS = 200;

/** A request to read a file. */
interface InputOrder {
  /** `-`: standard input. */
  file: string;
  /** Undefined: detected. */
  encoding: string | undefined;
  /** The column of VINs requested, which selects the sheet of a workbook. */
  column: string | undefined;
}

type Source = AsyncIterator<Buffer | string>;

/**
 * Opens a file, or standard input for `-`.
 *
 * @throws CommandError when it cannot be read, or is not text, or its encoding is not clear.
 */
export async function openInput({ file, encoding: asked, column = '' }: InputOrder, io: Io): Promise<InputFile> {
  const size = file === '-' ? undefined : await sizeOf(file);
  const isStream = size === undefined;
  const source: Source = (file === '-' ? io.stdin : createReadStream(file))[Symbol.asyncIterator]();
  const { start, rest } = await beginningOf(source);
  const name = file === '-' ? 'Standard input' : file;
  const found = kindOfFile(start);
  if (found.kind === 'refused') throw new CommandError(`${name} is ${found.what}.`);
  if (found.kind === 'zip') {
    if (isStream) return workbookInput(name, await allOf(name, start, rest), column, size);
    await source.return?.();
    return workbookInput(name, file, column, size);
  }
  if (found.kind === 'parquet') {
    await source.return?.();
    if (isStream) throw new CommandError('Parquet cannot be read from a pipe. Give the path of the file with --file.');
    return parquetInput(file, size);
  }
  const encoding = await encodingFor({ name, start, asked, all: () => (isStream ? [start] : createReadStream(file)) });
  // Text in any encoding but UTF-16 and UTF-32 has no zero byte.
  if (!encoding.startsWith('utf-16') && start.includes(0)) {
    throw new CommandError(`${name} is not a text file. Give a text or CSV file, a workbook (.xlsx), or Parquet.`);
  }
  // Loaded here: a VIN on the command line needs no bar.
  const { progressOf } = await import('./progress.ts');
  const progress = progressOf(size, io.stderr, io.stdout.isTTY === true);
  return {
    chunks: textOf(name, encoding, start, rest, progress),
    bytes: size,
    beginning: new TextDecoder(encoding).decode(start, { stream: true }),
    isWhole: rest === undefined,
    encoding,
    progress,
  };
}

/**
 * Reads the beginning: whole lines if it comes at once, else the bytes of the first moment. `rest`: undefined: that was
 * all.
 */
async function beginningOf(source: Source): Promise<{ start: Buffer; rest: AsyncIterable<Buffer> | undefined }> {
  const parts: Buffer[] = [];
  let [bytes, hasText, hasLine] = [0, false, false];
  let next = source.next();
  while (bytes < (hasLine ? LOOKED_AT_BYTES : LONGEST_FIRST_LINE)) {
    const late = hasLine ? lateAfter(WAITED_MS) : undefined;
    const result = await (late === undefined ? next : Promise.race([next, late.promise]));
    late?.cancel();
    if (result === undefined) break;
    if (result.done === true) return { start: Buffer.concat(parts), rest: undefined };
    const part = Buffer.from(result.value);
    parts.push(part);
    bytes += part.length;
    // Blank lines come before the first one that has something.
    const text = hasText ? part.toString('latin1') : part.toString('latin1').replace(/^[\s\0]+/, '');
    hasText ||= text !== '';
    hasLine ||= /[\n\r]/.test(text);
    next = source.next();
  }
  async function* rest(): AsyncGenerator<Buffer> {
    for (let result = await next; result.done !== true; result = await source.next()) yield Buffer.from(result.value);
  }
  return { start: Buffer.concat(parts), rest: rest() };
}

function lateAfter(ms: number): { promise: Promise<undefined>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  return { promise, cancel: () => clearTimeout(timer) };
}

/** A workbook from a pipe is read whole into memory. */
const MOST_PIPED_BYTES = 512_000_000;

async function allOf(name: string, start: Buffer, rest: AsyncIterable<Buffer> | undefined): Promise<Buffer> {
  const all = [start];
  let bytes = start.length;
  for await (const chunk of rest ?? []) {
    all.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_PIPED_BYTES)
      throw new CommandError(
        `${name} has more than ${MOST_PIPED_BYTES / 1_000_000} MB, the most for a workbook from a pipe. Save it as a file, and give its path with --file.`,
      );
  }
  return Buffer.concat(all);
}

/** Yields the text of a file, which is checked as it comes: no character is replaced. */
async function* textOf(
  name: string,
  encoding: string,
  start: Buffer,
  rest: AsyncIterable<Buffer> | undefined,
  progress: Progress,
): AsyncGenerator<Uint8Array | string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' });
  const isUtf8 = encoding === 'utf-8';
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(withoutMark(start), rest)) {
      progress.advance(chunk.length);
      const text = decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      yield isUtf8 ? chunk : text;
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(
      `${name} is not ${encoding} after its first ${bytes} bytes. Name its encoding with --encoding, or save it as UTF-8.`,
    );
  }
}

/** Returns the bytes without the mark of UTF-8: the text that is looked at first has none either. */
function withoutMark(start: Buffer): Buffer {
  return start.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? start.subarray(UTF8_MARK.length) : start;
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

async function* chunksOf(start: Buffer, rest: AsyncIterable<Buffer> | undefined): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  if (rest !== undefined) yield* rest;
}

/**
 * Returns the encoding of a text: the one requested, else the one that its bytes indicate; a file is read to its end
 * for that, and a pipe or device is not: it may have none, and can be read once.
 */
async function encodingFor(sent: {
  name: string;
  start: Buffer;
  asked: string | undefined;
  /** The bytes that show the encoding. */
  all: () => AsyncIterable<Buffer> | Iterable<Buffer>;
}): Promise<string> {
  const { name, start, asked, all } = sent;
  const marked = markedEncoding(start);
  if (marked !== undefined) return marked;
  if (asked !== undefined) {
    const encoding = encodingNamed(asked);
    if (encoding === undefined)
      throw new CommandError(`${asked} is not the name of an encoding, such as windows-1252.`);
    return encoding;
  }
  const sample = await legacySample(all());
  if (sample === undefined) return 'utf-8';
  const found = guess(sample);
  if (found.kind === 'unclear') throw new CommandError(`${name}: ${found.message} The option is --encoding.`);
  return found.encoding;
}

/** Returns lines that show the encoding of a text that is not UTF-8; undefined if it is UTF-8. */
async function legacySample(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Uint8Array | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: Uint8Array[] = [];
  let [size, isUtf8, isFirst] = [0, true, true];
  for await (const chunk of chunks) {
    if (isUtf8) {
      try {
        decoder.decode(chunk, { stream: true });
      } catch {
        isUtf8 = false;
      }
    }
    // Lines that a chunk cuts are left out: a character could be cut as well.
    const from = isFirst ? 0 : chunk.indexOf(0x0a) + 1;
    const to = chunk.lastIndexOf(0x0a) + 1;
    const lines = unusualLines(to > from ? chunk.subarray(from, to) : chunk);
    if (size < LOOKED_AT_BYTES) parts.push(lines);
    size += lines.length;
    if (!isUtf8 && size >= LOOKED_AT_BYTES) break;
    isFirst = false;
  }
  return isUtf8 ? undefined : Buffer.concat(parts);
}

/**
 * Opens a Parquet file. Loaded on demand. Without a progress bar: the size of the file does not predict the length of
 * its text.
 */
async function parquetInput(file: string, bytes: number | undefined): Promise<InputFile> {
  const { openParquet } = await import('./parquet-input.ts');
  return tableInput(await openParquet(file), bytes);
}

async function workbookInput(
  name: string,
  workbook: string | Uint8Array,
  column: string,
  bytes: number | undefined,
): Promise<InputFile> {
  const { openWorkbook } = await import('./workbook-input.ts');
  return tableInput(await openWorkbook(name, workbook, column), bytes);
}

async function tableInput(table: InputTable, bytes: number | undefined): Promise<InputFile> {
  const { SILENT } = await import('./progress.ts');
  return { chunks: NO_CHUNKS, bytes, beginning: '', isWhole: true, encoding: 'utf-8', table, progress: SILENT };
}

const NO_CHUNKS: AsyncIterable<string> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: '' }) }),
};

/** Returns the size of a file; undefined: it is a pipe or a device, and is read as standard input. */
async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isDirectory()) throw new CommandError(`Cannot read the file ${file}.`);
  return found.isFile() ? found.size : undefined;
}
