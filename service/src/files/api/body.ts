import { isJsonLines, kindOfFile, markedEncoding } from '@marque/catalog/tables';

import { HttpError } from '../../kernel/http/http-error.ts';
import { RESULT_FORMS } from '../export.ts';
import type { FileContent } from '../read-file.ts';
import { contentOf } from '../sent-file.ts';
import { beginsAsList, readSentJson, type SentJson, SHAPE } from '../sent-json.ts';
import type { Upload } from '../transfer-limits.ts';
import { MOST_JOB_VINS } from './schemas.ts';

export const CSV = 'text/csv';
export const XLSX = RESULT_FORMS.xlsx.type;
export const PARQUET = RESULT_FORMS.parquet.type;
export const NDJSON = 'application/x-ndjson';

const TABLES = [NDJSON, CSV, XLSX, PARQUET];

/** The parameters of a job's body. */
export interface SentBody {
  body: unknown;
  contentType: string;
  /** The column of VINs that was asked for; empty: detected. */
  column: string;
  /** The encoding requested; empty: that of the media type. */
  encoding: string;
}

/**
 * The bytes within which a list begins, unless its media type is JSON. After more blanks than these it is read as a
 * table, and refused.
 */
const LIST_BEGINS_WITHIN = 512;

/**
 * Reads the body of a job.
 *
 * @param mostBytes what the pages of its table may have.
 * @throws HttpError 400 when it has no table.
 */
export async function tableOfBody(
  upload: Pick<Upload, 'turn' | 'unpack'>,
  sent: SentBody,
  mostBytes: number,
): Promise<FileContent> {
  const { body, contentType, column } = sent;
  if (!Buffer.isBuffer(body)) throw new HttpError(400, `vins is missing. ${SHAPE}`);
  const asked = sent.encoding === '' ? (/;\s*charset="?([^;"\s]+)/i.exec(contentType)?.[1] ?? '') : sent.encoding;
  const file = { bytes: body, column, mostRows: MOST_JOB_VINS, mostBytes, encoding: asked };
  const form = jsonForm(body, contentType);
  if (form !== undefined) {
    const read = (await readSentJson({ ...file, form }, upload.turn)) ?? (await upload.unpack({ ...file, form }));
    if (read.kind === 'refused') throw new HttpError(400, read.message);
    return read;
  }
  if (isWithoutLines(body, contentType)) throw new HttpError(400, WITHOUT_LINES);
  const read = await contentOf(file, upload);
  if (read.kind === 'refused') throw new HttpError(400, read.message);
  return read.content;
}

const VIN_LENGTH = 17;

const WITHOUT_LINES =
  'The file arrived without its line breaks. With curl, send it by --data-binary @FILE: -d removes them.';

/**
 * Returns true if a body is a table from which `curl -d @FILE` took the line breaks: all of it would be one row. A VIN
 * alone may have had none.
 */
function isWithoutLines(body: Buffer, contentType: string): boolean {
  const isOfCurl = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  if (!isOfCurl || kindOfFile(body).kind !== 'text' || body.length <= VIN_LENGTH) return false;
  return !body.includes('\n') && !body.includes('\r');
}

/** Bytes of a line of JSON by which lines are known from one value, where the media type does not tell. */
const LOOKED_AT = 65_536;

/** Bytes before and after the end of a line that show what ends, and that another follows. */
const AROUND = 512;

/** Returns the form of a body of JSON; undefined: it is another table. Only JSON's own media type means one value. */
function jsonForm(body: Buffer, contentType: string): SentJson['form'] | undefined {
  const sent = contentType.toLowerCase();
  if (/^[\w.-]+\/(?:[\w.-]+\+)?json\b/.test(sent)) return 'json';
  if (!TABLES.some((type) => sent.startsWith(type))) {
    const start = startOf(body, LOOKED_AT);
    if (!/^\uFEFF?\s*(?:\{|$)/.test(start)) return undefined;
    if (!/[\r\n]/.test(start.trimStart())) return beginsAsLongLine(body) ? 'lines' : 'json';
    const more = startOf(body, LOOKED_AT + AROUND);
    return isJsonLines(more) && /^\s*\{.*\}[ \t]*[\r\n]\s*\S/.test(more) ? 'lines' : 'json';
  }
  const areLines = contentType.startsWith(NDJSON) && kindOfFile(body).kind === 'text';
  return areLines || isList(body) ? 'lines' : undefined;
}

/** Returns true if a body's first line is longer than what is looked at, ends as an object, and is not the last. */
function beginsAsLongLine(body: Buffer): boolean {
  const ends = ['\n', '\r'].map((end) => body.indexOf(end, LOOKED_AT)).filter((end) => end !== -1);
  if (ends.length === 0) return false;
  const end = Math.min(...ends);
  const around = body.subarray(end - AROUND, end + AROUND).toString('latin1');
  return /^[^\r\n]*\}[ \t\0]*[\r\n][\s\0]*[^\s\0]/.test(around);
}

function isList(body: Buffer): boolean {
  return beginsAsList(startOf(body, LIST_BEGINS_WITHIN));
}

/** Returns the beginning of a text, without its mark; letters other than ASCII's may be wrong. */
function startOf(body: Buffer, bytes: number): string {
  const start = body.subarray(0, bytes);
  return new TextDecoder(markedEncoding(start) ?? 'latin1').decode(start);
}
