import { decodeText, type Encoding } from './decode-text.ts';
import { type OnShare, openTable, TableError } from './open-table.ts';

/** How a source writes its table. */
export interface RecordFormat {
  separator?: Separator;
  encoding?: Encoding;
  /** The letters of lines that are not UTF-8, where the encoding is not given. */
  otherwise?: Encoding;
  /** Lines before the header. */
  skip?: number;
  /** False where a quotation mark is a character like any other. */
  quotes?: boolean;
}

/** NUL: none, each line is one field. */
type Separator = ',' | ';' | '\t' | '\0';

/** One record of a table, with the line of the file that it starts on. */
export interface TableLine {
  line: number;
  fields: readonly string[];
}

/** No record of any source is near this long: beyond, a quotation mark is missing, or the file is no table. */
const LONGEST_RECORD = 1 << 20;

/**
 * Streams the records of a table with a header line, whatever its size: .csv or .txt, gzipped, or in a .zip. A record with
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
 * Streams the lines of a table, the header first. Where the format does not say it, the file's own bytes tell the letters,
 * and its first line the separator; where that is a tab, quotation marks are characters like any other.
 *
 * @throws TableError when the file is damaged or a line has no end.
 */
export async function* readLines(
  file: string,
  format: RecordFormat = {},
  onShare?: OnShare,
): AsyncGenerator<TableLine> {
  let { separator, skip = 0 } = format;
  let quotes = format.quotes ?? true;
  let rest = '';
  let line = 1;
  for await (const piece of decodeText(openTable(file, onShare), format.encoding, format.otherwise)) {
    const text = rest + piece;
    let start = 0;
    for (let end = endOfRecord(text, start, quotes); end >= 0; end = endOfRecord(text, start, quotes)) {
      const record = withoutReturn(text.slice(start, end));
      const startsOn = line;
      line += quotes && record.includes('"') ? countOf(text.slice(start, end), '\n') + 1 : 1;
      start = end + 1;
      if (record === '') continue;
      if (skip > 0) {
        skip--;
        continue;
      }
      if (separator === undefined) {
        separator = separatorOf(record);
        quotes = format.quotes ?? separator !== '\t';
      }
      yield { line: startsOn, fields: splitLine(record, separator, quotes) };
    }
    rest = text.slice(start);
    if (rest.length > LONGEST_RECORD) {
      throw new TableError(`${file} has no end of the record that starts on line ${line}: is it a table?`);
    }
  }
  if (rest.trim() !== '') {
    yield { line, fields: splitLine(withoutReturn(rest), separator ?? separatorOf(rest), quotes) };
  }
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** The line break that ends a record: not one within quotation marks. */
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

/** The sign that parts the names of a header: the commonest of those in use. */
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
