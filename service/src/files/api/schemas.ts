import { type Static, Type } from 'typebox';

import { BatchResult } from '../../decode/index.ts';
import { nullable, oneOf } from '../../kernel/http/schemas.ts';
import type { VinFile } from '../store.ts';
import type { Understood } from '../store.ts';

/** VINs of one job, and bytes of its body. */
export const MOST_JOB_VINS = 200_000;
export const MOST_JOB_BYTES = 10_000_000;

const moment = (description: string) => Type.String({ format: 'date-time', description });

/** Parameters for reading a job. */
export const JobQuerystring = Type.Object({
  column: Type.Optional(
    Type.String({
      maxLength: 120,
      description:
        'The column of a table, or the field of lines of JSON, that has the VINs, by name or number. Default: the one whose values are VINs.',
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'The encoding of a text, such as `windows-1252` or `shift_jis`. Default: the `charset` of the media type, else detected; a text whose encoding is not clear is refused.',
    }),
  ),
  dryRun: Type.Optional(
    Type.String({
      maxLength: 5,
      description:
        '`1`: say what would be decoded, from which column and in which encoding, without storing or charging anything.',
    }),
  ),
});

export type JobQuery = Static<typeof JobQuerystring>;

/** The interpretation of a table. */
const Understanding = {
  form: Type.String({ description: 'What kind of table was read.', examples: ['CSV'] }),
  column: Type.String({ description: 'The column that the VINs are read from.', examples: ['VIN'] }),
  encoding: nullable(
    Type.String({
      description: 'The encoding of its text. Null: it is not text.',
      examples: ['utf-8', 'windows-1252'],
    }),
  ),
};

/** The state of a job. */
export const JobResponse = Type.Object(
  {
    id: Type.String({ examples: ['019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11'] }),
    status: oneOf(
      ['queued', 'running', 'completed', 'stopped'] as const,
      'stopped: the monthly limit was reached, the workspace is suspended, or the key that sent it was revoked. A stopped job can be resumed.',
      'queued',
    ),
    vins: Type.Integer({ description: 'How many VINs the job has.' }),
    done: Type.Integer({ description: 'How many have been processed.' }),
    charged: Type.Integer({ description: 'How many of these were decoded and charged.' }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share that has been processed.' }),
    createdAt: moment('When the job was created.'),
    finishedAt: nullable(moment('When it ended or stopped.')),
    results: Type.String({ description: 'Where to get the results.', examples: ['/api/jobs/019ab3c2/results'] }),
    ...Understanding,
  },
  { $id: 'JobResponse', title: 'JobResponse' },
);

/** The effect of a job: nothing is stored or charged. */
export const JobPreview = Type.Object(
  {
    vins: Type.Integer({ description: 'How many rows the job would have.' }),
    valid: Type.Integer({ description: 'How many of these have a VIN: at most so many decodes are charged.' }),
    ...Understanding,
    columns: Type.Array(Type.String(), { description: 'The names of the columns, in their order.' }),
    problems: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'The line of the file.' }),
        text: Type.String({ description: 'What the column of VINs has there.' }),
        problem: Type.String({ description: 'What to change.' }),
      }),
      { description: 'The first rows without a VIN.' },
    ),
    sample: Type.Array(Type.Array(Type.String()), { description: 'The first rows, as they were read.' }),
  },
  { $id: 'JobPreview', title: 'JobPreview' },
);

/** One line of a job's results. */
export const JobResult = Type.Object(
  {
    ...BatchResult.properties,
    row: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The row as it was sent, if the table has other columns or fields than that of the VINs.',
        examples: [{ id: 7, VIN: '1HGCM82633A004352' }],
      }),
    ),
  },
  { $id: 'JobResult', title: 'JobResult' },
);

/** Returns the interpretation of a file, as answers show it. */
export function understanding({ form, columnName, encoding }: Understood) {
  return { form, column: columnName, encoding: encoding ?? null };
}

/** Returns the answer about a file. */
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
    ...understanding(file),
  };
}
