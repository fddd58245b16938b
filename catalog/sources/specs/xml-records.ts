import { SaxesParser } from 'saxes';

import { decodeText } from './decode-text.ts';
import { openTable, TableError, type Watch } from './open-table.ts';

/** One record of a document: the texts of those of its elements that were asked for, by their names without prefix. */
export interface XmlRecord {
  /** The line on which it starts. */
  line: number;
  /** An element that comes several times has several texts, each once. */
  texts: ReadonlyMap<string, readonly string[]>;
}

/** No record of any source is near this long: beyond, its end is missing, or the document is another one. */
const LONGEST_RECORD = 1 << 24;
/** The longest end of a tag that may be cut by the end of a piece. */
const LONGEST_TAG = 256;

/**
 * Streams the records of an XML document of any size: plain, gzipped, or in a .zip.
 *
 * @param done the number of records to skip unparsed: they were read before
 * @throws TableError with the place where the document is damaged or cut short.
 */
export async function* readXmlRecords(
  file: string,
  { record, elements }: { record: string; elements: ReadonlySet<string> },
  watch?: Watch,
  done = 0,
): AsyncGenerator<XmlRecord> {
  const passed = new PassedRecords(record, done);
  const reader = new RecordReader(file, record, elements);
  for await (const piece of decodeText(openTable(file, watch))) {
    const rest = passed.passOver(piece);
    if (rest === undefined) continue;
    if (passed.head !== '') reader.skipTo(passed.head, passed.lines);
    passed.head = '';
    yield* reader.read(rest);
  }
  reader.end();
}

/** Passes over the records of a document by the ends of their tags alone. */
class PassedRecords {
  readonly #begin: RegExp;
  readonly #end: RegExp;
  #left: number;
  #text = '';
  /** The text before the first record; empty until all are skipped, or if none is kept. */
  head = '';
  /** Line breaks from there to the last that was passed over. */
  lines = 0;
  #head = '';

  constructor(record: string, count: number) {
    this.#begin = new RegExp(`<(?:[\\w.-]+:)?${record}[\\s>]`);
    this.#end = new RegExp(`</(?:[\\w.-]+:)?${record}\\s*>`, 'g');
    this.#left = count;
  }

  /** Returns the rest of a piece behind the last record to skip; undefined while there are more of them. */
  passOver(piece: string): string | undefined {
    if (this.#left === 0) return piece;
    this.#text += piece;
    if (this.#head === '') {
      const begin = this.#text.search(this.#begin);
      if (begin < 0) return undefined;
      this.#head = this.#text.slice(0, begin);
      this.#text = this.#text.slice(begin);
    }
    let read = 0;
    for (const end of this.#text.matchAll(this.#end)) {
      read = end.index + end[0].length;
      if (--this.#left === 0) break;
    }
    // The rest of a tag that is cut by the end of the piece comes with the next one.
    if (this.#left > 0) read = Math.max(read, this.#text.length - LONGEST_TAG);
    this.lines += this.#text.slice(0, read).split('\n').length - 1;
    this.#text = this.#text.slice(read);
    if (this.#left > 0) return undefined;
    this.head = this.#head;
    return this.#text;
  }
}

class RecordReader {
  readonly #file: string;
  readonly #record: string;
  readonly #elements: ReadonlySet<string>;
  readonly #parser = new SaxesParser();
  /** Names without prefix, by those with it. */
  readonly #names = new Map<string, string>();
  #found: XmlRecord[] = [];
  #texts: Map<string, string[]> | undefined;
  #startsOn = 0;
  #element = '';
  #text = '';
  #linesBefore = 0;
  #sinceRecord = 0;
  #records = 0;

  constructor(file: string, record: string, elements: ReadonlySet<string>) {
    this.#file = file;
    this.#record = record;
    this.#elements = elements;
    this.#parser.on('opentag', ({ name }) => this.#open(this.#nameOf(name)));
    const take = (text: string): void => {
      if (this.#element !== '') this.#text += text;
    };
    this.#parser.on('text', take);
    this.#parser.on('cdata', take);
    this.#parser.on('closetag', ({ name }) => this.#close(this.#nameOf(name)));
  }

  /** Begins with the text before the first record, and behind so many lines of records that were read before. */
  skipTo(head: string, lines: number): void {
    this.#write(head);
    this.#linesBefore = lines;
    this.#records = 1;
  }

  read(text: string): XmlRecord[] {
    this.#found = [];
    this.#sinceRecord += text.length;
    this.#write(text);
    if (this.#sinceRecord > LONGEST_RECORD) {
      throw new TableError(
        `${this.#file} has no end of a record “${this.#record}” before line ${this.#line}: it is another document, or damaged.`,
      );
    }
    return this.#found;
  }

  /** @throws TableError where the document is not at its end. */
  end(): void {
    if (this.#records === 0 && this.#sinceRecord === 0) throw new TableError(`${this.#file} is empty.`);
    this.#guard(() => this.#parser.close());
    if (this.#records === 0) throw new TableError(`${this.#file} has no record “${this.#record}”.`);
  }

  get #line(): number {
    return this.#linesBefore + this.#parser.line;
  }

  #write(text: string): void {
    this.#guard(() => this.#parser.write(text));
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      // The parser puts line and column before its words: those of a document of which records were passed over.
      const why = error instanceof Error ? error.message.replace(/^\d+:\d+: /, '') : String(error);
      throw new TableError(
        `${this.#file} is no XML, is damaged or is cut short at line ${this.#line}, column ${this.#parser.column} (${why.replace(/\.$/, '')}).`,
      );
    }
  }

  #nameOf(name: string): string {
    let local = this.#names.get(name);
    if (local === undefined) this.#names.set(name, (local = name.slice(name.indexOf(':') + 1)));
    return local;
  }

  #open(name: string): void {
    if (name === this.#record && this.#texts === undefined) {
      this.#texts = new Map();
      this.#startsOn = this.#line;
    }
    this.#element = this.#texts !== undefined && this.#elements.has(name) ? name : '';
    this.#text = '';
  }

  #close(name: string): void {
    if (this.#texts === undefined) return;
    const text = this.#text.trim();
    if (this.#element === name && text !== '') {
      const known = this.#texts.get(name);
      if (known === undefined) this.#texts.set(name, [text]);
      else if (!known.includes(text)) known.push(text);
    }
    this.#element = '';
    if (name !== this.#record) return;
    this.#found.push({ line: this.#startsOn, texts: this.#texts });
    this.#texts = undefined;
    this.#sinceRecord = 0;
    this.#records++;
  }
}
