import { findLayout, type Layout, LOOKED_AT } from '../decode/column.ts';
import { delimiterIn, isUtf16, textOf } from '../kernel/csv/csv.ts';
import { boundedRows, readRows, TableError } from '../kernel/csv/read.ts';
import { PageWriter, type StoredPage } from './file-pages.ts';
import type { PackedFile, Unpacked } from './unpack.ts';

/** What a file holds. */
interface FileRead {
  kind: 'read';
  layout: Extract<Layout, { kind: 'found' }>;
  /** The names of its columns; undefined: its first row is data. */
  header: readonly string[] | undefined;
  delimiter: string;
  /** Columns of its widest row. */
  width: number;
  /** Rows without the header. */
  count: number;
  pages: readonly StoredPage[];
}

/** What a file holds: text with lines or CSV, or the rows of a table of another form. */
export type FileContent = string | readonly string[][];

/**
 * Reads a file once, and stops as soon as it is too large or turns out to have no VINs.
 *
 * @param signal aborted when the sender has disconnected; then this throws.
 */
export async function readFile(
  content: FileContent,
  column: string,
  mostRows: number,
  signal: AbortSignal | undefined,
): Promise<FileRead | { kind: 'refused'; message: string }> {
  const { rows, delimiter } = tableIn(content);
  const table = new Table(column);
  try {
    for await (const row of rows) {
      signal?.throwIfAborted();
      table.add(row);
      if (table.rows > mostRows + 1 || table.layout?.kind === 'not-found') break;
    }
  } catch (error) {
    if (error instanceof TableError) return { kind: 'refused', message: error.message };
    throw error;
  }
  if (table.rows === 0) return { kind: 'refused', message: 'The file is empty. Choose one, or paste VINs.' };
  const { layout, header, count, pages } = table.end();
  if (layout.kind === 'not-found') return { kind: 'refused', message: layout.message };
  if (count > mostRows) {
    const message = `A file has at most ${mostRows} rows; this one has more. Send it in parts.`;
    return { kind: 'refused', message };
  }
  return { kind: 'read', layout, header, delimiter, width: table.width, count, pages };
}

/** The rows of a file, and the delimiter for its results. */
function tableIn(content: FileContent): { rows: AsyncIterable<string[]>; delimiter: string } {
  if (typeof content !== 'string') return { rows: boundedRows(content), delimiter: ',' };
  // PostgreSQL holds no NUL, and no VIN has one.
  const text = content.replaceAll('\0', '');
  return { rows: readRows(text), delimiter: delimiterIn(text) };
}

/** The rows of a file. The first rows wait until they show which column has the VINs. */
class Table {
  rows = 0;
  width = 0;
  layout: Layout | undefined;
  readonly #column: string;
  readonly #first: string[][] = [];
  readonly #writer = new PageWriter();

  constructor(column: string) {
    this.#column = column;
  }

  add(row: string[]): void {
    this.rows += 1;
    this.width = Math.max(this.width, row.length);
    if (this.layout !== undefined) this.#writer.add(row);
    else if (this.#first.push(row) === LOOKED_AT) this.layout = this.#begin();
  }

  end() {
    const layout = (this.layout ??= this.#begin());
    const header = layout.kind === 'found' && layout.hasHeader ? this.#first[0] : undefined;
    return { layout, header, count: this.#writer.end(), pages: this.#writer.pages };
  }

  #begin(): Layout {
    const layout = findLayout(this.#first, this.#column);
    const hasHeader = layout.kind === 'found' && layout.hasHeader;
    for (const row of hasHeader ? this.#first.slice(1) : this.#first) this.#writer.add(row);
    return layout;
  }
}

/** What a file is: text, or packed in one of the forms that are unpacked. */
type FileForm = { kind: 'text' } | { kind: 'packed'; form: PackedFile['form'] } | { kind: 'refused'; message: string };

const TEXT_ENDINGS = /\.(?:csv|tsv|txt)$/i;
const PACKED_ENDINGS = /\.(?:xls[xmb]?|ods|numbers|parquet)$/i;

/** The first bytes of what is unpacked. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const PARQUET = [0x50, 0x41, 0x52, 0x31];
/** Of workbooks before .xlsx, and of those with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];
/** Of gzip, PDF, Zstandard, and bzip2. */
const OTHERS = [
  [0x1f, 0x8b],
  [0x25, 0x50, 0x44, 0x46],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x42, 0x5a, 0x68],
];

/** What a file is, by its content, and by its name where the content does not tell. Pure. */
function formOf(name: string, bytes: Uint8Array): FileForm {
  const begins = (start: readonly number[]): boolean => start.every((byte, index) => bytes[index] === byte);
  if (begins(ZIP)) return { kind: 'packed', form: 'workbook' };
  if (begins(PARQUET)) return { kind: 'packed', form: 'parquet' };
  if (begins(COMPOUND)) {
    return refused('This is an old workbook, or one with a password. Save it as .xlsx or CSV, without a password.');
  }
  if (PACKED_ENDINGS.test(name)) return refused('This file is not what its name says. Save it as .xlsx or CSV.');
  const hasOtherEnding = /\.[A-Za-z0-9]{1,8}$/.test(name) && !TEXT_ENDINGS.test(name);
  if (hasOtherEnding || OTHERS.some(begins) || hasNul(bytes)) {
    return refused('This file holds no table. Send CSV, .xlsx, or Parquet.');
  }
  return { kind: 'text' };
}

function refused(message: string): { kind: 'refused'; message: string } {
  return { kind: 'refused', message };
}

/** UTF-16, which has a mark at its beginning, is full of zero bytes; any other text has none. */
function hasNul(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.includes(0);
}

/** A file as sent. */
interface SentFile extends Pick<PackedFile, 'column' | 'mostRows'> {
  name: string;
  bytes: Uint8Array;
}

/** The content of a file: its text, or the rows that `unpack` finds in it. */
export async function contentOf(
  { name, bytes, column, mostRows }: SentFile,
  unpack: (file: PackedFile) => Promise<Unpacked>,
): Promise<{ kind: 'content'; content: FileContent } | { kind: 'refused'; message: string }> {
  const form = formOf(name, bytes);
  if (form.kind === 'refused') return form;
  if (form.kind === 'text') return { kind: 'content', content: textOf(bytes) };
  const unpacked = await unpack({ form: form.form, bytes: new Uint8Array(bytes), column, mostRows });
  return unpacked.kind === 'refused' ? unpacked : { kind: 'content', content: unpacked.rows };
}
