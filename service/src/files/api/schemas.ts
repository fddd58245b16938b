import { type Static, Type } from 'typebox';

import { nullable, oneOf } from '../../kernel/http/schemas.ts';
import type { VinFile } from '../store.ts';
import { HttpError } from '../../kernel/http/http-error.ts';

/** VINs of one job. */
export const MOST_JOB_VINS = 100_000;

const moment = (description: string) => Type.String({ format: 'date-time', description });

/** The state of a job. */
export const JobResponse = Type.Object(
  {
    id: Type.String({ examples: ['019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11'] }),
    status: oneOf(
      ['queued', 'running', 'completed', 'stopped'] as const,
      'stopped: the monthly limit was reached, or the workspace is suspended. A stopped job can be resumed.',
      'queued',
    ),
    vins: Type.Integer({ description: 'How many VINs the job has.' }),
    done: Type.Integer({ description: 'How many have been processed.' }),
    charged: Type.Integer({ description: 'How many of these were decoded and charged.' }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share that has been processed.' }),
    createdAt: moment('When the job was created.'),
    finishedAt: nullable(moment('When it ended or stopped.')),
    results: Type.String({ description: 'Where to get the results.', examples: ['/api/jobs/019ab3c2/results'] }),
  },
  { $id: 'JobResponse', title: 'JobResponse' },
);

/** The answer about a file. */
export function jobOf(file: VinFile): Static<typeof JobResponse> {
  return {
    id: file.id,
    status: file.state,
    vins: file.rows,
    done: file.done,
    charged: file.delivered,
    progress: file.rows === 0 ? 1 : file.done / file.rows,
    createdAt: new Date(file.createdAtMs).toISOString(),
    finishedAt: file.finishedAtMs === null ? null : new Date(file.finishedAtMs).toISOString(),
    results: `/api/jobs/${file.id}/results`,
  };
}

/** The formats of a job's body. */
export interface JobBody {
  /** A table as text, or a workbook or Parquet file, under the name that says which. */
  sent: { kind: 'text'; text: string } | { kind: 'file'; name: string; bytes: Buffer };
  /** Its column of VINs; empty: detected. */
  column: string;
}

const SHAPE = 'Send {"vins": ["…"]}, a VIN on each line, CSV, .xlsx, or Parquet.';

/**
 * Reads a list of VINs. Each is on its own line, so that results are in the order of the request.
 *
 * @throws HttpError 400 when it is not one.
 */
export function jobOfList(vins: unknown): JobBody {
  if (!Array.isArray(vins) || vins.length === 0) throw new HttpError(400, `vins is missing. ${SHAPE}`);
  const cells = vins.map((vin: unknown, index) => {
    if (typeof vin !== 'string' || vin.trim() === '') {
      throw new HttpError(400, `VIN number ${index + 1} is empty or not a string.`);
    }
    return cellOf(vin);
  });
  return { sent: { kind: 'text', text: `vin\n"${cells.join('"\n"')}"\n` }, column: 'vin' };
}

/** What fits between quotes. A hundred thousand are read in one turn of the event loop: looking first takes half the time. */
function cellOf(text: string): string {
  if (text.length <= LONGEST && !/["\r\n]/.test(text)) return text;
  return text.slice(0, LONGEST).replace(/["\r\n]/g, ' ');
}

/** A longer text cannot be a VIN. */
const LONGEST = 64;

/** Reads lines of JSON: texts, or objects with a VIN. */
export function jobOfLines(body: string): JobBody {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  return jobOfList(lines.map((line, index) => vinIn(line, index + 1)));
}

function vinIn(line: string, number: number): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'vin' in value ? value.vin : value;
  } catch {
    throw new HttpError(400, `Line ${number} is not JSON. ${SHAPE}`);
  }
}
