import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { parse } from 'csv-parse';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

import { delimiterIn, LENIENT } from '../../kernel/csv/csv.ts';
import { type Io, type Output, write } from '../../kernel/cli/io.ts';
import { ADDED_COLUMNS } from './block.ts';

/** Rows of a row group: as many as are in memory at a time. */
const ROWS_A_GROUP = 10_000;

/** Fields of a report that end in a unit are numbers. */
const NUMBER = /(?:Cc|Kg|Kw|Kwh|Liters|Mm)$/;

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
  const chunks: AsyncIterator<Buffer> = csv[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  async function* all(): AsyncGenerator<Buffer> {
    for (let next: IteratorResult<Buffer> = first; next.done !== true; next = await chunks.next()) yield next.value;
  }
  const options = { ...LENIENT, skip_empty_lines: false, delimiter: delimiterIn(String(first.value)) };
  await pipeline(Readable.from(all()), parse(options), async (rows: AsyncIterable<string[]>) => {
    let table: ParquetTable | undefined;
    for await (const row of rows) {
      if (table === undefined) table = new ParquetTable(row, output);
      else await table.add(row);
    }
    await table?.end();
  });
}

/** A table on its way out, a row group in memory at a time. Empty cells are null. */
class ParquetTable {
  readonly #names: readonly string[];
  readonly #isNumber: readonly boolean[];
  readonly #output: Output;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: string[][] = [];

  constructor(names: readonly string[], output: Output) {
    this.#names = names;
    const added = names.length - ADDED_COLUMNS.length;
    this.#isNumber = names.map((name, index) => index >= added && NUMBER.test(name));
    this.#output = output;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: names.length }, ...names.map((name, index) => this.#element(name, index))],
    });
  }

  #element(name: string, index: number) {
    return this.#isNumber[index] === true
      ? { name, type: 'DOUBLE' as const, repetition_type: 'OPTIONAL' as const }
      : { name, type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const, repetition_type: 'OPTIONAL' as const };
  }

  async add(row: string[]): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= ROWS_A_GROUP) await this.#writeGroup();
  }

  async end(): Promise<void> {
    if (this.#rows.length > 0) await this.#writeGroup();
    await this.#writer.finish();
    await this.#flush();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const columnData = this.#names.map((name, index) => ({
      name,
      data: rows.map((row) => valueOf(row[index] ?? '', this.#isNumber[index] === true)),
    }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
    await this.#flush();
  }

  async #flush(): Promise<void> {
    await write(this.#output, this.#bytes.getBytes().slice());
    this.#bytes.index = 0;
  }
}

function valueOf(cell: string, isNumber: boolean): string | number | null {
  if (cell === '') return null;
  return isNumber ? Number(cell) : cell;
}
