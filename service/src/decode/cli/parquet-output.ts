import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { parse } from 'csv-parse';

import { type Column, delimiterIn, LENIENT, type Page } from '../../kernel/csv/csv.ts';
import { parquetOf } from '../../kernel/csv/parquet.ts';
import { type Io, type Output, write } from '../../kernel/cli/io.ts';
import { isNumberColumn } from '../../report/cells.ts';
import { ADDED_COLUMNS } from './block.ts';

/** Rows of a row group: as many are in memory at a time. */
const GROUP_ROWS = 10_000;

/** Runs a command that prints CSV, and writes that to standard output as Parquet instead. */
export async function asParquet<T>(io: Io, run: (io: Io) => Promise<T>): Promise<T> {
  // Who writes frees the bytes at once, and the parser keeps the beginning of a row.
  const csv = new Transform({ transform: (chunk: Uint8Array, _encoding, done) => done(null, Buffer.from(chunk)) });
  const running = run({ ...io, stdout: csv }).then(
    (result) => {
      csv.end();
      return result;
    },
    (error: Error) => {
      csv.destroy(error);
      throw error;
    },
  );
  const [result] = await Promise.all([running, writeParquet(csv, io.stdout)]);
  return result;
}

async function writeParquet(csv: Readable, output: Output): Promise<void> {
  const [first, chunks] = await headed<Buffer>(csv);
  if (first === undefined) return;
  async function* all(beginning: Buffer): AsyncGenerator<Buffer> {
    yield beginning;
    yield* chunks;
  }
  const options = { ...LENIENT, skip_empty_lines: false, delimiter: delimiterIn(String(first)) };
  await pipeline(Readable.from(all(first)), parse(options), async (lines: AsyncIterable<string[]>) => {
    const [names, rows] = await headed(lines);
    if (names === undefined) return;
    async function* pages(): AsyncGenerator<Page> {
      for await (const row of rows) yield [row];
    }
    for await (const bytes of parquetOf(columnsOf(names), pages(), GROUP_ROWS)) await write(output, bytes);
  });
}

/** The first one of many, and those after it. */
async function headed<Item>(items: AsyncIterable<Item>): Promise<[Item | undefined, AsyncIterable<Item>]> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return [first.done === true ? undefined : first.value, { [Symbol.asyncIterator]: () => iterator }];
}

/** The last columns are those of the report. */
function columnsOf(names: readonly string[]): Column[] {
  const own = names.length - ADDED_COLUMNS.length;
  return names.map((name, index) => ({ name, isNumber: index >= own && isNumberColumn(name) }));
}
