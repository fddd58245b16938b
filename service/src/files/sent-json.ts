import { decodeText, LONGEST_TEXT, TableError } from '@marque/catalog/tables';

import { HttpError } from '../kernel/http/http-error.ts';
import { parseBoundedJson } from '../kernel/http/json-shape.ts';
import { anyTurn, type NextTurn } from '../kernel/limits/loop-turns.ts';
import { isRecord } from '../kernel/records.ts';
import { LIST_BOUNDS, tableOfJsonLines } from './json-table.ts';
import { type FileContent, type FileRead, readFile } from './read-file.ts';
import { textOf } from './sent-text.ts';

/** A text of JSON with VINs. */
export interface SentJson<Bytes = Uint8Array> {
  /** `json`: one value in UTF-8. `lines`: a list of VINs, or lines of JSON, in any encoding. */
  form: 'json' | 'lines';
  bytes: Bytes;
  /** The encoding of `lines` that their sender named; empty: none. */
  encoding: string;
  /** The column of VINs in lines that was asked for; empty: detected. */
  column: string;
  mostRows: number;
  /** Bytes that its pages may have. */
  mostBytes: number;
}

/** The forms of a body with VINs, for messages. */
export const SHAPE = 'Send {"vins": ["…"]}, a VIN on each line, CSV, .xlsx, or Parquet.';

/** Bytes of a list that the event loop parses: it holds it for about 10 ms. */
const SMALL_LIST = 262_144;

type SentTable = FileRead | { kind: 'refused'; message: string };

/** Reads the table in a text of JSON. A list is parsed in one turn of the event loop, lines in many. */
export async function readSentJson(sent: SentJson): Promise<SentTable>;
/**
 * Reads it on the thread that answers requests, unless it is a list that would hold the event loop; undefined: it is
 * one.
 *
 * @param turn waits for the turn of each piece of it, and throws when the sender has disconnected.
 */
export async function readSentJson(sent: SentJson, turn: NextTurn): Promise<SentTable | undefined>;
export async function readSentJson(sent: SentJson, turn?: NextTurn): Promise<SentTable | undefined> {
  try {
    await turn?.();
    const table = await tableIn(sent, turn);
    return table && (await readFile(table.content, table.column, { rows: sent.mostRows, bytes: sent.mostBytes }, turn));
  } catch (error) {
    const isRefused = error instanceof TableError || (error instanceof HttpError && error.statusCode === 400);
    if (isRefused) return { kind: 'refused', message: error.message };
    throw error;
  }
}

/** Returns the table in a text of JSON; undefined: it is a list for a thread. The text that is parsed decides. */
async function tableIn({ form, bytes, encoding, column, mostRows }: SentJson, turn: NextTurn | undefined) {
  const exceptLists = turn !== undefined && bytes.length > SMALL_LIST;
  if (form === 'json') return exceptLists ? undefined : listTable(parsed(utf8Text(bytes)));
  const read = await textOf(bytes, encoding, turn ?? anyTurn);
  if (read.kind === 'refused') throw new TableError(read.message);
  if (beginsAsList(read.text)) {
    if (exceptLists) return undefined;
    const list = parsedIfJson(read.text);
    if (list !== undefined) return listTable(list);
  }
  return { content: await linesTable(read.text, read.encoding, mostRows, turn), column };
}

/** Decodes UTF-8. @throws TableError when it is something else: no character is replaced. */
function utf8Text(bytes: Uint8Array): string {
  try {
    return decodeText(bytes, 'utf-8');
  } catch {
    throw new TableError('The body is not UTF-8. Encode JSON as UTF-8.');
  }
}

/**
 * Returns true if a text begins like a list of VINs in JSON, regardless of its media type: no table and no line for one
 * VIN begins like it.
 */
export function beginsAsList(text: string): boolean {
  return /^\uFEFF?\s*\{\s*"vins"\s*:/.test(text);
}

function parsed(text: string): unknown {
  if (text === '') throw new TableError('The body is empty. Send JSON.');
  const value = parsedIfJson(text);
  if (value === undefined) {
    throw new TableError('The body is not valid JSON. Send a table with its own media type, such as text/csv.');
  }
  return value;
}

/** Returns the value of a text; undefined: it is not JSON. @throws HttpError when it is too large to parse. */
function parsedIfJson(text: string): unknown {
  try {
    return parseBoundedJson(text, LIST_BOUNDS);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns a list of VINs as a table: each is a row, so that results are in the order of the request. */
function listTable(value: unknown): { content: FileContent; column: string } {
  if (Array.isArray(value)) {
    throw new TableError(
      'The body is a JSON list. Send {"vins": ["…"]}, or one object or VIN on each line as application/x-ndjson.',
    );
  }
  const vins = isRecord(value) ? value['vins'] : undefined;
  if (!Array.isArray(vins) || vins.length === 0) throw new TableError(`vins is missing. ${SHAPE}`);
  const rows = vins.map((vin: unknown, index) => {
    if (typeof vin !== 'string' || vin.trim() === '') {
      throw new TableError(`VIN number ${index + 1} is empty or not a string.`);
    }
    return { line: index + 1, cells: [vin.slice(0, LONGEST_TEXT).replaceAll('\0', '')] };
  });
  return { content: { kind: 'rows', form: 'list', names: ['vin'], rows }, column: 'vin' };
}

async function linesTable(
  text: string,
  encoding: string,
  mostRows: number,
  turn: NextTurn | undefined,
): Promise<FileContent> {
  try {
    return await tableOfJsonLines(text, encoding, mostRows, turn);
  } catch (error) {
    throw error instanceof TableError ? new TableError(`${error.message} ${SHAPE}`) : error;
  }
}
