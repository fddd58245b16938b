import { LOOKED_AT, TableError } from '@marque/catalog/tables';

import { type FileRead, readFile } from './read-file.ts';
import { readParquet } from './read-parquet.ts';
import { readWorkbook } from '../kernel/csv/workbook-in.ts';
import { filledRows } from '../kernel/csv/unpacked.ts';
import { readSentJson, type SentJson } from './sent-json.ts';

/** A file whose table takes long to read at once: one that has to be unpacked, or a large text of JSON. */
export type PackedFile<Bytes = Uint8Array<ArrayBuffer>> = PackedTable<Bytes> | SentJson<Bytes>;

/** A file that has to be unpacked before its table can be read. */
export interface PackedTable<Bytes = Uint8Array<ArrayBuffer>> {
  form: 'workbook' | 'parquet';
  bytes: Bytes;
  /** The column of VINs that was asked for; empty: detected. */
  column: string;
  /** Rows that it may have: a few more are enough to see that there are too many. */
  mostRows: number;
  /** Bytes that its pages may have. */
  mostBytes: number;
}

/** Its table, in the pages that are stored: they are handed to another thread much faster than cells. */
export type Unpacked = FileRead | { kind: 'refused'; message: string };

const DAMAGED = {
  workbook: 'The workbook is damaged. Open it, and save it as .xlsx or CSV.',
  parquet: 'The Parquet file is damaged, or has a part that is not read here. Send it as CSV or .xlsx.',
};

/**
 * Reads a stranger's file: rows with any text, as text. It takes memory, so that it runs in a thread with little of it.
 */
export async function unpack(file: PackedFile): Promise<Unpacked> {
  return isJson(file) ? readSentJson(file) : unpackTable(file);
}

function isJson(file: PackedFile): file is Exclude<PackedFile, PackedTable> {
  return file.form === 'json' || file.form === 'lines';
}

async function unpackTable({ form, bytes, column, mostRows, mostBytes }: PackedTable): Promise<Unpacked> {
  // Titles and names, and the row that is too many.
  const most = mostRows + LOOKED_AT + 1;
  try {
    const table = form === 'workbook' ? await readWorkbook(bytes, column, most) : await readParquet(bytes.buffer, most);
    const content = { kind: 'rows', ...table, rows: filledRows(table.rows, most) } as const;
    return await readFile(content, column, { rows: mostRows, bytes: mostBytes });
  } catch (error) {
    // The libraries throw errors of any type.
    return { kind: 'refused', message: error instanceof TableError ? error.message : DAMAGED[form] };
  }
}
