import { decodeText, type Encoding } from './decode-text.ts';
import { openTable, TableError, type Watch } from './open-table.ts';

/** The format of a source's table. */
export interface RecordFormat {
  separator?: Separator;
  encoding?: Encoding;
  /** The letters of lines that are not UTF-8, where the encoding is not given. */
  otherwise?: Encoding;
  /** Lines before the header. */
  skip?: number;
  /** False where a quotation mark is a character like any other. */
  quotes?: boolean;
  /**
   * True if all records have as many fields as the header: then a quotation mark without its pair spoils its own line
   * alone.
   */
  isExact?: boolean;
}

/** NUL: none, each line is one field. */
type Separator = ',' | ';' | '\t' | '\0';

/** One record of a table, with the line of the file that it starts on. */
export interface TableLine {
  line: number;
  fields: readonly string[];
}

/**
 * The longest record, in characters. No source has one near this long: beyond, a quotation mark is missing, or the file
 * is not a table.
 */
const LONGEST_RECORD = 1 << 20;
/** Nor does a quoted field with line breaks end so late. */
const LONGEST_QUOTED = 1 << 16;

/**
 * Streams the records of a table with a header line, of any size: .csv or .txt, gzipped, or in a .zip. A record with
 * fewer fields than the header lacks the last ones; more are left out.
 *
 * @throws TableError when the file is damaged.
 */
export async function* readRecords(
  file: string,
  format: RecordFormat = {},
): AsyncGenerator<ReadonlyMap<string, string>> {
  let header: readonly string[] | undefined;
  const { separator = ',', encoding = 'utf-8' } = format;
  for await (const { fields } of readLines(file, { ...format, separator, encoding })) {
    if (header === undefined) header = fields.map((name) => name.trim());
    else yield new Map(header.map((name, index) => [name, fields[index]?.trim() ?? '']));
  }
}

/**
 * Streams the lines of a table, the header first. If the format does not give them, the file's own bytes decide the
 * encoding, and its first line the separator; if that is a tab, quotation marks are characters like any other.
 *
 * @throws TableError when the file is damaged or a line has no end.
 */
export async function* readLines(file: string, format: RecordFormat = {}, watch?: Watch): AsyncGenerator<TableLine> {
  const splitter = new Splitter(file, format);
  for await (const piece of decodeText(openTable(file, watch), format.encoding, format.otherwise)) {
    yield* splitter.read(piece);
  }
  yield* splitter.end();
}

/** Parts text into lines as it comes. */
class Splitter {
  readonly #file: string;
  #separator: Separator | undefined;
  #quotes: boolean;
  readonly #mayQuote: boolean | undefined;
  #skip: number;
  readonly #isExact: boolean;
  /** Fields of the header, where all records have as many. */
  #width = 0;
  #line = 1;
  #rest = '';

  constructor(file: string, { separator, skip = 0, quotes, isExact = false }: RecordFormat) {
    this.#file = file;
    this.#separator = separator;
    this.#mayQuote = quotes;
    this.#quotes = quotes ?? true;
    this.#skip = skip;
    this.#isExact = isExact;
  }

  *read(piece: string): Generator<TableLine> {
    const text = this.#rest + piece;
    let start = 0;
    for (let end = this.#endOf(text, start); end >= 0; end = this.#endOf(text, start)) {
      const line = this.#lineOf(text.slice(start, end));
      start = end + 1;
      if (line !== undefined) yield line;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > LONGEST_RECORD) {
      throw new TableError(`${this.#file} has no end of the record that starts on line ${this.#line}: is it a table?`);
    }
  }

  *end(): Generator<TableLine> {
    while (this.#rest.trim() !== '') {
      const isBroken = this.#quotes && this.#isExact && this.#width > 0 && countOf(this.#rest, '"') % 2 === 1;
      const end = isBroken ? this.#rest.indexOf('\n') : -1;
      const line = this.#lineOf(end < 0 ? this.#rest : this.#rest.slice(0, end));
      this.#rest = end < 0 ? '' : this.#rest.slice(end + 1);
      if (line !== undefined) yield line;
    }
  }

  /**
   * Returns the end of the record that begins at a place; -1 where it is not there yet. Where a quotation mark lacks
   * its pair, what seems to be one record is many: it ends with its first line.
   */
  #endOf(text: string, start: number): number {
    const end = endOfRecord(text, start, this.#quotes);
    if (this.#width === 0 || !this.#quotes) return end;
    const first = text.indexOf('\n', start);
    if (end < 0) return text.length - start > LONGEST_QUOTED ? first : -1;
    if (end === first) return end;
    return splitLine(text.slice(start, end), this.#separator ?? ',', true).length === this.#width ? end : first;
  }

  #lineOf(text: string): TableLine | undefined {
    const record = withoutReturn(text);
    const line = this.#line;
    this.#line += this.#quotes && record.includes('"') ? countOf(text, '\n') + 1 : 1;
    if (record === '') return undefined;
    if (this.#skip > 0) {
      this.#skip--;
      return undefined;
    }
    if (this.#separator === undefined) {
      this.#separator = separatorOf(record);
      this.#quotes = this.#mayQuote ?? this.#separator !== '\t';
    }
    // A mark without its pair is a character like any other.
    const fields = splitLine(record, this.#separator, this.#quotes && countOf(record, '"') % 2 === 0);
    if (this.#isExact && this.#width === 0) this.#width = fields.length;
    return { line, fields };
  }
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** Returns the line break that ends a record: not one within quotation marks. */
function endOfRecord(text: string, start: number, quotes: boolean): number {
  let end = text.indexOf('\n', start);
  if (!quotes || end < 0) return end;
  let odd = false;
  let from = start;
  for (; end >= 0; end = text.indexOf('\n', from)) {
    if (countOf(text.slice(from, end), '"') % 2 === 1) odd = !odd;
    if (!odd) return end;
    from = end + 1;
  }
  return -1;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** Returns the sign that parts the names of a header: the commonest of those in use. */
function separatorOf(header: string): Separator {
  const counts = (['\t', ';', ','] as const).map((sign) => ({ sign, count: countOf(header, sign) }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign;
}

function splitLine(line: string, separator: Separator, quotes: boolean): string[] {
  if (!quotes || !line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '"') {
      if (quoted && line[at + 1] === '"') field += line.charAt(++at);
      else quoted = !quoted;
    } else if (character === separator && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
}
