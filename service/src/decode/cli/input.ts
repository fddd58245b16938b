import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import { CommandError, type Io } from '../../kernel/cli/io.ts';
import type { Progress } from './progress.ts';

/** A file that is being read, and how far it is. */
export interface InputFile {
  chunks: AsyncIterable<Buffer | string>;
  /** Its size; undefined: it has none, as standard input. */
  bytes: number | undefined;
  /** Its beginning, with the first line whole: enough to see what the file is. */
  beginning: string;
  /** Names of its columns, where the format itself has them: Parquet. */
  columns?: readonly string[];
  progress: Progress;
}

/** Longer first lines are not searched for names of columns. */
export const LONGEST_HEADER = 65_536;

/** First bytes of a Parquet file. */
const PARQUET = Buffer.from('PAR1');

/** First bytes of files that people take for text, with what they are and what to do. */
const NOT_TEXT: readonly { bytes: readonly number[]; what: string }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: 'an Excel workbook or another zip file. Save the sheet as CSV (UTF-8)' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: 'an Excel 97 workbook. Save the sheet as CSV (UTF-8)' },
  { bytes: [0xff, 0xfe], what: 'UTF-16 text. Save it as UTF-8' },
  { bytes: [0xfe, 0xff], what: 'UTF-16 text. Save it as UTF-8' },
  { bytes: [0x1f, 0x8b], what: 'compressed with gzip. Unpack it: gunzip -c FILE | marque decode' },
  {
    bytes: [0x50, 0x41, 0x52, 0x31],
    what: 'a Parquet file, which cannot be read from a pipe. Give its path with --file',
  },
  { bytes: [0x5b], what: 'a JSON list. Write one object or VIN per line: jq -c ".[]" FILE | marque decode' },
  { bytes: [0x25, 0x50, 0x44, 0x46], what: 'a PDF document. Save the VINs as text or CSV' },
];

/**
 * Opens a file, or standard input for `-`.
 *
 * @throws CommandError when it cannot be read, or is not text.
 */
export async function openInput(file: string, io: Io): Promise<InputFile> {
  const size = file === '-' ? undefined : await sizeOf(file);
  const source = (file === '-' ? io.stdin : createReadStream(file))[Symbol.asyncIterator]();
  const start = await firstLine(source);
  if (file !== '-' && start.subarray(0, PARQUET.length).equals(PARQUET)) {
    await source.return?.();
    return openTable(file, size);
  }
  refuseWhatIsNoText(file === '-' ? 'Standard input' : file, start);
  async function* chunks(): AsyncGenerator<Buffer | string> {
    if (start.length > 0) yield start;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  }
  // Loaded here: a VIN on the command line needs no bar.
  const { progressOf } = await import('./progress.ts');
  return {
    chunks: chunks(),
    bytes: size,
    beginning: String(start),
    progress: progressOf(size, io.stderr, io.stdout.isTTY === true),
  };
}

/** What comes until the first line is whole, as far as a header may be long: a pipe delivers a line in pieces. */
async function firstLine(source: AsyncIterator<Buffer | string>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < LONGEST_HEADER && !/[\r\n]/.test(start.toString('latin1'))) {
    const next = await source.next();
    if (next.done === true) break;
    start = Buffer.concat([start, Buffer.from(next.value)]);
  }
  return start;
}

/** Loaded on demand. Without a progress bar: the size of the file says nothing about the length of its text. */
async function openTable(file: string, bytes: number | undefined): Promise<InputFile> {
  const { openParquet } = await import('./parquet-input.ts');
  const { columns, header, rows } = await openParquet(file);
  async function* chunks(): AsyncGenerator<string> {
    yield header;
    yield* rows;
  }
  const { SILENT } = await import('./progress.ts');
  return { chunks: chunks(), bytes, beginning: header, columns, progress: SILENT };
}

async function sizeOf(file: string): Promise<number> {
  const size = await stat(file).then(
    (found) => (found.isDirectory() ? undefined : found.size),
    () => undefined,
  );
  if (size === undefined) throw new CommandError(`Cannot read the file ${file}.`);
  return size;
}

function refuseWhatIsNoText(name: string, start: Buffer): void {
  const known = NOT_TEXT.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte));
  if (known !== undefined) throw new CommandError(`${name} is ${known.what}.`);
  // Text in any encoding but UTF-16 and UTF-32 has no zero byte.
  if (start.includes(0)) throw new CommandError(`${name} is not a text file. Give a text or CSV file in UTF-8.`);
}
