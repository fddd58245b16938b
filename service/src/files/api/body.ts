import { kindOfFile, markedEncoding } from '@marque/catalog/tables';

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
 * @throws HttpError 400 when it has no table.
 */
export async function tableOfBody(
  { unpack, signal }: Pick<Upload, 'unpack' | 'signal'>,
  sent: SentBody,
): Promise<FileContent> {
  const { body, contentType, column } = sent;
  if (!Buffer.isBuffer(body)) throw new HttpError(400, `vins is missing. ${SHAPE}`);
  const asked = sent.encoding === '' ? (/;\s*charset="?([^;"\s]+)/i.exec(contentType)?.[1] ?? '') : sent.encoding;
  const file = { bytes: body, column, mostRows: MOST_JOB_VINS, encoding: asked };
  const form = jsonForm(body, contentType);
  if (form !== undefined) {
    const read =
      (await readSentJson({ ...file, form }, signal)) ?? (await unpack({ ...file, form, bytes: new Uint8Array(body) }));
    if (read.kind === 'refused') throw new HttpError(400, read.message);
    return read;
  }
  const read = await contentOf(file, unpack);
  if (read.kind === 'refused') throw new HttpError(400, read.message);
  return read.content;
}

/** Returns the form of a body of JSON; undefined: it is another table. A media type that names no table means JSON. */
function jsonForm(body: Buffer, contentType: string): SentJson['form'] | undefined {
  if (!TABLES.some((type) => contentType.toLowerCase().startsWith(type))) return 'json';
  const areLines = contentType.startsWith(NDJSON) && kindOfFile(body).kind === 'text';
  return areLines || isList(body) ? 'lines' : undefined;
}

function isList(body: Buffer): boolean {
  const start = body.subarray(0, LIST_BEGINS_WITHIN);
  return beginsAsList(new TextDecoder(markedEncoding(start) ?? 'latin1').decode(start));
}
