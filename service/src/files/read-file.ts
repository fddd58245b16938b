import { findLayout, type Layout, LOOKED_AT } from '../decode/column.ts';
import { delimiterIn, isUtf16 } from '../kernel/csv/csv.ts';
import { readRows, TableError } from '../kernel/csv/read.ts';
import { PageWriter, type StoredPage } from './file-pages.ts';

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

/**
 * Reads a file once, and stops as soon as it is too large or turns out to have no VINs.
 *
 * @param signal aborted when the sender has disconnected; then this throws.
 */
export async function readFile(
  sent: string,
  column: string,
  mostRows: number,
  signal: AbortSignal | undefined,
): Promise<FileRead | { kind: 'refused'; message: string }> {
  // PostgreSQL holds no NUL, and no VIN has one.
  const text = sent.replaceAll('\0', '');
  const table = new Table(column);
  try {
    for await (const row of readRows(text)) {
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
  return { kind: 'read', layout, header, delimiter: delimiterIn(text), width: table.width, count, pages };
}

/** The rows of a file. Where its VINs are is found in the first ones, which wait until then. */
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

const TEXT_ENDINGS = /\.(?:csv|tsv|txt)$/i;
const WORKBOOK_ENDINGS = /\.(?:xlsx?|xlsm|ods|numbers)$/i;

/** The first bytes of compressed and other binary formats: nothing is unpacked here. */
const PACKED = [
  [0x50, 0x4b],
  [0x1f, 0x8b],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x25, 0x50, 0x44, 0x46],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x42, 0x5a, 0x68],
];

/** Why a file is not a list of VINs, by its name and its content; undefined: it may be one. */
export function fileFault(name: string, bytes: Uint8Array): string | undefined {
  const isPacked = PACKED.some((start) => start.every((byte, index) => bytes[index] === byte));
  if (WORKBOOK_ENDINGS.test(name) || (isPacked && TEXT_ENDINGS.test(name)))
    return 'This is a workbook or a compressed file. Save the sheet as CSV, and send that.';
  const hasOtherEnding = /\.[A-Za-z0-9]{1,8}$/.test(name) && !TEXT_ENDINGS.test(name);
  if (hasOtherEnding || isPacked || hasNul(bytes)) return 'This is not a text file. Send a CSV or text file.';
  return undefined;
}

/** UTF-16, which has a mark at its beginning, is full of zero bytes; any other text has none. */
function hasNul(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.includes(0);
}
