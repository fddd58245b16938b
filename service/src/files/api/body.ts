import { kindOfFile, LONGEST_TEXT, TableError } from '@marque/catalog/tables';

import { HttpError } from '../../kernel/http/http-error.ts';
import { parseBoundedJson } from '../../kernel/http/json-shape.ts';
import { isRecord } from '../../kernel/records.ts';
import { RESULT_FORMS } from '../export.ts';
import { tableOfJsonLines } from '../json-table.ts';
import type { FileContent } from '../read-file.ts';
import { contentOf, textOf } from '../sent-file.ts';
import type { Upload } from '../transfer-limits.ts';
import { MOST_JOB_VINS } from './schemas.ts';

export const CSV = 'text/csv';
export const XLSX = RESULT_FORMS.xlsx.type;
export const PARQUET = RESULT_FORMS.parquet.type;
export const NDJSON = 'application/x-ndjson';

const SHAPE = 'Send {"vins": ["…"]}, a VIN on each line, CSV, .xlsx, or Parquet.';

/** The parameters of a job's body. */
interface SentBody {
  body: unknown;
  contentType: string;
  /** The column of VINs that was asked for; empty: detected. */
  column: string;
  /** The encoding requested; empty: that of the media type. */
  encoding: string;
}

/** A job's table, and the column of VINs in it that was asked for. */
export interface JobTable {
  content: FileContent;
  column: string;
}

/** Returns the bytes that a job was sent as, for recognizing it when it is sent again. */
export function sentText(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body ?? null);
}

/**
 * Reads the body of a job.
 *
 * @throws HttpError 400 when it has no table.
 */
export async function tableOfBody({ unpack }: Pick<Upload, 'unpack'>, sent: SentBody): Promise<JobTable> {
  const { body, contentType, column } = sent;
  if (!Buffer.isBuffer(body)) return listTable(vinsIn(body));
  const asked = sent.encoding === '' ? (/;\s*charset="?([^;"\s]+)/i.exec(contentType)?.[1] ?? '') : sent.encoding;
  const areLines = contentType.startsWith(NDJSON) && kindOfFile(body).kind === 'text';
  if (areLines || LIST.test(body.toString('latin1', 0, LIST_BEGINS_WITHIN))) {
    const read = textOf(body, asked);
    if (read.kind === 'refused') throw new HttpError(400, read.message);
    const list = listIn(read.text);
    return list === undefined ? { content: await linesTable(read), column } : listTable(list);
  }
  const file = { bytes: body, column, mostRows: MOST_JOB_VINS, encoding: asked };
  const read = await contentOf(file, unpack);
  if (read.kind === 'refused') throw new HttpError(400, read.message);
  return { content: read.content, column };
}

/** Matches the beginning of a list in JSON, regardless of the media type: no table and no line for one VIN begins like it. */
const LIST = /^(?:\u00EF\u00BB\u00BF)?\s*\{\s*"vins"\s*:/;
const LIST_BEGINS_WITHIN = 256;

/** Returns a list of VINs as a table: each is a row, so that results are in the order of the request. */
function listTable(vins: unknown): JobTable {
  if (!Array.isArray(vins) || vins.length === 0) throw new HttpError(400, `vins is missing. ${SHAPE}`);
  const rows = vins.map((vin: unknown, index) => {
    if (typeof vin !== 'string' || vin.trim() === '') {
      throw new HttpError(400, `VIN number ${index + 1} is empty or not a string.`);
    }
    return { line: index + 1, cells: [vin.slice(0, LONGEST_TEXT).replaceAll('\0', '')] };
  });
  return { content: { kind: 'rows', form: 'list', names: ['vin'], rows }, column: 'vin' };
}

function vinsIn(body: unknown): unknown {
  return isRecord(body) ? body['vins'] : undefined;
}

/**
 * Returns the list in a text of JSON; undefined: it has none.
 *
 * @throws HttpError 400 when it is too large to parse.
 */
function listIn(text: string): unknown {
  if (!LIST.test(text)) return undefined;
  try {
    return vinsIn(parseBoundedJson(text));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    return undefined;
  }
}

async function linesTable({ text, encoding }: { text: string; encoding: string }): Promise<FileContent> {
  try {
    return await tableOfJsonLines(text, encoding, MOST_JOB_VINS);
  } catch (error) {
    if (error instanceof TableError) throw new HttpError(400, `${error.message} ${SHAPE}`);
    throw error;
  }
}
