import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';

import { parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';

/**
 * Reads a table with the library that Marque uses, and writes its rows again: the yardsticks of `tables.ts`.
 *
 * `csv FILE`, `workbook FILE` to CSV, and `parquet FILE` to Parquet; with `SAMPLE`, the last cells of the sample's rows
 * are added in turns.
 */
const [form, file = '', sample] = process.argv.slice(2);

/** Characters that are written at once. */
const CHUNK_CHARACTERS = 65_536;

/** Rows that are read and written together. */
const GROUP_ROWS = 10_000;

const OWN_COLUMNS = 12;

/** The names of added columns, and their cells for rows in turns. */
const [addedNames = [], ...added] =
  sample === undefined ? [] : parseNow(readFileSync(sample)).map((cells: string[]) => cells.slice(OWN_COLUMNS));

if (form === 'parquet') await rewriteParquet();
else await writeCsv(form === 'workbook' ? rowsOfWorkbook() : createReadStream(file).pipe(parse()));

async function writeCsv(rows: AsyncIterable<string[]>): Promise<void> {
  let [chunk, row] = ['', 0];
  for await (const cells of rows) {
    const all = added.length === 0 ? cells : [...cells, ...(added[row++ % added.length] ?? [])];
    chunk += `${all.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    chunk = '';
  }
  process.stdout.write(chunk);
}

/** Yields the rows of a sheet whose cells have their texts in them. */
async function* rowsOfWorkbook(): AsyncGenerator<string[]> {
  const { Parser } = await import('saxen');
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  let rows: string[][] = [];
  let [cells, value]: [string[], string] = [[], ''];
  const parser = new Parser();
  parser.on('openTag', (name) => {
    if (name === 'row') cells = [];
    else if (name === 'c') value = '';
  });
  parser.on('text', (text, decode) => (value += decode(text)));
  parser.on('closeTag', (name) => {
    if (name === 'c') cells.push(value);
    else if (name === 'row') rows.push(cells);
  });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue;
    const decoder = new TextDecoder();
    for await (const part of await zip.openReadStreamPromise(entry)) {
      parser.write(decoder.decode(part, { stream: true }));
      yield* rows;
      rows = [];
    }
  }
  zip.close();
}

async function rewriteParquet(): Promise<void> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const source = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(source);
  const own = parquetSchema(metadata).children.map(({ element }) => element.name);
  const names = [...own, ...addedNames];
  const root = { name: 'root', num_children: names.length };
  const schema = [
    root,
    ...names.map(
      (name) => ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }) as const,
    ),
  ];
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema });
  const flush = async (): Promise<void> => {
    const written = Buffer.from(bytes.getBytes());
    bytes.index = 0;
    if (!process.stdout.write(Uint8Array.from(written))) await once(process.stdout, 'drain');
  };
  for (let from = 0; from < Number(metadata.num_rows); from += GROUP_ROWS) {
    const range = { rowStart: from, rowEnd: from + GROUP_ROWS };
    const rows = await parquetReadObjects({ file: source, metadata, compressors, ...range });
    const columnData = names.map((name, place) => {
      const cellOf = (index: number): string | undefined => added[index % added.length]?.[place - own.length];
      return { name, data: rows.map((row, index) => (place < own.length ? String(row[name]) : cellOf(index) || null)) };
    });
    await writer.write({ columnData, rowGroupSize: rows.length });
    await flush();
  }
  await writer.finish();
  await flush();
}
