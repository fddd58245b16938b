import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { parse } from 'csv-parse';

import type { Column, Page } from '../../kernel/csv/csv.ts';
import type { ColumnKind } from '../../kernel/csv/kinds.ts';
import { parquetOf } from '../../kernel/csv/parquet.ts';
import { type Io, type Output, write } from '../../kernel/cli/io.ts';
import { isNumberColumn } from '../../report/index.ts';
import { ADDED_COLUMNS } from './block.ts';

/** Rows of a row group: as many are in memory at a time. */
const GROUP_ROWS = 10_000;

/** The columns of a table that gets more: the kinds of its own cells, and their delimiter. */
export interface OwnColumns {
  kinds: readonly ColumnKind[];
  delimiter: string;
}

/** Runs a command that prints CSV, and writes that to standard output as Parquet instead. */
export async function asParquet<T>(
  io: Io,
  run: (io: Io, onTable: (table: OwnColumns) => void) => Promise<T>,
): Promise<T> {
  // The writer frees the bytes at once, and the parser keeps the beginning of a row.
  const csv = new Transform({ transform: (chunk: Uint8Array, _encoding, done) => done(null, Buffer.from(chunk)) });
  let own: OwnColumns = { kinds: [], delimiter: ',' };
  const running = run({ ...io, stdout: csv }, (table) => (own = table)).then(
    (result) => {
      csv.end();
      return result;
    },
    (error: Error) => {
      csv.destroy(error);
      throw error;
    },
  );
  const [result] = await Promise.all([running, writeParquet(csv, () => own, io.stdout)]);
  return result;
}

async function writeParquet(csv: Readable, ownColumns: () => OwnColumns, output: Output): Promise<void> {
  const [first, chunks] = await headed<Buffer>(csv);
  if (first === undefined) return;
  async function* all(beginning: Buffer): AsyncGenerator<Buffer> {
    yield beginning;
    yield* chunks;
  }
  const { delimiter, kinds } = ownColumns();
  await pipeline(
    Readable.from(all(first)),
    parse({ delimiter, relax_column_count: true }),
    async (lines: AsyncIterable<string[]>) => {
      const [names, rows] = await headed(lines);
      if (names === undefined) return;
      async function* pages(): AsyncGenerator<Page> {
        for await (const row of rows) yield [row];
      }
      for await (const bytes of parquetOf(columnsOf(names, kinds), pages(), GROUP_ROWS)) await write(output, bytes);
    },
  );
}

/** Returns the first one of many, and those after it. */
async function headed<Item>(items: AsyncIterable<Item>): Promise<[Item | undefined, AsyncIterable<Item>]> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  return [first.done === true ? undefined : first.value, { [Symbol.asyncIterator]: () => iterator }];
}

/** Returns the columns of a table; the last ones are those of the report. */
function columnsOf(names: readonly string[], kinds: readonly ColumnKind[]): Column[] {
  const own = names.length - ADDED_COLUMNS.length;
  return names.map((name, index): Column => {
    if (index < own) return { name, kind: kinds[index] ?? 'text' };
    return { name, kind: isNumberColumn(ADDED_COLUMNS[index - own] ?? '') ? 'double' : 'text' };
  });
}
