import { cutShort, DumpError } from './dump-error.ts';

/** Takes the rows of one table. A null is PostgreSQL's `\N`. */
export type TakeRow = (fields: (string | null)[]) => void;

/** Returns the reader of a table's rows, in the order of these columns; undefined: skip it. */
export type ChooseTable = (table: string, columns: readonly string[]) => TakeRow | undefined;

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const FULL_STOP = 0x2e;
/** The end of a block, with the line break before it. */
const END_OF_BLOCK = Buffer.from('\n\\.\n');
/** No line of a vPIC dump comes near; a file without line breaks must not fill the memory. */
const LONGEST_LINE_BYTES = 1 << 20;
/** pg_dump writes its title into the first lines. */
const TITLE = 'PostgreSQL database dump';
const TITLE_WITHIN_LINES = 10;

/**
 * Reads the COPY blocks of a pg_dump in plain format from its bytes, in pieces of any size. Statements between the
 * blocks are skipped, and so are blocks that are not requested.
 */
export class CopyReader {
  readonly #choose: ChooseTable;
  #rest: Buffer = Buffer.alloc(0);
  /** Statements before the first title; then the row within a table, for messages. */
  #line = 0;
  #atFirstRow = false;
  #table = '';
  #columns = 0;
  #take: TakeRow | undefined;
  #where: 'statements' | 'rows' | 'skipped rows' = 'statements';
  #titled = false;
  #complete = false;

  constructor(choose: ChooseTable) {
    this.#choose = choose;
  }

  /** Reads a piece. @throws DumpError when this is not a dump of PostgreSQL, or a row does not fit its table. */
  write(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (at < bytes.length) {
      const next = this.#where === 'skipped rows' ? this.#skip(bytes, at) : this.#readLine(bytes, at);
      if (next < 0) break;
      at = next;
    }
    this.#rest = bytes.subarray(at);
    if (this.#rest.length > LONGEST_LINE_BYTES)
      throw new DumpError('This is not a PostgreSQL dump: a line is endless.');
  }

  /** @throws DumpError when the dump is not whole. */
  end(): void {
    if (this.#where !== 'statements') throw cutShort(`in the middle of the table ${this.#table}`);
    if (!this.#titled) throw notADump();
    if (!this.#complete) throw cutShort('before the end of the dump');
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return -1;
    this.#line++;
    if (this.#where === 'statements') this.#readStatement(bytes.toString('utf8', at, end));
    else if (bytes[at] === BACKSLASH && bytes[at + 1] === FULL_STOP) this.#where = 'statements';
    else this.#readRow(bytes.toString('utf8', at, end));
    return end + 1;
  }

  /** Skips to the end of the block, or as far as the piece goes; the block's end may be cut in two by it. */
  #skip(bytes: Buffer, at: number): number {
    if (bytes.length - at < END_OF_BLOCK.length) return -1;
    // The line break before the end of an empty block is that of its header.
    const empty = this.#atFirstRow;
    this.#atFirstRow = false;
    if (empty && bytes[at] === BACKSLASH && bytes[at + 1] === FULL_STOP && bytes[at + 2] === NEWLINE) {
      this.#where = 'statements';
      return at + 3;
    }
    const end = bytes.indexOf(END_OF_BLOCK, at);
    if (end < 0) return bytes.length - END_OF_BLOCK.length + 1;
    this.#where = 'statements';
    return end + END_OF_BLOCK.length;
  }

  #readStatement(line: string): void {
    if (line.includes(TITLE)) {
      this.#titled = true;
      if (line.includes('dump complete')) this.#complete = true;
    }
    if (!this.#titled && this.#line > TITLE_WITHIN_LINES) throw notADump();
    const match = /^COPY (\S+) \((.*)\) FROM stdin;$/.exec(line);
    if (match === null) return;
    const [, name = '', list = ''] = match;
    this.#table = name.slice(name.indexOf('.') + 1).replaceAll('"', '');
    const columns = list.split(', ').map((column) => column.replaceAll('"', ''));
    this.#columns = columns.length;
    this.#take = this.#choose(this.#table, columns);
    this.#line = 0;
    this.#atFirstRow = true;
    this.#where = this.#take === undefined ? 'skipped rows' : 'rows';
  }

  #readRow(line: string): void {
    const fields = line.split('\t');
    if (fields.length !== this.#columns) {
      throw new DumpError(
        `Row ${this.#line} of the table ${this.#table} has ${fields.length} columns instead of ${this.#columns}. Download the file again.`,
      );
    }
    this.#take?.(line.includes('\\') ? fields.map(unescape) : fields);
  }
}

function notADump(): DumpError {
  return new DumpError('This is not a PostgreSQL dump. Take the download whose name ends in .plain.zip.');
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Reads COPY's text format: `\N` alone is null, other escapes as in C. */
function unescape(field: string): string | null {
  if (field === '\\N') return null;
  if (!field.includes('\\')) return field;
  return field.replaceAll(/\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2}|.)/gs, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}
