import { delimiterIn } from '../kernel/csv/csv.ts';
import { readRows, TableError } from '../kernel/csv/read.ts';
import { findLayout, type Layout, LOOKED_AT } from '../decode/column.ts';
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
 * Reads a file once, no further than what is too much or than it takes to see that it has no VINs.
 *
 * @param signal aborted when nobody waits for it any more; then this throws.
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
